/** The seller's settlement response. It is unverified until the chain confirms it. */
import { findNetwork, type NetworkName } from "../../wallet/networks.ts";
import { canonicalAddress } from "./addresses.ts";
import { type HeaderBag, headerValue } from "./headers.ts";
import { decodeBase64Json, isJsonObject } from "./json.ts";

const HEADER_NAMES = ["payment-response", "x-payment-response"] as const;
const MAX_HEADER_CHARS = 16 * 1024;
const MAX_REASON_CHARS = 200;

export interface PaymentResponse {
  readonly success: boolean;
  /** An EVM transaction hash or a base58 Solana signature; null if absent or neither. */
  readonly txHash: string | null;
  readonly payer: string | null;
  readonly network: NetworkName | null;
  readonly errorReason: string | null;
  /** `upto`: the charged amount in atomic units, as reported. */
  readonly chargedAtomic: bigint | null;
}

/** Decodes the settlement response header; returns null if it is absent or unreadable. */
export function decodePaymentResponse(headers: HeaderBag): PaymentResponse | null {
  for (const name of HEADER_NAMES) {
    const header = headerValue(headers, name);
    const value = header === undefined ? undefined : decodeBase64Json(header, MAX_HEADER_CHARS);
    if (isJsonObject(value)) return readResponse(value);
  }
  return null;
}

function readResponse(value: { [key: string]: unknown }): PaymentResponse {
  const { transaction, txHash, payer, network, errorReason, error, amount } = value;
  return {
    success: value["success"] === true,
    txHash: readTxHash(transaction) ?? readTxHash(txHash),
    payer: typeof payer === "string" ? canonicalAddress(payer) : null,
    network: (typeof network === "string" && findNetwork(network)?.name) || null,
    errorReason: readReason(errorReason) ?? readReason(error),
    chargedAtomic: typeof amount === "string" && /^\d{1,18}$/.test(amount) ? BigInt(amount) : null,
  };
}

function readTxHash(value: unknown): string | null {
  if (typeof value !== "string") return null;
  if (/^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase();
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(value) ? value : null;
}

function readReason(value: unknown): string | null {
  return typeof value === "string" && value.length > 0 ? value.slice(0, MAX_REASON_CHARS) : null;
}
