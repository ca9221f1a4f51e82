/** What Satchel asks of a chain. `evm-chain.ts` and `solana-chain.ts` answer over the network's real JSON-RPC. */
import { ServiceError } from "../platform/errors.ts";
import type { Fees } from "./evm/fees.ts";
import type { EvmRpc } from "./evm/rpc-client.ts";
import type { NetworkName } from "./networks.ts";

/**
 * The network's RPC did not answer, or not sensibly; nothing is known. Neither message nor cause comes from the RPC library,
 * whose errors show the URL, which may hold a key. `reason` is the name of its error.
 */
export class ChainUnavailableError extends ServiceError {
  readonly code = "chain_unavailable";
  readonly network: NetworkName;
  readonly reason: string;
  constructor(network: NetworkName, reason: string) {
    super(`The network ${network} cannot be reached right now.`);
    this.network = network;
    this.reason = reason;
  }
}

/** The network refused the transfer: it was not, and as it stands will not be, carried out. */
export class TransferFailedError extends ServiceError {
  readonly code = "transfer_failed";
}

/** How an authorization stands on chain, judged from the chain alone. */
export type AuthorizationState =
  /**
   * Taken: the money moved in `txHash`. Null is what the chain does not show (its logs do not reach back, or are not served; a
   * node keeps no states of old blocks), though it proves the use; a later look may show it. An amount that is still null an
   * hour after the authorization ended counts as the whole authorized amount: no more can have been taken, and what was
   * promised must not stay promised for ever. Zero: it was cancelled.
   */
  | { readonly state: "used"; readonly txHash: string | null; readonly chargedAtomic: bigint | null }
  /** Not taken, and still could be. */
  | { readonly state: "open" }
  /** Not taken, and the chain will never take it any more. */
  | { readonly state: "dead" };

interface ChainCommon {
  readonly network: NetworkName;
  /** Balances in smallest units, batched into few calls and cached for a second or two. */
  tokenBalanceAtomic(asset: string, owner: string): Promise<bigint>;
  nativeBalanceAtomic(owner: string): Promise<bigint>;
  /** Forgets cached balances of `owner`: call when money moved. */
  forgetBalances(owner: string): void;
}

/** Where somebody says the money moved. It spares the search when true, and changes nothing when not. */
interface Claim {
  readonly claimedTxHash?: string | null;
}

/** An EIP-3009 transfer; `validBefore` in Unix seconds. */
export interface TransferAuthorizationQuery extends Claim {
  readonly asset: `0x${string}`;
  readonly from: `0x${string}`;
  readonly to: `0x${string}`;
  readonly valueAtomic: bigint;
  readonly nonce: `0x${string}`;
  readonly validBefore: bigint;
}

/** An EIP-2612 permit of `owner`; `deadline` in Unix seconds. */
export interface PermitQuery {
  readonly asset: `0x${string}`;
  readonly owner: `0x${string}`;
  readonly spender: `0x${string}`;
  readonly nonce: bigint;
  readonly deadline: bigint;
  /** The cap. */
  readonly valueAtomic: bigint;
}

/** A Permit2 signature transfer of `owner` to `payTo`; `deadline` in Unix seconds. */
export interface Permit2Query extends Claim {
  readonly asset: `0x${string}`;
  readonly owner: `0x${string}`;
  /** X402's contract that alone may take it. */
  readonly spender: `0x${string}`;
  readonly nonce: bigint;
  readonly deadline: bigint;
  readonly payTo: `0x${string}`;
  /** The cap. */
  readonly valueAtomic: bigint;
}

/** A call of a contract by one of our own wallets. */
export interface EvmCall {
  readonly from: `0x${string}`;
  readonly to: `0x${string}`;
  readonly data: `0x${string}`;
  /** More gas than this is refused; default: enough for a transfer of tokens. */
  readonly maxGas?: bigint;
  /** Nonces below are promised to transactions that the network may not know yet. */
  readonly minNonce?: number;
}

