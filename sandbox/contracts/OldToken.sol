// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

/** A token with the conventions of early ERC-20 tokens: name and symbol are bytes32, and transfers return no value. */
contract OldToken {
    bytes32 public constant name = "Old Stone";
    bytes32 public constant symbol = "OLD";
    uint8 public constant decimals = 18;
    address private immutable _minter;

    uint256 public totalSupply;
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(address minter) {
        _minter = minter;
    }

    function mint(address to, uint256 amount) external {
        require(msg.sender == _minter);
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /** Changes an allowance only from or to zero, like some early tokens. */
    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
