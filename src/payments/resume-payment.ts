/** Resumption of a purchase under its Idempotency-Key. It returns the same signed bytes and never creates a second authorization. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { IdempotencyKeyReusedError } from "../platform/idempotency/claim.ts";
import { NETWORKS } from "../wallet/networks.ts";
import type { PaymentDeps } from "./deps.ts";
import { partiesOf, type SignedPayment, signAndRecord } from "./signed-payment.ts";
import { readStoredAuthorization } from "./x402/authorization.ts";
import { encodePayment } from "./x402/payload.ts";
import { signAuthorization } from "./x402/sign.ts";

/** The order's fields that must match the stored payment. */
interface ResumedOrder {
  readonly url: string;
  readonly maxValueAtomic: bigint | null;
  readonly idempotencyKey: string;
  readonly type?: "x402" | "gateway";
}

/**
 * Returns the signed payment stored under the Idempotency-Key.
 * @throws {IdempotencyKeyReusedError} when the stored payment has another URL, type or credential, exceeds `maxValueAtomic`,
 *   or was released.
 */
export async function resumePayment(
  deps: PaymentDeps,
  { accountId, budgetId }: AccountViewer,
  { url, maxValueAtomic, idempotencyKey, type = "x402" }: ResumedOrder,
): Promise<SignedPayment> {
  const row = await deps.db.prisma.transaction.findUniqueOrThrow({
    where: { accountId_idempotencyKey: { accountId, idempotencyKey } },
  });
  const isTooExpensive = maxValueAtomic !== null && BigInt(row.amountAtomic.toFixed(0)) > maxValueAtomic;
  if (row.type !== type || row.resource !== url || !row.budgetIds.includes(budgetId) || isTooExpensive) {
    throw new IdempotencyKeyReusedError();
  }
  if (row.status === "released" || row.status === "failed" || row.walletId === null) {
    throw new IdempotencyKeyReusedError(
      "The payment under this Idempotency-Key has ended and cannot be continued. Check its status, or use a new key.",
    );
  }
  const stored = readStoredAuthorization(row.authorization);
  const signer = await deps.wallets.payer({ accountId, walletId: row.walletId });
  const signature =
    row.signature ??
    (row.status === "reserved"
      ? await signAndRecord(deps, row.id, stored, signer)
      : await signAuthorization(stored.authorization, signer, deps.vault));
  return {
    transactionId: row.id,
    encoded: encodePayment(stored, signature),
    scheme: stored.scheme,
    network: stored.network,
    amountAtomic: BigInt(row.amountAtomic.toFixed(0)),
    amountMicroUsd: row.amountMicroUsd,
    ...partiesOf(NETWORKS[stored.network], await deps.wallets.ofAccount(accountId), signer),
  };
}
