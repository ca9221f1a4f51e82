/** The chain interfaces that Satchel uses. `evm/chain.ts` and `solana/chain.ts` implement them over JSON-RPC. */
import { ServiceError } from "../platform/errors.ts";
import type { Fees } from "./evm/fees.ts";
import type { EvmRpc } from "./evm/rpc-client.ts";
import type { NetworkName } from "./networks.ts";
import type { SolanaRpc } from "./solana/rpc-client.ts";

/**
 * The network's RPC did not respond, or its response was invalid; the outcome of the call is unknown. The RPC library's
 * message and cause are omitted because they contain the RPC URL, which can include an API key. `reason` is the error's name.
 */
export class ChainUnavailableError extends ServiceError {
  readonly code: "chain_unavailable" | "network_degraded" = "chain_unavailable";
  readonly network: NetworkName;
  readonly reason: string;
  constructor(network: NetworkName, reason: string, message = `The network ${network} is unavailable.`) {
    super(message);
    this.network = network;
    this.reason = reason;
  }
}

/** A check of this service proved that the RPC serves another network or token, so no call reaches it. */
export class NetworkDegradedError extends ChainUnavailableError {
  override readonly code = "network_degraded";
  constructor(network: NetworkName) {
    super(
      network,
      "NetworkDegraded",
      `The network ${network} is disabled, because its RPC failed a check. Nothing was signed. The operator must correct the setting.`,
    );
  }
}

/** The network rejected the transfer. It was not executed, and the same transaction will not be executed later. */
export class TransferFailedError extends ServiceError {
  readonly code = "transfer_failed";
}

/**
 * The payer cannot pay the network's fee: its balance is too low, or the fee exceeds the maximum. Other transactions of the payer
 * fail too.
 */
export class NetworkFeeError extends TransferFailedError {}

/** The state of an authorization, determined from the chain alone. */
export type AuthorizationState =
  /**
   * The authorization was used: the money moved in `txHash`. A field is null if the chain proves the use but not the field,
   * because the RPC does not serve the old logs or states. A later check may find it. An amount that is still null one hour
   * after the expiry counts as the whole authorized amount, the most that can have been charged. Otherwise the hold would
   * never end. Zero means that the authorization was cancelled.
   */
  | { readonly state: "used"; readonly txHash: string | null; readonly chargedAtomic: bigint | null }
  /** Unused, and still usable; or used by a transaction that is not final yet. */
  | { readonly state: "open" }
  /** A permit was submitted. Its allowance never expires: the spender can draw from it until it is replaced or revoked. */
  | ({ readonly state: "granted" } & PermitGrant)
  /** Unused, and no longer usable. */
  | { readonly state: "dead" };

/** The allowance of a submitted permit at the newest final block. */
export interface PermitGrant {
  /** Amount that the spender can still draw. */
  readonly collectableAtomic: bigint;
  /** Whether the spender has drawn or the deadline has passed, so the seller expects no further charge. */
  readonly isRevocable: boolean;
  /** The owner's next permit nonce. */
  readonly nextNonce: bigint;
}

/** An allowance at one block. */
export interface Allowance {
  readonly collectableAtomic: bigint;
  /** The owner's next permit nonce. */
  readonly nextNonce: bigint;
  /** Timestamp of the block in Unix seconds. */
  readonly timestamp: bigint;
}

interface ChainCommon {
  readonly network: NetworkName;
  /** Returns a balance in the smallest unit. Reads are batched and cached for 1.5 seconds. */
  tokenBalanceAtomic(asset: string, owner: string): Promise<bigint>;
  nativeBalanceAtomic(owner: string): Promise<bigint>;
  /** Discards the cached balances of `owner`. Call it after a movement of money. */
  invalidateBalances(owner: string): void;
}

/** A transaction hash that a seller reported. If correct, it saves the log search; otherwise it has no effect. */
interface ClaimedSettlement {
  readonly claimedTxHash?: string | null;
}

/** An EIP-3009 transfer; `validBefore` in Unix seconds. */
export interface TransferAuthorizationQuery extends ClaimedSettlement {
  readonly asset: `0x${string}`;
  readonly from: `0x${string}`;
  readonly to: `0x${string}`;
  readonly valueAtomic: bigint;
  readonly nonce: `0x${string}`;
  readonly validBefore: bigint;
}

/** An EIP-2612 permit signed by `owner`; `deadline` in Unix seconds. */
export interface PermitQuery {
  readonly asset: `0x${string}`;
  readonly owner: `0x${string}`;
  readonly spender: `0x${string}`;
  readonly nonce: bigint;
  readonly deadline: bigint;
  /** The maximum amount. */
  readonly valueAtomic: bigint;
}

/** A Permit2 signature transfer from `owner` to `payTo`; `deadline` in Unix seconds. */
export interface Permit2Query extends ClaimedSettlement {
  readonly asset: `0x${string}`;
  readonly owner: `0x${string}`;
  /** The X402 contract that alone may use the signature. */
  readonly spender: `0x${string}`;
  readonly nonce: bigint;
  readonly deadline: bigint;
  readonly payTo: `0x${string}`;
  /** The maximum amount. */
  readonly valueAtomic: bigint;
}

/** A contract call by a Satchel wallet. */
export interface EvmCall {
  readonly from: `0x${string}`;
  readonly to: `0x${string}`;
  readonly data: `0x${string}`;
  /** Native coin in wei. Default: none. */
  readonly value?: bigint;
  /** Gas limit above which the call is rejected. Default: enough for a token transfer. */
  readonly maxGas?: bigint;
  /** Gas limit of a call that the node must not see before it is signed and committed. Default: an estimate by the node. */
  readonly gas?: bigint;
  /** Lowest usable nonce. Lower ones are reserved for transactions that the network may not know yet. */
  readonly minNonce?: number;
}

