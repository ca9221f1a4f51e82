// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {AllowanceHolder} from "./AllowanceHolder.sol";
import {Weth} from "./Weth.sol";

/** The recipient, token and minimum amount of a swap's output, as in 0x's Settler. */
struct AllowedSlippage {
    address payable recipient;
    address buyToken;
    uint256 minAmountOut;
}

address constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

/** Base of the contracts that settle swaps: identifies the taker, collects the sold tokens and pays the bought ones. */
abstract contract SwapBase {
    using SafeERC20 for IERC20;

    AllowanceHolder internal immutable _holder;
    Weth internal immutable _weth;

    constructor(AllowanceHolder holder, Weth weth) {
        _holder = holder;
        _weth = weth;
    }

    receive() external payable {}

    function _taker() internal view returns (address) {
        return msg.sender == address(_holder) ? address(bytes20(msg.data[msg.data.length - 20:])) : msg.sender;
    }

    /** Collects the sold tokens and returns their token. Ether is wrapped. */
    function _collect(address token, uint256 amount) internal returns (address) {
        if (token == NATIVE) {
            require(msg.value == amount, "Settler: the ether is not there");
            _weth.deposit{value: amount}();
            return address(_weth);
        }
        _holder.transferFrom(token, _taker(), address(this), amount);
        return token;
    }

    function _pay(address token, address payable to, uint256 amount) internal {
        if (token != NATIVE) return IERC20(token).safeTransfer(to, amount);
        _weth.withdraw(amount);
        (bool paid,) = to.call{value: amount}("");
        require(paid, "Settler: the ether was refused");
    }
}

/**
 * The sandbox's exchange: constant-product pools of tokens against US dollars, with the entry point of 0x's Settler. An action is
 * `abi.encode(sellToken, sellAmount, buyToken)`, or for an exact purchase `abi.encode(sellToken, maxSellAmount, buyToken,
 * buyAmount)`, which returns what it does not sell.
 */
contract Settler is SwapBase {
    using SafeERC20 for IERC20;

    struct Pool {
        uint256 tokens;
        uint256 dollars;
    }

    uint256 private constant FEE_BPS = 5;
    address private immutable _usdc;
    address private immutable _issuer;
    mapping(address token => Pool) public pools;

    error TooMuchSlippage(address token, uint256 expected, uint256 actual);

    constructor(AllowanceHolder holder, Weth weth, address usdc, address issuer) SwapBase(holder, weth) {
        _usdc = usdc;
        _issuer = issuer;
    }

    /** Sets the reserves of a pool. The tokens are minted to this contract separately. */
    function seed(address token, uint256 tokens, uint256 dollars) external {
        require(msg.sender == _issuer, "Settler: caller is not the issuer");
        pools[token] = Pool(tokens, dollars);
    }

    function execute(AllowedSlippage calldata slippage, bytes[] calldata actions, bytes32) external payable returns (bool) {
        uint256 bought;
        for (uint256 i = 0; i < actions.length; i++) {
            (address sellToken, uint256 sellAmount, address buyToken) = abi.decode(actions[i], (address, uint256, address));
            address from = _collect(sellToken, sellAmount);
            if (actions[i].length > 96) {
                (,,, uint256 buyAmount) = abi.decode(actions[i], (address, uint256, address, uint256));
                uint256 needed = _needed(from, _wrapped(buyToken), buyAmount);
                if (needed > sellAmount) revert TooMuchSlippage(sellToken, sellAmount, needed);
                if (needed < sellAmount) _pay(sellToken, payable(_taker()), sellAmount - needed);
                sellAmount = needed;
            }
            bought += _swap(from, sellAmount, _wrapped(buyToken));
        }
        if (bought < slippage.minAmountOut) revert TooMuchSlippage(slippage.buyToken, slippage.minAmountOut, bought);
        _pay(slippage.buyToken, slippage.recipient, bought);
        return true;
    }

    /** Returns the current output of a swap, or zero if there is no pool. */
    function quote(address sellToken, uint256 sellAmount, address buyToken) external view returns (uint256) {
        (address from, address to) = (_wrapped(sellToken), _wrapped(buyToken));
        uint256 dollars = from == _usdc ? sellAmount : _out(pools[from].tokens, pools[from].dollars, sellAmount);
        return to == _usdc ? dollars : _out(pools[to].dollars, pools[to].tokens, dollars);
    }

    /** Returns the current input of a swap that buys at least an amount, or zero if no pool has it. */
    function quotePurchase(address sellToken, address buyToken, uint256 buyAmount) external view returns (uint256) {
        (address from, address to) = (_wrapped(sellToken), _wrapped(buyToken));
        bool lacksOutput = to != _usdc && buyAmount >= pools[to].tokens;
        if (lacksOutput) return 0;
        uint256 dollars = to == _usdc ? buyAmount : _in(pools[to].dollars, pools[to].tokens, buyAmount);
        if (from != _usdc && dollars >= pools[from].dollars) return 0;
        return _needed(from, to, buyAmount);
    }

    function _needed(address from, address to, uint256 buyAmount) private view returns (uint256) {
        uint256 dollars = to == _usdc ? buyAmount : _in(pools[to].dollars, pools[to].tokens, buyAmount);
        return from == _usdc ? dollars : _in(pools[from].tokens, pools[from].dollars, dollars);
    }

    function _swap(address from, uint256 amount, address to) private returns (uint256 out) {
        out = amount;
        if (from != _usdc) {
            Pool storage pool = pools[from];
            out = _out(pool.tokens, pool.dollars, amount);
            pool.tokens += amount;
            pool.dollars -= out;
        }
        if (to != _usdc) {
            Pool storage pool = pools[to];
            uint256 dollars = out;
            out = _out(pool.dollars, pool.tokens, dollars);
            pool.dollars += dollars;
            pool.tokens -= out;
        }
    }

    function _out(uint256 reserveIn, uint256 reserveOut, uint256 amount) private pure returns (uint256) {
        uint256 net = amount * (10_000 - FEE_BPS);
        return reserveIn == 0 ? 0 : reserveOut * net / (reserveIn * 10_000 + net);
    }

    /** The smallest input whose output reaches `out`, rounded up. */
    function _in(uint256 reserveIn, uint256 reserveOut, uint256 out) private pure returns (uint256) {
        return reserveIn * out * 10_000 / ((reserveOut - out) * (10_000 - FEE_BPS)) + 1;
    }

    function _wrapped(address token) private view returns (address) {
        return token == NATIVE ? address(_weth) : token;
    }
}
