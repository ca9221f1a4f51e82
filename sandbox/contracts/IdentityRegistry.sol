// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/**
 * The identity registry of ERC-8004, with the interface, events and revert reasons of version 2.0.0 on the real networks. An
 * agent is an ERC-721 token whose URI points to its registration file. The first id is 0. Setting the agent's wallet requires a
 * signature of that wallet.
 *
 * Name and version are immutables of EIP712, so the runtime code can be placed at any address.
 */
contract IdentityRegistry is ERC721URIStorage, EIP712 {
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    bytes32 private constant AGENT_WALLET_SET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
    bytes32 private constant AGENT_WALLET = keccak256("agentWallet");
    uint256 private constant MAX_DEADLINE_DELAY = 5 minutes;

    uint256 private _nextId;
    mapping(uint256 agentId => mapping(string key => bytes)) private _metadata;

    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event MetadataSet(
        uint256 indexed agentId,
        string indexed indexedMetadataKey,
        string metadataKey,
        bytes metadataValue
    );
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    constructor() ERC721("", "") EIP712("ERC8004IdentityRegistry", "1") {}

    function name() public pure override returns (string memory) {
        return "AgentIdentity";
    }

    function symbol() public pure override returns (string memory) {
        return "AGENT";
    }

    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    function register() external returns (uint256) {
        return _register("");
    }

    function register(string memory agentURI) external returns (uint256) {
        return _register(agentURI);
    }

    function register(string memory agentURI, MetadataEntry[] memory metadata) external returns (uint256 agentId) {
        agentId = _register(agentURI);
        for (uint256 i; i < metadata.length; i++) {
            _setMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
    }

    function getMetadata(uint256 agentId, string memory metadataKey) external view returns (bytes memory) {
        return _metadata[agentId][metadataKey];
    }

    function setMetadata(uint256 agentId, string memory metadataKey, bytes memory metadataValue) external {
        _requireAuthorized(_ownerOf(agentId), agentId);
        _setMetadata(agentId, metadataKey, metadataValue);
    }

    function setAgentURI(uint256 agentId, string calldata newURI) external {
        _requireAuthorized(ownerOf(agentId), agentId);
        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    function getAgentWallet(uint256 agentId) external view returns (address) {
        return address(bytes20(_metadata[agentId]["agentWallet"]));
    }

    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external {
        address owner = ownerOf(agentId);
        _requireAuthorized(owner, agentId);
        require(newWallet != address(0), "bad wallet");
        require(block.timestamp <= deadline, "expired");
        require(deadline <= block.timestamp + MAX_DEADLINE_DELAY, "deadline too far");
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(AGENT_WALLET_SET_TYPEHASH, agentId, newWallet, owner, deadline))
        );
        (address recovered, ECDSA.RecoverError err, ) = ECDSA.tryRecover(digest, signature);
        if (err != ECDSA.RecoverError.NoError || recovered != newWallet) {
            (bool ok, bytes memory result) = newWallet.staticcall(
                abi.encodeCall(IERC1271.isValidSignature, (digest, signature))
            );
            require(
                ok && result.length >= 32 && abi.decode(result, (bytes4)) == IERC1271.isValidSignature.selector,
                "invalid wallet sig"
            );
        }
        _setWallet(agentId, abi.encodePacked(newWallet));
    }

    function unsetAgentWallet(uint256 agentId) external {
        _requireAuthorized(ownerOf(agentId), agentId);
        _setWallet(agentId, "");
    }

    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool) {
        return _isAuthorized(ownerOf(agentId), spender, agentId);
    }

    function _register(string memory agentURI) private returns (uint256 agentId) {
        agentId = _nextId++;
        bytes memory wallet = abi.encodePacked(msg.sender);
        _metadata[agentId]["agentWallet"] = wallet;
        _safeMint(msg.sender, agentId);
        if (bytes(agentURI).length > 0) _setTokenURI(agentId, agentURI);
        emit Registered(agentId, agentURI, msg.sender);
        emit MetadataSet(agentId, "agentWallet", "agentWallet", wallet);
    }

    function _requireAuthorized(address owner, uint256 agentId) private view {
        require(
            msg.sender == owner || isApprovedForAll(owner, msg.sender) || msg.sender == getApproved(agentId),
            "Not authorized"
        );
    }

    function _setMetadata(uint256 agentId, string memory key, bytes memory value) private {
        require(keccak256(bytes(key)) != AGENT_WALLET, "reserved key");
        _metadata[agentId][key] = value;
        emit MetadataSet(agentId, key, key, value);
    }

    function _setWallet(uint256 agentId, bytes memory wallet) private {
        _metadata[agentId]["agentWallet"] = wallet;
        emit MetadataSet(agentId, "agentWallet", "agentWallet", wallet);
    }

    /** A transfer clears the agent's wallet, because only the previous owner proved control of it. */
    function _update(address to, uint256 agentId, address auth) internal override returns (address) {
        if (_ownerOf(agentId) != address(0) && to != address(0)) _setWallet(agentId, "");
        return super._update(to, agentId, auth);
    }
}
