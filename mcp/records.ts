/** What earlier calls with the same idempotency key left behind. Failures state it instead of an assumption. */

/** Records of one caller. */
export interface CallRecords {
  /** Returns the rows of the ledger under a key. */
  findOutlays(idempotencyKey: string): Promise<readonly Outlay[]>;
  /** Returns the id of the order or email that was stored under a key; null if there is none. */
  findStoredId(idempotencyKey: string): Promise<string | null>;
}

export type OutlayStatus = "reserved" | "signed" | "settled" | "released" | "failed";

/** A row of the ledger. */
export interface Outlay {
  readonly transactionId: string;
  readonly status: OutlayStatus;
  /** Null unless the row belongs to a trade. */
  readonly trade: TradeOutlay | null;
}

export interface TradeOutlay {
  readonly tradeId: string;
  /** Null until the swap is signed. */
  readonly txHash: string | null;
  /** Amounts such as `3 USDC`; null until the swap is mined, and if it was not executed. */
  readonly sold: string | null;
  readonly bought: string | null;
  /** Payments of the wallet for native coin, such as `0.02 USDC`. */
  readonly networkFees: readonly { readonly transactionId: string; readonly amount: string }[];
}