/** An EVM chain. Every method throws `ChainUnavailableError` when the RPC does not respond. */
export interface EvmChain extends ChainCommon {
  readonly kind: "evm";
  /** The RPC, for calls that only one domain needs. */
  readonly rpc: EvmRpc;
  /** Returns the next EIP-2612 nonce of `owner`. */
  permitNonce(asset: `0x${string}`, owner: `0x${string}`): Promise<bigint>;
  /** Returns the state of an EIP-3009 authorization. The chain's time decides about expiry, not the local clock. */
  transferAuthorizationState(query: TransferAuthorizationQuery): Promise<AuthorizationState>;
  /**
   * Returns the state of an EIP-2612 permit, identified by its sequential nonce, at the newest final block. It is used once
   * nothing is left of its allowance, with the sum of all draws. Until then a submitted permit is granted.
   */
  permitState(query: PermitQuery): Promise<AuthorizationState>;
  /** Returns the state of a Permit2 transfer, identified by its unordered nonce, and the amount that `payTo` received. */
  permit2State(query: Permit2Query): Promise<AuthorizationState>;
  /** Returns what `spender` can draw from `owner` at the latest block, with the owner's next permit nonce. */
  allowance(asset: `0x${string}`, owner: `0x${string}`, spender: `0x${string}`): Promise<Allowance>;
  /** Returns the token allowance of Permit2 for `owner`. */
  permit2AllowanceAtomic(asset: `0x${string}`, owner: `0x${string}`): Promise<bigint>;
  /**
   * Returns the call as a transaction with gas, fees and the pending nonce.
   *
   * @throws {TransferFailedError} when the network would reject it, or when gas or fees exceed their limit.
   */
  prepareCall(call: EvmCall): Promise<UnsignedEvmTransaction>;
  /**
   * Broadcasts a signed transaction and returns its hash. Sending the same bytes twice is not an error.
   * @throws {TransferFailedError} when the network rejects it for good. After a `ChainUnavailableError` the outcome is unknown.
   */
  broadcast(signed: `0x${string}`): Promise<`0x${string}`>;
  transactionState(txHash: `0x${string}`): Promise<"pending" | "succeeded" | "reverted" | "unknown">;
}

/** An unsigned EIP-1559 transaction of a Satchel wallet, with viem's field names. */
export interface UnsignedEvmTransaction extends Fees {
  readonly type: "eip1559";
  readonly chainId: number;
  readonly nonce: number;
  readonly to: `0x${string}`;
  readonly data: `0x${string}`;
  /** Wei. */
  readonly value: bigint;
  readonly gas: bigint;
}

/** An SPL token transfer that `payer` signed and that another fee payer completes. */
export interface SolanaTransferQuery extends ClaimedSettlement {
  /** Base58. */
  readonly payerSignature: string;
  readonly payer: string;
  readonly asset: string;
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
  readonly payTo: string;
  readonly amountAtomic: bigint;
}

/** A Solana cluster. Every method throws `ChainUnavailableError` when the RPC does not respond. */
export interface SolanaChain extends ChainCommon {
  readonly kind: "solana";
  /** The RPC, for calls that only one domain needs. */
  readonly rpc: SolanaRpc;
  /** Returns the address of the associated token account of `owner`, whether it exists or not. */
  tokenAccountAddress(asset: string, owner: string): Promise<string>;
  /** Returns the hash of the cluster's first block, which identifies the cluster. */
  genesisHash(): Promise<string>;
  latestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** Returns the token program that owns the mint, and the mint's decimals. */
  mint(asset: string): Promise<{ tokenProgram: string; decimals: number }>;
  /** Returns whether `owner` has the associated token account of `asset`. The result is not cached. */
  hasTokenAccount(asset: string, owner: string): Promise<boolean>;
  /**
   * Returns the state of a transfer, identified by the payer's signature. The transaction's id is the fee payer's signature
   * and unknown. The payer's token account is therefore searched for a transaction with the payer's signature.
   */
  transferState(query: SolanaTransferQuery): Promise<AuthorizationState>;
  /**
   * Broadcasts a fully signed transaction (base64) and returns its signature (base58). Sending the same bytes twice is no error.
   * @throws {TransferFailedError} when its simulation fails. After a `ChainUnavailableError` the outcome is unknown.
   */
  broadcast(signedBase64: string): Promise<string>;
  /** Returns the state of a transaction. `expired`: not on chain, and its blockhash is no longer valid. */
  signatureState(
    signature: string,
    lastValidBlockHeight: number,
  ): Promise<"pending" | "succeeded" | "reverted" | "expired">;
}

/**
 * The configured chains. `evm`, `solana` and `any` throw `UnsupportedNetworkError` for other networks, and
 * `NetworkDegradedError` for a network that failed its check.
 */
export interface Chains {
  readonly networks: readonly NetworkName[];
  evm(network: NetworkName): EvmChain;
  solana(network: NetworkName): SolanaChain;
  any(network: NetworkName): EvmChain | SolanaChain;
  /** Returns true if the network's check proved that its RPC serves something else. */
  isDegraded(network: NetworkName): boolean;
  /** Returns the chain also if its check failed, for the check itself and for caches. */
  unchecked(network: NetworkName): EvmChain | SolanaChain;
}
