// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";

/**
 * A token of the sandbox's exchange. Name, symbol and decimals are immutables, so the runtime code can be placed at the token's
 * real address.
 */
contract Token is ERC20 {
    using ShortStrings for *;

    ShortString private immutable _tokenName;
    ShortString private immutable _tokenSymbol;
    uint8 private immutable _tokenDecimals;
    address private immutable _minter;

    constructor(string memory tokenName, string memory tokenSymbol, uint8 tokenDecimals, address minter) ERC20("", "") {
        _tokenName = tokenName.toShortString();
        _tokenSymbol = tokenSymbol.toShortString();
        _tokenDecimals = tokenDecimals;
        _minter = minter;
    }

    function name() public view override returns (string memory) {
        return _tokenName.toString();
    }

    function symbol() public view override returns (string memory) {
        return _tokenSymbol.toString();
    }

    function decimals() public view override returns (uint8) {
        return _tokenDecimals;
    }

    function mint(address to, uint256 amount) external {
        require(msg.sender == _minter, "Token: caller is not the minter");
        _mint(to, amount);
    }
}
