/** Calls and events of ERC-8004's identity registry, version 2 (erc-8004-contracts, `IdentityRegistryUpgradeable`). */
import { encodeFunctionData, type Hex, hashTypedData, type Log, parseAbi, parseEventLogs, stringToHex } from "viem";
import { registrationPath } from "./registration-file.ts";

export const registryAbi = parseAbi([
  "struct MetadataEntry { string metadataKey; bytes metadataValue; }",
  "function register(string agentURI, MetadataEntry[] metadata) returns (uint256 agentId)",
  "function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes signature)",
  "function unsetAgentWallet(uint256 agentId)",
  "function setAgentURI(uint256 agentId, string newURI)",
  "function tokenURI(uint256 agentId) view returns (string)",
  "function getAgentWallet(uint256 agentId) view returns (address)",
  "event Registered(uint256 indexed agentId, string agentURI, address indexed owner)",
]);

/** Metadata key with the agent's record id, which identifies a registration even if the service's base URL changes. */
const RECORD_KEY = "satchel.agent";

/** Validity of a wallet signature. The registry accepts at most 5 minutes (`MAX_DEADLINE_DELAY`); an expired one is signed again. */
const WALLET_SIGNATURE_SECONDS = 240n;

/** Encodes the call that registers an agent with the registration file at `uri`. */
export function encodeRegister(uri: string, agentRecordId: string): Hex {
  const metadata = [{ metadataKey: RECORD_KEY, metadataValue: stringToHex(agentRecordId) }];
  return encodeFunctionData({ abi: registryAbi, functionName: "register", args: [uri, metadata] });
}

/** Returns the id under which `owner` registered an agent, or undefined if the logs contain no such registration. */
export function findRegisteredAgentId(
  logs: readonly Log[],
  { registryAddress, agentRecordId, owner }: { registryAddress: string; agentRecordId: string; owner: string },
): bigint | undefined {
  const ofRegistry = logs.filter(({ address }) => address.toLowerCase() === registryAddress.toLowerCase());
  const registered = parseEventLogs({ abi: registryAbi, eventName: "Registered", logs: ofRegistry });
  return registered.find(
    ({ args }) =>
      args.agentURI.endsWith(registrationPath(agentRecordId)) && args.owner.toLowerCase() === owner.toLowerCase(),
  )?.args.agentId;
}

export interface WalletProof {
  readonly chainId: number;
  readonly registryAddress: Hex;
  readonly agentId: bigint;
  readonly newWallet: Hex;
  readonly owner: Hex;
  /** Unix seconds on the chain's clock. */
  readonly deadline: bigint;
}

/** Returns the deadline of a wallet proof in Unix seconds. @param blockTimestamp time of the latest block */
export function computeWalletDeadline(blockTimestamp: bigint): bigint {
  return blockTimestamp + WALLET_SIGNATURE_SECONDS;
}

/** Returns the EIP-712 digest that the wallet signs to be linked to the agent. */
export function hashWalletProof({ chainId, registryAddress, ...message }: WalletProof): Uint8Array {
  const digest = hashTypedData({
    domain: { name: "ERC8004IdentityRegistry", version: "1", chainId, verifyingContract: registryAddress },
    types: {
      AgentWalletSet: [
        { name: "agentId", type: "uint256" },
        { name: "newWallet", type: "address" },
        { name: "owner", type: "address" },
        { name: "deadline", type: "uint256" },
      ],
    },
    primaryType: "AgentWalletSet",
    message,
  });
  return Buffer.from(digest.slice(2), "hex");
}

/** Encodes the call that links the wallet to the agent. */
export function encodeSetAgentWallet({ agentId, newWallet, deadline }: WalletProof, signature: Hex): Hex {
  return encodeFunctionData({
    abi: registryAbi,
    functionName: "setAgentWallet",
    args: [agentId, newWallet, deadline, signature],
  });
}

/** Encodes the call that removes the agent's wallet. */
export function encodeUnsetAgentWallet(agentId: bigint): Hex {
  return encodeFunctionData({ abi: registryAbi, functionName: "unsetAgentWallet", args: [agentId] });
}

/** Encodes the call that changes the URL of the agent's registration file. */
export function encodeSetAgentUri(agentId: bigint, uri: string): Hex {
  return encodeFunctionData({ abi: registryAbi, functionName: "setAgentURI", args: [agentId, uri] });
}
