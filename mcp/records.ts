/** What earlier calls with the same idempotency key left behind. Failures state it instead of an assumption. */

/** Records of one caller. */
export interface CallRecords {
  /** Returns the rows of the ledger under a key. */
  findOutlays(idempotencyKey: string): Promise<readonly Outlay[]>;
  /** Returns the id of the order or email that was stored under a key; null if there is none. */
  findStoredId(idempotencyKey: string): Promise<string | null>;
  /** Returns the confirmation of the order that was stored under a key; null if there is none. */
  findConfirmation(idempotencyKey: string): Promise<StoredConfirmation | null>;
  /**
   * Returns the merchant, the card and the default address of an order.
   * @param cardId null for the default card
   * @throws {ServiceError} if the merchant or the card cannot be used
   */
  findOrderParties(merchantId: string, cardId: string | null): Promise<OrderParties>;
}

export interface StoredConfirmation {
  readonly orderId: string;
  readonly text: string;
  /** Null: the caller stated the reply as the owner's own. */
  readonly source: string | null;
  readonly cardId: string | null;
}

/** What the service verified about an order, for the owner's confirmation. */
export interface OrderParties {
  readonly domain: string;
  readonly cardId: string;
  readonly cardLast4: string;
  /** The cardholder's address, with the initials of the recipient. */
  readonly home: { readonly recipient: string; readonly city: string; readonly countryCode: string };
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
