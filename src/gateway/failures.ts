/** Failures of the providers that were called for one request, and the error for the caller after the last one. */
import { PermitOutstandingError } from "../payments/refusals.ts";
import { MaxValueExceededError, NoAcceptableRequirementError } from "../payments/x402/choice.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { ForbiddenError, RateLimitedError, type ServiceError } from "../platform/errors.ts";
import { InsufficientBalanceError, SpendingLimitExceededError } from "../wallet/refusal-reason.ts";
import { ModelNotFoundError, ProviderFailedError, ProviderFault } from "./errors.ts";
import type { Offer } from "./models.ts";
import type { Suspension } from "./provider-health.ts";

export interface Failures {
  refusal: ServiceError | null;
  fault: ProviderFault | null;
  /** Why the last provider that was not called was skipped. */
  suspension: Suspension | null;
  /** IDs of payments that were sent to providers that then failed. */
  readonly paid: Set<string>;
}

/** Payment errors that depend on the price; the next provider may cost less. */
const PAYMENT_REFUSALS = [
  SpendingLimitExceededError,
  InsufficientBalanceError,
  MaxValueExceededError,
  NoAcceptableRequirementError,
  PermitOutstandingError,
  ForbiddenError,
];

const RETRY_AFTER_MS = 1_000;

/** Records a failure. Returns false if no other provider can succeed either. */
export function recordFailure(failures: Failures, error: unknown): boolean {
  if (error instanceof ProviderFault) {
    failures.fault = error;
    if (error.transactionId !== null) failures.paid.add(error.transactionId);
    return true;
  }
  if (!PAYMENT_REFUSALS.some((kind) => error instanceof kind)) return false;
  failures.refusal ??= error as ServiceError;
  return true;
}

const SUM_SETTLED: Statement = {
  name: "sum-settled-of-gateway-call",
  text: "SELECT sum(settled_micro_usd)::bigint AS cost FROM transactions WHERE id = ANY($1::text[]) AND status = 'settled'",
};

/** Returns what a failed call has cost so far: the payments that providers redeemed. Null if none was. */
export async function sumSettled(db: Database, transactionIds: readonly string[]): Promise<bigint | null> {
  if (transactionIds.length === 0) return null;
  const [row] = await db.query<{ cost: bigint | null }>(SUM_SETTLED, [[...transactionIds]]);
  return row?.cost ?? null;
}

/** Returns the error for the caller after all providers have failed. */
export function createFinalError(offers: readonly Offer[], failures: Failures): Error {
  const { refusal, fault, suspension, paid } = failures;
  const stated = fault?.reason ? ` The provider states: ${fault.reason}` : "";
  const [transactionId] = paid;
  if (transactionId !== undefined) {
    const nextStep = "A payment settles if its provider redeems it, and is released once it expires.";
    return new ProviderFailedError(`Every called provider failed after it was paid.${stated} ${nextStep}`, {
      transactionId,
    });
  }
  if (refusal) return refusal;
  const [offer] = offers;
  if (fault?.status === 404 && offer) return new ModelNotFoundError(offer.model.id, fault.reason);
  const retryAfterMs = fault ? fault.retryAfterMs : (suspension?.retryAfterMs ?? null);
  const isRateLimited = fault ? fault.status === 429 : suspension?.cause === "rate_limited";
  if (isRateLimited) {
    return new RateLimitedError(
      `The providers of this model are overloaded.${stated} No payment was made.`,
      retryAfterMs ?? RETRY_AFTER_MS,
    );
  }
  const subject = offers.length === 1 ? "The provider of this model" : "Every provider of this model";
  const failed = fault ? "failed" : "is suspended for some seconds after repeated failures";
  return new ProviderFailedError(`${subject} ${failed}.${stated} No payment was made.`, { retryAfterMs });
}
