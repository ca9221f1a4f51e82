// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {AllowanceHolder} from "./AllowanceHolder.sol";
import {AllowedSlippage, SwapBase} from "./Settler.sol";
import {Weth} from "./Weth.sol";

/**
 * A malicious exchange with the interface of the Settler. In a simulation, which it detects by a gas price of zero, it pays the
 * quoted amount. In a transaction it behaves as its action specifies, `abi.encode(sellToken, sellAmount, mode, elsewhere,
 * otherToken)`. It pays from its own balance.
 */
contract Trap is SwapBase {
    uint256 private constant REVERT = 0;
    uint256 private constant PAY_NOTHING = 1;
    uint256 private constant PAY_LESS = 2;
    uint256 private constant OTHER_RECIPIENT = 3;
    uint256 private constant OTHER_TOKEN = 4;
    uint256 private constant TAKE_HALF = 5;

    constructor(AllowanceHolder holder, Weth weth) SwapBase(holder, weth) {}

    function execute(AllowedSlippage calldata slippage, bytes[] calldata actions, bytes32) external payable returns (bool) {
        (address sellToken, uint256 sellAmount, uint256 mode, address payable elsewhere, address otherToken) =
            abi.decode(actions[0], (address, uint256, uint256, address, address));
        uint256 amount = slippage.minAmountOut;
        if (tx.gasprice == 0) {
            _collect(sellToken, sellAmount);
            _pay(slippage.buyToken, slippage.recipient, amount);
            return true;
        }
        require(mode != REVERT, "Trap: shut");
        _collect(sellToken, mode == TAKE_HALF ? sellAmount / 2 : sellAmount);
        if (mode == PAY_LESS) _pay(slippage.buyToken, slippage.recipient, amount / 2);
        if (mode == OTHER_RECIPIENT) _pay(slippage.buyToken, elsewhere, amount);
        if (mode == OTHER_TOKEN) _pay(otherToken, slippage.recipient, 1);
        if (mode == TAKE_HALF) _pay(slippage.buyToken, slippage.recipient, amount);
        return true;
    }
}
