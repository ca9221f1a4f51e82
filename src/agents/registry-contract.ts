/** ERC-8004's identity registry, version 2: what is asked of it, and what it says (erc-8004-contracts, `IdentityRegistryUpgradeable`). */
import { encodeFunctionData, type Hex, hashTypedData, type Log, parseAbi, parseEventLogs, stringToHex } from "viem";
import { registrationPath } from "./registration-file.ts";

export const registryAbi = parseAbi([
  "struct MetadataEntry { string metadataKey; bytes metadataValue; }",
  "function register(string agentURI, MetadataEntry[] metadata) returns (uint256 agentId)",
  "function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes signature)",
  "function getAgentWallet(uint256 agentId) view returns (address)",
  "event Registered(uint256 indexed agentId, string agentURI, address indexed owner)",
]);

/** The metadata by which a registration is known, should the service's address change. */
const RECORD_KEY = "satchel.agent";

/** Longest the registry accepts: a signature that waits longer is signed anew (`MAX_DEADLINE_DELAY`, 5 minutes). */
const WALLET_SIGNATURE_SECONDS = 240n;

/** The call that registers an agent whose file is at `uri`. */
export function encodeRegister(uri: string, agentRecordId: string): Hex {
  const metadata = [{ metadataKey: RECORD_KEY, metadataValue: stringToHex(agentRecordId) }];
  return encodeFunctionData({ abi: registryAbi, functionName: "register", args: [uri, metadata] });
}

/** The number under which an agent was registered by `owner`, if these logs of the registry say so. */
export function registrationIn(
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
  /** Unix seconds, by the chain's clock. */
  readonly deadline: bigint;
}

/** How long a wallet's proof is good, counted from the time of the latest block. */
export function walletDeadline(blockTimestamp: bigint): bigint {
  return blockTimestamp + WALLET_SIGNATURE_SECONDS;
}

/** What the wallet signs to be the agent's (EIP-712). */
export function walletProofDigest({ chainId, registryAddress, ...message }: WalletProof): Uint8Array {
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

/** The call that names the wallet as the agent's. */
export function encodeSetAgentWallet({ agentId, newWallet, deadline }: WalletProof, signature: Hex): Hex {
  return encodeFunctionData({
    abi: registryAbi,
    functionName: "setAgentWallet",
    args: [agentId, newWallet, deadline, signature],
  });
}
