/** Dependencies of the gateway, in addition to those of payments. */
import type { PaymentDeps } from "../payments/deps.ts";
import type { CallMeter } from "./call-meter.ts";
import type { CallLog } from "./calls.ts";
import type { Prices } from "./price.ts";
import type { ProviderHealth } from "./provider-health.ts";
import type { CostUnit } from "./usage.ts";

/** A model as one provider offers it. */
export interface OfferedModel {
  /** The public ID, `<provider>/<model>`. */
  readonly id: string;
  /** The provider's ID of the model. */
  readonly upstreamId: string;
  readonly name: string;
  readonly ownedBy: string;
  /** Release time in Unix seconds. */
  readonly created: number;
  readonly contextLength: number;
  /** Maximum completion length; null if only the context length bounds it. */
  readonly maxOutputTokens: number | null;
  readonly prices: Prices;
  /** Maximum tokens that an image of any size counts as. */
  readonly tokensPerPicture: number;
  readonly supportedParameters: readonly string[];
}

export interface Provider {
  readonly name: string;
  /** Without a trailing slash, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly kind: "x402" | "key";
  readonly apiKey: string | null;
  /** Unit of the cost that it reports, which is charged in place of the list price; null if it reports none. */
  readonly costUnit: CostUnit | null;
  /** Which models are skipped after repeated failures, without waiting for the provider. */
  readonly health: ProviderHealth;
  /** Returns the offered models: configured, or discovered and cached for one minute. Never rejects. */
  models(): Promise<readonly OfferedModel[]>;
}

export interface GatewayTimeouts {
  /** Start of a provider's stream. */
  readonly streamStartMs: number;
  /** A response that is not streamed. */
  readonly completionMs: number;
  /** Silence in a stream. */
  readonly idleMs: number;
  /** A response from its start to its end. A slow reader or an endless stream holds reserved funds and a connection. */
  readonly totalMs: number;
}

export interface Gateway {
  /** Providers in the order in which they are called. */
  readonly providers: readonly Provider[];
  readonly timeouts: GatewayTimeouts;
  /** Maximum calls of one account in flight, per node. */
  readonly maxCallsInFlight: number;
  /** Minimum cost of a call to a provider with an API key if the wallet pays, not free credit. */
  readonly walletMinimumMicroUsd: bigint;
  readonly calls: CallLog;
  readonly meter: CallMeter;
}

export type GatewayDeps = PaymentDeps & { readonly gateway: Gateway };
