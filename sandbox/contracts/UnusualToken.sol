// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

/**
 * A token that deducts a fee from the recipient, changes all balances (rebasing), or blocks an address. Its first storage slots are
 * those of `Token`, so its code can replace a token that has balances. All settings are immutables of the code.
 */
contract UnusualToken {
    string public constant name = "Pebble";
    string public constant symbol = "PEBBLE";
    uint8 public constant decimals = 9;

    mapping(address owner => uint256) private _units;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    uint256 private _totalUnits;

    uint256 private immutable _feeBps;
    /** Whether events state the amount without the fee. */
    bool private immutable _claimsGross;
    /** Whether fee and block apply only to transactions, whose gas price is above zero, unlike that of a simulation. */
    bool private immutable _detectsSimulation;
    /** The balance of 100 units. */
    uint256 private immutable _percent;
    address private immutable _blocked;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 feeBps, bool claimsGross, bool detectsSimulation, uint256 percent, address blocked) {
        (_feeBps, _claimsGross, _detectsSimulation, _percent, _blocked) =
            (feeBps, claimsGross, detectsSimulation, percent, blocked);
    }

    function totalSupply() external view returns (uint256) {
        return _totalUnits * _percent / 100;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return _units[owner] * _percent / 100;
    }

    function mint(address to, uint256 amount) external {
        _totalUnits += amount * 100 / _percent;
        _units[to] += amount * 100 / _percent;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        bool isHonest = _detectsSimulation && tx.gasprice == 0;
        require(isHonest || (from != _blocked && to != _blocked), "Blacklistable: account is blacklisted");
        uint256 fee = isHonest ? 0 : amount * _feeBps / 10_000;
        _units[from] -= amount * 100 / _percent;
        _units[to] += (amount - fee) * 100 / _percent;
        emit Transfer(from, to, _claimsGross ? amount : amount - fee);
        if (fee > 0 && !_claimsGross) emit Transfer(from, address(this), fee);
        _units[address(this)] += fee * 100 / _percent;
    }
}
