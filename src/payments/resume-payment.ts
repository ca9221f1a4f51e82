/** Resumption of a purchase, under its Idempotency-Key or by an equal request. It returns the same signed bytes and never creates a second authorization. */
import type { Transaction } from "../../generated/prisma/client.ts";
import { assertNotFrozen } from "../accounts/freeze/freeze-state.ts";
import type { AccountViewer } from "../accounts/viewer.ts";
import { InvalidRequestError } from "../platform/errors.ts";
import { IdempotencyKeyReusedError } from "../platform/idempotency/claim.ts";
import { takeOverAttempt } from "../wallet/attempts.ts";
import { NETWORKS } from "../wallet/networks.ts";
import type { PaymentDeps } from "./deps.ts";
import { partiesOf, type SignedPayment, signAndRecord } from "./signed-payment.ts";
import { authorizationExpiry, readStoredAuthorization } from "./x402/authorization.ts";
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
 * @throws {AccountFrozenError | ServiceFrozenError} the stored bytes are not sent again while the account is frozen
 */
export async function resumePayment(
  deps: PaymentDeps,
  { accountId, budgetId }: AccountViewer,
  { url, maxValueAtomic, idempotencyKey, type = "x402" }: ResumedOrder,
): Promise<SignedPayment> {
  await assertNotFrozen(deps.db, accountId);
  const row = await deps.db.prisma.transaction.findUniqueOrThrow({
    where: { accountId_idempotencyKey: { accountId, idempotencyKey } },
  });
  const isTooExpensive = exceeds(row, maxValueAtomic);
  if (row.type !== type || row.resource !== url || !row.budgetIds.includes(budgetId) || isTooExpensive) {
    throw new IdempotencyKeyReusedError();
  }
  if (row.status === "released" || row.status === "failed" || row.walletId === null) {
    throw new IdempotencyKeyReusedError(
      "The payment under this Idempotency-Key has ended and cannot be continued. Check its status, or use a new key.",
    );
  }
  return await signAgain(deps, row);
}

/**
 * Continues the payment of an equal earlier request with its next attempt. Returns null if another request began it before, or the
 * payment can no longer continue.
 * @throws {InvalidRequestError} when the payment exceeds `maxValueAtomic`
 */
export async function resumeRequest(
  deps: PaymentDeps,
  transactionId: string,
  maxValueAtomic: bigint | null,
): Promise<SignedPayment | null> {
  const row = await deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: transactionId } });
  if (exceeds(row, maxValueAtomic)) {
    throw new InvalidRequestError(
      "maxValue is lower than the earlier payment for this request, which can continue. No further payment was made. Repeat the request with the earlier maxValue, or after that payment expires.",
      "maxValue",
    );
  }
  const attempt = await takeOverAttempt(deps.db, transactionId);
  return attempt && { ...(await signAgain(deps, row)), attempt };
}

function exceeds({ amountAtomic }: Transaction, maxValueAtomic: bigint | null): boolean {
  return maxValueAtomic !== null && BigInt(amountAtomic.toFixed(0)) > maxValueAtomic;
}

/** Reproduces the signed bytes of a payment. */
async function signAgain(deps: PaymentDeps, row: Transaction): Promise<SignedPayment> {
  const { accountId, walletId } = row;
  if (walletId === null) throw new Error("The payment has no wallet.");
  const stored = readStoredAuthorization(row.authorization);
  const signer = await deps.wallets.payer({ accountId, walletId });
  const signature =
    row.signature ??
    (row.status === "reserved"
      ? await signAndRecord(deps, row.id, stored, signer)
      : await signAuthorization(stored.authorization, signer, deps.vault));
  return {
    transactionId: row.id,
    attempt: null,
    encoded: encodePayment(stored, signature),
    expiresAt: authorizationExpiry(stored.authorization),
    scheme: stored.scheme,
    network: stored.network,
    amountAtomic: BigInt(row.amountAtomic.toFixed(0)),
    amountMicroUsd: row.amountMicroUsd,
    ...partiesOf(NETWORKS[stored.network], await deps.wallets.ofAccount(accountId), signer),
  };
}
