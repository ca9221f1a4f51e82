// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

/** Batches calls. Implements the part of the Multicall3 interface that client libraries use. Written for the sandbox. */
contract Multicall3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = _call(calls[i].target, calls[i].callData, !calls[i].allowFailure);
        }
    }

    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        uint256 sum;
        for (uint256 i = 0; i < calls.length; i++) {
            Call3Value calldata each = calls[i];
            sum += each.value;
            (results[i].success, results[i].returnData) = each.target.call{value: each.value}(each.callData);
            require(results[i].success || each.allowFailure, "Multicall3: call failed");
        }
        require(msg.value == sum, "Multicall3: value mismatch");
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = _call(calls[i].target, calls[i].callData, requireSuccess);
        }
    }

    function aggregate(Call[] calldata calls) external payable returns (uint256 blockNumber, bytes[] memory returnData) {
        blockNumber = block.number;
        returnData = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            returnData[i] = _call(calls[i].target, calls[i].callData, true).returnData;
        }
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function _call(address target, bytes calldata callData, bool requireSuccess) private returns (Result memory result) {
        (result.success, result.returnData) = target.call(callData);
        require(result.success || !requireSuccess, "Multicall3: call failed");
    }
}
