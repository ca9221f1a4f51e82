import { ServiceError } from "../platform/errors.ts";

/** The swap was refused before it was signed, or failed on chain; the message says which. */
export class TradeFailedError extends ServiceError {
  readonly code = "trade_failed";
  /** Null when nothing reached the chain. */
  readonly txHash: string | null;
  readonly tradeId: string | null;
  constructor(message: string, txHash: string | null = null, tradeId: string | null = null) {
    super(message);
    this.txHash = txHash;
    this.tradeId = tradeId;
  }
}
