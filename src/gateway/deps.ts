/** What the gateway's use cases need, beside what payments do. */
import type { CircuitBreakerPolicy } from "cockatiel";
import type { PaymentDeps } from "../payments/deps.ts";
import type { CallMeter } from "./call-meter.ts";
import type { CallLog } from "./calls.ts";
import type { Prices } from "./price.ts";

/** A model as one provider offers it. */
export interface OfferedModel {
  /** `<provider>/<model>`: what callers name it. */
  readonly id: string;
  /** What its provider calls it. */
  readonly upstreamId: string;
  readonly name: string;
  readonly ownedBy: string;
  /** Unix seconds. */
  readonly created: number;
  readonly contextLength: number;
  /** The longest answer; null where only the context bounds it. */
  readonly maxOutputTokens: number | null;
  readonly prices: Prices;
  /** What a picture of any size may count as. */
  readonly tokensPerPicture: number;
  readonly supportedParameters: readonly string[];
}

export interface Provider {
  readonly name: string;
  /** Without a trailing slash, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly kind: "x402" | "key";
  readonly apiKey: string | null;
  /** Opens when it fails time after time, so that callers need not wait for it. */
  readonly breaker: CircuitBreakerPolicy;
  /** What it offers: configured, or discovered and kept for a minute. Never rejects. */
  models(): Promise<readonly OfferedModel[]>;
}

export interface Gateway {
  /** In the order in which they are asked. */
  readonly providers: readonly Provider[];
  /** How long one provider has until it begins to answer. */
  readonly attemptTimeoutMs: number;
  /** The least that a call costs which the caller's wallet pays, and not free credit, at a provider with a key. */
  readonly walletMinimumMicroUsd: bigint;
  readonly calls: CallLog;
  readonly meter: CallMeter;
}

export type GatewayDeps = PaymentDeps & { readonly gateway: Gateway };
