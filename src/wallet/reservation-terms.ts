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
  /** See `Transaction.permitSlot`. */
  readonly permitSlot: string | null;
  /** See `Transaction.purchaseTokenId`. */
  readonly purchaseTokenId: string | null;
  readonly validBefore: Date | null;
  readonly idempotencyKey: string | null;
}
