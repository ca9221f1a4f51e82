/** What trading asks of a DEX aggregator. `zero-ex.ts` answers over 0x's Swap API v2. */
import { ServiceError } from "../platform/errors.ts";

/** No aggregator is configured. */
export class TradingNotConfiguredError extends ServiceError {
  readonly code = "trading_not_configured";
  constructor() {
    super("Trading is not set up on this installation.");
  }
}

/** The aggregator did not answer, or not sensibly. No money moved. */
export class DexUnavailableError extends ServiceError {
  readonly code = "dex_unavailable";
  /** For the log: never what the aggregator said itself. */
  readonly reason: string;
  constructor(reason: string) {
    super("The exchange cannot be reached right now. No money moved.");
    this.reason = reason;
  }
}

/** Nobody exchanges these tokens in this amount. */
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

/** What a swap would bring. Amounts in smallest units. */
export interface DexPrice {
  readonly sellToken: string;
  readonly buyToken: string;
  readonly sellAtomic: bigint;
  readonly buyAtomic: bigint;
  readonly minBuyAtomic: bigint;
  readonly fees: readonly DexFee[];
  /** What the transaction would cost, in wei; null when it is not said. */
  readonly networkFeeWei: bigint | null;
  readonly route: readonly DexFill[];
}

/** A price with the transaction that takes it. Nothing in it is believed before `checkQuote`. */
export interface DexQuote extends DexPrice {
  /** Who is to be allowed to take the sold token; null when nobody need be. */
  readonly spender: string | null;
  readonly transaction: {
    readonly to: string;
    readonly data: `0x${string}`;
    readonly valueWei: bigint;
    readonly gas: bigint;
  };
}

/** Each throws `DexUnavailableError`, or `NoMarketError` when there is nothing to trade with. */
export interface Dex {
  price(terms: SwapTerms): Promise<DexPrice>;
  quote(terms: SwapTerms): Promise<DexQuote>;
}
