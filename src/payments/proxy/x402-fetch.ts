import { ReceivedBody } from "../../platform/egress/body.ts";
import { IdempotencyInFlightError } from "../../platform/idempotency/claim.ts";
import { checkX402FetchInput } from "./check-input.ts";
import { withTransaction } from "./errors.ts";
import { headersForCaller, headersForTarget, secretNames } from "./headers.ts";
import type {
  AuthorizedPayment,
  Delivery,
  PaymentOutcome,
  Target,
  X402FetchDeps,
  X402FetchInput,
  X402FetchResult,
} from "./ports.ts";
import { readPaymentRequired } from "./read-payment-required.ts";
import { requestUnpaid } from "./request-unpaid.ts";
import { isTemporary, type PaidAttempts, sendPayment } from "./send-payment.ts";

const EQUAL_IN_FLIGHT =
  "An equal request of this token is still in flight, and may pay. This one paid nothing. If the response of the other one was lost, repeat this request in a few seconds. For another purchase pass an idempotency key.";

/**
 * Records the outcome in the background, so a failed write does not cost the caller a paid response. The outcome only decides
 * when the chain is checked; a payment that remains `signed` is reconciled anyway. Never rejects.
 */
async function recordOutcome<Viewer>(
  deps: X402FetchDeps<Viewer>,
  payment: AuthorizedPayment,
  outcome: PaymentOutcome,
  delivery: Delivery | null,
) {
  try {
    await deps.payments.recordOutcome(payment, outcome, delivery);
  } catch (error) {
    const { transactionId } = payment;
    deps.log.error({ err: error, transactionId, outcome: outcome.kind }, "Payment outcome not recorded");
  }
}

/** Returns what the caller receives. @param wasReceived whether the body is complete, so that it can be delivered */
function deliveryOf({ response }: PaidAttempts, target: Target, wasReceived: boolean): Delivery {
  if (response === null || !wasReceived) return "none";
  if (target.isUnfinished?.(response.status)) return "none";
  // A target that requires payment again may still redeem this one.
  if (response.status === 402 || isTemporary(response.status)) return "none";
  return response.status < 400 ? "delivered" : "refused";
}

/**
 * Requests a URL and, after a 402 response, pays and requests it again (spec section 4.3). Returns the final response as a stream,
 * unchanged except for removed headers (`headersForCaller`). One call makes at most one payment, regardless of the target.
 *
 * @throws {InvalidRequestError | UrlNotAllowedError} when the input is invalid.
 * @throws {IdempotencyInFlightError} when payment is required and an equal exclusive request is in flight.
 * @throws {TargetUnreachableError | TargetTimeoutError | TargetResponseInvalidError} when there is no usable response; with
 *   `transactionId` (PaidTarget…Error) if a payment was sent.
 * @throws {ServiceError} the errors of `payFor`.
 */
export async function x402Fetch<Viewer>(
  deps: X402FetchDeps<Viewer>,
  viewer: Viewer,
  input: X402FetchInput,
): Promise<X402FetchResult> {
  checkX402FetchInput(input);
  const { target, payments } = deps;
  const { signal, timeoutMs } = input;
  const deadlineMs = performance.now() + timeoutMs;
  const headers = headersForTarget(input.headers, input.body?.contentType ?? null);
  const { response: unpaid, payable } = await requestUnpaid(target, {
    url: input.url,
    method: input.method,
    headers,
    body: input.body?.bytes ?? null,
    secretHeaders: secretNames(headers),
    timeoutMs,
    signal,
  });
  if (unpaid.status !== 402) {
    const { status, body, url } = unpaid;
    return { status, headers: headersForCaller(unpaid.headers, null), body, url, payment: null };
  }

  const { paymentRequired } = await readPaymentRequired(unpaid, deadlineMs - performance.now());
  signal?.throwIfAborted();
  if (input.isEqualInFlight) throw new IdempotencyInFlightError(EQUAL_IN_FLIGHT);
  const payment = await payments.payFor(viewer, {
    url: unpaid.url,
    method: unpaid.sent.method,
    paymentRequired,
    maxValueAtomic: input.maxValueAtomic,
    idempotencyKey: input.idempotencyKey,
    claim: input.claim ?? null,
    request: input,
  });
  const retryUntilMs = performance.now() + (input.paidRetryMs ?? timeoutMs);
  const attempts = await sendPayment(target, payable, payment, {
    ...{ deadlineMs, retryUntilMs, signal },
    mayRepeat: () => payments.maySendAgain(payment),
  });
  const { response, error, outcome } = attempts;
  const isStreamed = response !== null && (input.delivered !== undefined || !(response.body instanceof ReceivedBody));
  const recording = recordOutcome(deps, payment, outcome, isStreamed ? null : deliveryOf(attempts, target, true));
  if (isStreamed) {
    // Destroyed without an error, the reader has what it needs. An abort by the caller destroys the body with an error.
    const endAttempt = async () => {
      const wasReceived = response.body.errored === null && (await (input.delivered ?? true));
      await payments.endAttempt(payment, deliveryOf(attempts, target, wasReceived));
    };
    response.body.once("close", () => {
      const ended = endAttempt();
      input.onEnding?.(ended);
    });
  } else input.onEnding?.(recording);
  // The caller may repeat its request at once: it then continues this payment, or its one-time token is used.
  if (error || response.status >= 400 || payment.isOneTime) await recording;
  if (error) throw withTransaction(error, payment.transactionId);
  const { transactionId, amountPaidUsd, network, scheme } = payment;
  return {
    status: response.status,
    headers: headersForCaller(response.headers, payment),
    body: response.body,
    url: response.url,
    payment: { transactionId, amountPaidUsd, network, scheme },
  };
}
