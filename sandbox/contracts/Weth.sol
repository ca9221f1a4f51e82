// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/** Wrapped ether, with the interface and events of WETH9. The sandbox's issuer can mint tokens that it backs with ether. */
contract Weth is ERC20 {
    address private immutable _minter;

    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    constructor(address minter) ERC20("", "") {
        _minter = minter;
    }

    function name() public pure override returns (string memory) {
        return "Wrapped Ether";
    }

    function symbol() public pure override returns (string memory) {
        return "WETH";
    }

    function mint(address to, uint256 amount) external {
        require(msg.sender == _minter, "WETH: caller is not the minter");
        _mint(to, amount);
    }

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        _mint(msg.sender, msg.value);
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        _burn(msg.sender, amount);
        emit Withdrawal(msg.sender, amount);
        (bool paid,) = msg.sender.call{value: amount}("");
        require(paid, "WETH: the ether was refused");
    }
}
