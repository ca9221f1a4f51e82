import { ServiceError } from "../platform/errors.ts";

/** The swap was refused before it was signed, or failed on chain; the message states the case. */
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
