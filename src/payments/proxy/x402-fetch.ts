import { checkX402FetchInput } from "./check-input.ts";
import { withTransaction } from "./errors.ts";
import { headersForCaller, headersForTarget, secretNames } from "./headers.ts";
import type { PaymentOutcome, X402FetchDeps, X402FetchInput, X402FetchResult } from "./ports.ts";
import { readPaymentRequired } from "./read-payment-required.ts";
import { sendPayment } from "./send-payment.ts";

/**
 * Nobody waits for this, and a caller does not lose a paid answer because it could not be written down: what the target
 * says only decides when the chain is asked, and a payment that stays `signed` is reconciled anyway. Never rejects.
 */
async function record<Viewer>(deps: X402FetchDeps<Viewer>, transactionId: string, outcome: PaymentOutcome) {
  try {
    await deps.payments.recordOutcome(transactionId, outcome);
  } catch (error) {
    deps.log.error({ err: error, transactionId, outcome: outcome.kind }, "payment outcome not recorded");
  }
}

/**
 * Calls an address and, if it answers 402, pays and calls it again (spec section 4.3). The final answer comes back
 * unchanged and streamed, hop-by-hop headers and cookies aside. One call makes at most one payment, whatever the target does.
 * @throws {InvalidRequestError | UrlNotAllowedError} the input.
 * @throws {TargetUnreachableError | TargetTimeoutError | TargetResponseInvalidError} no answer; with `transactionId`
 *   (PaidTarget…Error) when a payment was sent.
 * @throws {ServiceError} what `payFor` refuses with.
 */
export async function x402Fetch<Viewer>(
  deps: X402FetchDeps<Viewer>,
  viewer: Viewer,
  input: X402FetchInput,
): Promise<X402FetchResult> {
  checkX402FetchInput(input);
  const { egress, payments } = deps;
  const { signal, timeoutMs } = input;
  const deadlineMs = performance.now() + timeoutMs;
  const headers = headersForTarget(input.headers, input.body?.contentType ?? null);
  const unpaid = await egress.request({
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

  const { answer } = await readPaymentRequired(unpaid, deadlineMs - performance.now());
  signal?.throwIfAborted();
  const payment = await payments.payFor(viewer, {
    url: unpaid.url,
    method: unpaid.sent.method,
    paymentRequired: answer,
    maxValueAtomic: input.maxValueAtomic,
    idempotencyKey: input.idempotencyKey,
  });
  const { response, error, outcome } = await sendPayment(egress, unpaid, payment, { deadlineMs, signal });
  void record(deps, payment.transactionId, outcome);
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
