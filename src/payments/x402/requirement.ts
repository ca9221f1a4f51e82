/** Payment requirements: the entries of a seller's `accepts` that Satchel supports. */
import type { Network } from "../../wallet/networks.ts";

export type X402Version = 1 | 2;
export type Scheme = "exact" | "upto";

/**
 * Transfer method: `eip3009` TransferWithAuthorization, `permit` EIP-2612 (the spender then calls transferFrom),
 * `permit2` a Permit2 witness transfer (version 2 only), `solana` a TransferChecked transaction.
 */
export type TransferMethod = "eip3009" | "permit" | "permit2" | "solana";

export type JsonObject = { [key: string]: unknown };

export interface Requirement {
  /** Position in `accepts`. */
  readonly index: number;
  readonly x402Version: X402Version;
  readonly scheme: Scheme;
  readonly method: TransferMethod;
  readonly network: Network;
  /** USDC on that network: an EIP-55 checksummed contract address or a base58 mint. */
  readonly asset: string;
  /** The price (`exact`) or the cap (`upto`) in the asset's smallest unit. */
  readonly amountAtomic: bigint;
  readonly amountMicroUsd: bigint;
  /** An EIP-55 checksummed or base58 address. */
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** The URL paid for, as the seller states it. */
  readonly resource: string | null;
  readonly description: string | null;
  /** The settling facilitator, if the entry names it: the spender of a `permit`, or the only caller a `permit2` witness allows. */
  readonly facilitator: `0x${string}` | null;
  /** Solana: the account that pays the fee and co-signs. */
  readonly feePayer: string | null;
  /** Solana: the required content of the memo instruction. */
  readonly memo: string | null;
  readonly echo: Echo;
}

/**
 * Members of the 402 response that the payment repeats unchanged, as X402 version 2 requires. `header-limit.ts` limits their size,
 * because the seller controls them.
 */
export interface Echo {
  /** Version 1: the network's name as the seller wrote it. */
  readonly network: string;
  /** Version 2: the chosen entry. */
  readonly accepted: JsonObject | null;
  /** Version 2: the seller's description of the resource, usually an object; null if absent. */
  readonly resource: unknown;
  /** Version 2: all extensions that the seller declares, known or not. A payment may add members to them. */
  readonly extensions: JsonObject | null;
}

/** Reason why an entry was not chosen; stable, for programs. */
export type RefusalReason =
  | "malformed"
  | "too_large"
  | "unsupported_scheme"
  | "unsupported_network"
  | "unsupported_transfer_method"
  | "unknown_asset"
  | "domain_mismatch"
  | "network_not_allowed"
  | "payee_not_allowed"
  | "spender_not_pinned"
  | "max_value_exceeded"
  | "costlier"
  | "not_preferred"
  | "fee_payer_conflict"
  | "permit2_allowance_missing";

export interface RefusedEntry {
  readonly index: number;
  readonly ok: false;
  readonly reason: RefusalReason;
  readonly message: string;
  /** The path of the invalid member, for `malformed`. */
  readonly field: string | null;
}

export type ParsedEntry =
  | { readonly index: number; readonly ok: true; readonly requirement: Requirement }
  | RefusedEntry;

export interface PaymentRequired {
  readonly entries: readonly ParsedEntry[];
  /** `accepts` exactly as received. */
  readonly accepts: readonly unknown[];
  /** The seller's error text, such as its reason for refusing a payment. */
  readonly error: string | null;
}