/** Every method throws `ChainUnavailableError` when the RPC does not answer. */
export interface EvmChain extends ChainCommon {
  readonly kind: "evm";
  /** For what only one domain asks of the chain. */
  readonly rpc: EvmRpc;
  /** The next EIP-2612 nonce of `owner`. */
  permitNonce(asset: `0x${string}`, owner: `0x${string}`): Promise<bigint>;
  /** EIP-3009: has `nonce` of `from` been used, where, and could it still be? Chain time decides, not ours. */
  transferAuthorizationState(query: TransferAuthorizationQuery): Promise<AuthorizationState>;
  /**
   * EIP-2612: was this permit (its sequential nonce) used, and how much did `spender` take from `owner` by it? Stays
   * open when it was submitted and nothing was taken yet: the allowance outlives the deadline.
   */
  permitState(query: PermitQuery): Promise<AuthorizationState>;
  /** Permit2: was this unordered nonce of `owner` used, and how much did `payTo` receive by it? */
  permit2State(query: Permit2Query): Promise<AuthorizationState>;
  /** What the token lets Permit2 take from `owner`. */
  permit2AllowanceAtomic(asset: `0x${string}`, owner: `0x${string}`): Promise<bigint>;
  /**
   * The call with gas, fees and the pending nonce filled in.
   * @throws {TransferFailedError} when the network would refuse it, or asks for absurd fees.
   */
  prepareCall(call: EvmCall): Promise<UnsignedEvmTransaction>;
  /**
   * Broadcasts signed bytes; sending the same bytes twice is not an error. Answers the hash.
   * @throws {TransferFailedError} when the network refuses them for good. After a `ChainUnavailableError` the outcome is unknown.
   */
  broadcast(signed: `0x${string}`): Promise<`0x${string}`>;
  transactionState(txHash: `0x${string}`): Promise<"pending" | "succeeded" | "reverted" | "unknown">;
}

/** An EIP-1559 transaction of one of our own wallets, before it is signed; fields as viem names them. */
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

/** An SPL token transfer of `payer`, who signed it and left the fee payer's signature to another. */
export interface SolanaTransferQuery extends Claim {
  /** Base58. */
  readonly payerSignature: string;
  readonly payer: string;
  readonly asset: string;
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
  readonly payTo: string;
  readonly amountAtomic: bigint;
}

/** Every method throws `ChainUnavailableError` when the RPC does not answer. */
export interface SolanaChain extends ChainCommon {
  readonly kind: "solana";
  latestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** Token program that owns the mint, and its decimals. */
  mint(asset: string): Promise<{ tokenProgram: string; decimals: number }>;
  /** Whether `owner` has the associated account that tokens of `asset` are sent to. Read afresh. */
  hasTokenAccount(asset: string, owner: string): Promise<boolean>;
  /**
   * The state of a transfer identified by the payer's signature. The fee payer's signature names the transaction, so the
   * payer's token account is searched for one that carries the payer's.
   */
  transferState(query: SolanaTransferQuery): Promise<AuthorizationState>;
  /**
   * Broadcasts a fully signed transaction (base64); sending the same bytes twice is not an error. Answers the signature (base58).
   * @throws {TransferFailedError} when its simulation fails. After a `ChainUnavailableError` the outcome is unknown.
   */
  broadcast(signedBase64: string): Promise<string>;
  /** `expired`: not on chain, and too late to get there. */
  signatureState(
    signature: string,
    lastValidBlockHeight: number,
  ): Promise<"pending" | "succeeded" | "reverted" | "expired">;
}

/** The chains that are configured. `evm`, `solana` and `any` throw `UnsupportedNetworkError` for the others. */
export interface Chains {
  readonly networks: readonly NetworkName[];
  evm(network: NetworkName): EvmChain;
  solana(network: NetworkName): SolanaChain;
  any(network: NetworkName): EvmChain | SolanaChain;
}
