import type { NetworkName } from "./networks.ts";

/** What is to be reserved, on whose account, out of what. */
export interface Reservation {
  readonly accountId: string;
  readonly type: "x402" | "transfer" | "trade" | "gateway";
  readonly network: NetworkName;
  readonly asset: string;
  readonly amountAtomic: bigint;
  readonly amountMicroUsd: bigint;
  readonly budgetIds: readonly string[];
  /** Credit pays it all, or the wallet does with what the chain says it holds. */
  readonly source:
    | { readonly kind: "credit"; readonly walletId: string }
    | {
        readonly kind: "wallet";
        readonly walletId: string;
        readonly balanceAtomic: bigint;
        /** The settlement (`StaleBalanceError.settledAt`) after which the balance was read; null: no matter which. */
        readonly readAfter: Date | null;
      };
  readonly scheme: string | null;
  readonly resource: string | null;
  readonly payTo: string;
  readonly description: string | null;
  /** What the signature will cover: enough to make the same bytes again. */
  readonly authorization: object;
  readonly nonce: string | null;
  /**
   * Whether it is `signed` from the moment it commits. For an authorization that is whole, whose signature follows from it, and whose
   * own random nonce tells what became of it: what a crash leaves of one is looked up as if it had been sent. Spares a second
   * commit before the signature may leave. Default false: given back after a minute, unless a signature is recorded.
   */
  readonly countsAsSigned?: boolean;
  /** See `Transaction.permitSlot`. */
  readonly permitSlot: string | null;
  /** See `Transaction.purchaseTokenId`. */
  readonly purchaseTokenId: string | null;
  readonly validBefore: Date | null;
  readonly idempotencyKey: string | null;
}
