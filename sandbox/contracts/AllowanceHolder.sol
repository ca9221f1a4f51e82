// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/**
 * The interface of 0x's AllowanceHolder, written for the sandbox. It has allowances of token owners, which another contract can
 * use only during a call by the owner. The called contract reads the owner from the last 20 bytes of its calldata (ERC-2771).
 */
contract AllowanceHolder {
    using SafeERC20 for IERC20;

    address private transient _operator;
    address private transient _owner;
    address private transient _token;
    uint256 private transient _left;

    error ConfusedDeputy();

    function exec(address operator, address token, uint256 amount, address payable target, bytes calldata data)
        external
        payable
        returns (bytes memory result)
    {
        require(_owner == address(0), "AllowanceHolder: not within another call");
        // A call of a token contract would use the rights of this contract instead of the owner's.
        (bool looksLikeToken, bytes memory returned) = target.staticcall(abi.encodeCall(IERC20.balanceOf, (address(this))));
        if (target.code.length == 0 || looksLikeToken && returned.length >= 32) revert ConfusedDeputy();
        (_operator, _owner, _token, _left) = (operator, msg.sender, token, amount);
        bool success;
        (success, result) = target.call{value: msg.value}(abi.encodePacked(data, msg.sender));
        if (!success) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
        (_operator, _owner, _token, _left) = (address(0), address(0), address(0), 0);
    }

    function transferFrom(address token, address owner, address recipient, uint256 amount) external returns (bool) {
        require(msg.sender == _operator && owner == _owner && token == _token && amount <= _left, "AllowanceHolder: not allowed");
        _left -= amount;
        IERC20(token).safeTransferFrom(owner, recipient, amount);
        return true;
    }
}
