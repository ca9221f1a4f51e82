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

/**
 * Reason for which an aggregator refuses a swap. `too_little`, `invalid_amount`: the amount. `unknown_token`, `restricted_token`: a
 * token that it does not know, or may not trade for legal reasons. `insufficient_balance`: of the sold token. `taker`: the wallet.
 */
export type DexRefusalReason =
  | "no_liquidity"
  | "too_little"
  | "invalid_amount"
  | "unknown_token"
  | "restricted_token"
  | "insufficient_balance"
  | "taker";

/** The aggregator refuses the swap. The same request is refused again. */
export class DexRefusalError extends Error {
  readonly reason: DexRefusalReason;
  /** The token that caused it; null if unknown, or for other reasons. */
  readonly side: "sellToken" | "buyToken" | null;
  constructor(reason: DexRefusalReason, side: "sellToken" | "buyToken" | null = null) {
    super(`The aggregator refuses the swap: ${reason}.`);
    this.reason = reason;
    this.side = side;
  }
}

/** The stated amount of a swap: what is sold, or what is bought at least. */
export interface SwapAmount {
  readonly side: "sell" | "buy";
  readonly atomic: bigint;
}

export interface SwapTerms {
  readonly sellToken: `0x${string}`;
  readonly buyToken: `0x${string}`;
  readonly amount: SwapAmount;
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
  /** What the wallet must hold and approve. Above `sellAtomic` only for a stated amount to buy; the surplus is returned. */
  readonly maxSellAtomic: bigint;
  readonly buyAtomic: bigint;
  readonly minBuyAtomic: bigint;
  readonly fees: readonly DexFee[];
  /** Estimated network fee in wei; null if the aggregator does not state it. */
  readonly networkFeeWei: bigint | null;
  readonly route: readonly DexFill[];
  /** Taxes that the tokens' contracts deduct in this swap, in basis points; null if the aggregator does not state them. */
  readonly sellTaxBps: number | null;
  readonly buyTaxBps: number | null;
  /** Whether the aggregator finds too low a balance of the sold token. */
  readonly lacksBalance: boolean;
  /** Whether the aggregator simulated the swap. */
  readonly isSimulated: boolean;
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

/** Both methods throw `DexUnavailableError`, `DexRefusalError`, and `TradingNotConfiguredError` if the API key is invalid. */
export interface Dex {
  price(terms: SwapTerms): Promise<DexPrice>;
  quote(terms: SwapTerms): Promise<DexQuote>;
}
