/** Interface of a DEX aggregator. `zero-ex.ts` implements it with 0x's Swap API v2. */
import { ServiceError } from "../platform/errors.ts";

/** No aggregator is configured. */
export class TradingNotConfiguredError extends ServiceError {
  readonly code = "trading_not_configured";
  constructor() {
    super("Trading is not configured on this service. The operator sets DEX_URL and DEX_API_KEY.");
  }
}

/** The aggregator did not respond, or its response is unusable. No payment was made. */
export class DexUnavailableError extends ServiceError {
  readonly code = "dex_unavailable";
  /** Short reason for the log. Never text from the aggregator. */
  readonly reason: string;
  constructor(reason: string) {
    super("The exchange is unavailable. No payment was made. Retry later.");
    this.reason = reason;
  }
}

/** The aggregator has no liquidity for these tokens and this amount. */
export class NoMarketError extends Error {
  readonly isTooLittle: boolean;
  constructor(isTooLittle: boolean) {
    super("The aggregator has no liquidity.");
    this.isTooLittle = isTooLittle;
  }
}

export interface SwapTerms {
  readonly sellToken: `0x${string}`;
  readonly buyToken: `0x${string}`;
  readonly sellAtomic: bigint;
  readonly slippageBps: number;
  readonly taker: `0x${string}`;
}

export interface DexFee {
  readonly kind: "integrator" | "exchange" | "gas";
  readonly amountAtomic: bigint;
  readonly token: `0x${string}`;
}

export interface DexFill {
  readonly source: string;
  readonly proportionBps: number;
}

/** Indicative result of a swap. Amounts in smallest units. */
export interface DexPrice {
  readonly sellToken: string;
  readonly buyToken: string;
  readonly sellAtomic: bigint;
  readonly buyAtomic: bigint;
  readonly minBuyAtomic: bigint;
  readonly fees: readonly DexFee[];
  /** Estimated network fee in wei; null if the aggregator does not state it. */
  readonly networkFeeWei: bigint | null;
  readonly route: readonly DexFill[];
}

/** A price with the transaction that executes it. Untrusted until `checkQuote`. */
export interface DexQuote extends DexPrice {
  /** The contract to approve for the sold token; null if no approval is needed. */
  readonly spender: string | null;
  readonly transaction: {
    readonly to: string;
    readonly data: `0x${string}`;
    readonly valueWei: bigint;
    readonly gas: bigint;
  };
}

/** Both methods throw `DexUnavailableError`, and `NoMarketError` when there is no liquidity. */
export interface Dex {
  price(terms: SwapTerms): Promise<DexPrice>;
  quote(terms: SwapTerms): Promise<DexQuote>;
}
