import type { ClaimFence } from "../platform/idempotency/claim.ts";
import type { NetworkName } from "./networks.ts";

/** A reservation of money: the account, the payment and the source of the money. */
export interface Reservation {
  readonly accountId: string;
  readonly type: "x402" | "transfer" | "trade" | "gateway";
  readonly network: NetworkName;
  readonly asset: string;
  readonly amountAtomic: bigint;
  readonly amountMicroUsd: bigint;
  readonly budgetIds: readonly string[];
  /** Credit pays the whole amount, or the wallet pays it from the on-chain balance. */
  readonly source:
    | { readonly kind: "credit"; readonly walletId: string }
    | {
        readonly kind: "wallet";
        readonly walletId: string;
        readonly balanceAtomic: bigint;
        /** The settlement after which the balance was read (`StaleBalanceError.settledAt`). Null: no known settlement. */
        readonly readAfter: Date | null;
      };
  readonly scheme: string | null;
  readonly resource: string | null;
  readonly payTo: string;
  readonly description: string | null;
  /** The data that the signature will cover, complete enough to reproduce the signed bytes. */
  readonly authorization: object;
  readonly nonce: string | null;
  /**
   * Whether the row has the status `signed` on commit. This saves a second commit before the signature may leave the process.
   * Only for a complete authorization with a deterministic signature and its own random nonce. After a crash the chain is
   * checked for the nonce as if the payment had been sent. Default false: the reservation is released after one minute
   * unless a signature is recorded.
   */
  readonly countsAsSigned?: boolean;
  /** See `Transaction.permitSlot`. */
  readonly permitSlot: string | null;
  /** See `Transaction.purchaseTokenId`. */
  readonly purchaseTokenId: string | null;
  readonly validBefore: Date | null;
  readonly idempotencyKey: string | null;
  /** The request's claim on an idempotency key. Without it nothing is reserved once another request has the key. Default null. */
  readonly claim?: ClaimFence | null;
  /** See `Transaction.requestSha256`. The reservation begins the first attempt. Default null. */
  readonly requestSha256?: Uint8Array | null;
}
