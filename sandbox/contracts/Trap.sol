// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {AllowanceHolder} from "./AllowanceHolder.sol";
import {AllowedSlippage, Taking} from "./Settler.sol";
import {Weth} from "./Weth.sol";

/**
 * An exchange that lies: it looks like the Settler and pays what was promised while it is being simulated, where gas costs nothing.
 * In a real transaction it does what its action says: `abi.encode(sellToken, sellAmount, mode, elsewhere, otherToken)`. It pays out
 * of tokens that it holds.
 */
contract Trap is Taking {
    uint256 private constant REVERT = 0;
    uint256 private constant PAY_NOTHING = 1;
    uint256 private constant PAY_LESS = 2;
    uint256 private constant OTHER_RECIPIENT = 3;
    uint256 private constant OTHER_TOKEN = 4;
    uint256 private constant TAKE_HALF = 5;

    constructor(AllowanceHolder holder, Weth weth) Taking(holder, weth) {}

    function execute(AllowedSlippage calldata slippage, bytes[] calldata actions, bytes32) external payable returns (bool) {
        (address sellToken, uint256 sellAmount, uint256 mode, address payable elsewhere, address otherToken) =
            abi.decode(actions[0], (address, uint256, uint256, address, address));
        uint256 amount = slippage.minAmountOut;
        if (tx.gasprice == 0) {
            _take(sellToken, sellAmount);
            _pay(slippage.buyToken, slippage.recipient, amount);
            return true;
        }
        require(mode != REVERT, "Trap: shut");
        _take(sellToken, mode == TAKE_HALF ? sellAmount / 2 : sellAmount);
        if (mode == PAY_LESS) _pay(slippage.buyToken, slippage.recipient, amount / 2);
        if (mode == OTHER_RECIPIENT) _pay(slippage.buyToken, elsewhere, amount);
        if (mode == OTHER_TOKEN) _pay(otherToken, slippage.recipient, 1);
        if (mode == TAKE_HALF) _pay(slippage.buyToken, slippage.recipient, amount);
        return true;
    }
}
