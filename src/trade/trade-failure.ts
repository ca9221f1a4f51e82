import { ServiceError } from "../platform/errors.ts";

/** Thrown if a swap is rejected before it is signed, or fails on chain. The message states which. */
export class TradeFailedError extends ServiceError {
  readonly code = "trade_failed";
  /** Null if nothing was sent to the chain. */
  readonly txHash: string | null;
  readonly tradeId: string | null;
  constructor(message: string, txHash: string | null = null, tradeId: string | null = null) {
    super(message);
    this.txHash = txHash;
    this.tradeId = tradeId;
  }
}
