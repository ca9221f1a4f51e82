/** Calls of a provider behind X402: its 402 response is paid like that of any other resource. */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { AccountViewer } from "../accounts/viewer.ts";
import { createPaymentPort } from "../payments/payment-port.ts";
import type { PaymentPort, Target } from "../payments/proxy/ports.ts";
import { x402Fetch } from "../payments/proxy/x402-fetch.ts";
import { decodePaymentResponse } from "../payments/x402/response.ts";
import { parseUsd } from "../platform/money.ts";
import { type Attempt, getBodyIdleMs, getStartTimeoutMs } from "./attempt.ts";
import type { GatewayDeps } from "./deps.ts";
import type { CallPayment } from "./payment.ts";
import { determineCostMicroUsd, getMaxPaymentMicroUsd, limitToReservation } from "./price.ts";

/** Short, because another provider may serve the call. */
const PAID_RETRY_MS = 2_000;
/** Limit of paid requests. A seller may hold a signed payment no longer. */
const MAX_TIMEOUT_MS = 120_000;

export interface ProviderResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Readable;
  readonly payment: CallPayment;
}

/** Calls the provider and pays. @throws the errors of `x402Fetch` and of payments, with `transactionId` if a payment was sent. */
export async function callWithX402(
  deps: GatewayDeps,
  account: AccountViewer,
  attempt: Attempt,
): Promise<ProviderResponse> {
  const { offer, bound, call, idempotencyKey, claim, signal } = attempt;
  const { provider, model } = offer;
  const core = createPaymentPort(deps, "gateway");
  const payments: PaymentPort<AccountViewer> = {
    async payFor(viewer, order) {
      const payment = await core.payFor(viewer, order);
      // Links the payment before it is sent: a charge is then always found by its call.
      await call.link(payment.transactionId, parseUsd(payment.amountPaidUsd, "amount"));
      return payment;
    },
    recordOutcome: (payment, outcome, delivery) => core.recordOutcome(payment, outcome, delivery),
    maySendAgain: (payment) => core.maySendAgain(payment),
    endAttempt: (payment, delivery) => core.endAttempt(payment, delivery),
  };
  const bodyIdleMs = getBodyIdleMs(deps.gateway, attempt.request);
  const target: Target = { request: (request) => deps.egress.request({ ...request, bodyIdleMs }) };
  const result = await x402Fetch({ target, payments, log: deps.logger }, account, {
    url: `${provider.baseUrl}/chat/completions`,
    method: "POST",
    // USDC's smallest unit is a micro-USD.
    maxValueAtomic: getMaxPaymentMicroUsd(bound.maxCostMicroUsd),
    timeoutMs: Math.min(getStartTimeoutMs(deps.gateway, attempt.request), MAX_TIMEOUT_MS),
    paidRetryMs: PAID_RETRY_MS,
    body: { bytes: Buffer.from(bound.text), contentType: "application/json" },
    headers: { accept: "application/json, text/event-stream" },
    idempotencyKey: idempotencyKey === null ? null : derivePaymentKey(idempotencyKey, provider.name),
    claim,
    signal,
  });
  const { status, headers, body, payment } = result;
  if (payment === null) return { status, headers, body, payment: createFreePayment() };
  const reservedMicroUsd = parseUsd(payment.amountPaidUsd, "amount");
  const charged =
    payment.scheme === "upto" ? (decodePaymentResponse(headers)?.chargedAtomic ?? null) : reservedMicroUsd;
  const knownMicroUsd = charged !== null && charged <= reservedMicroUsd ? charged : null;
  return {
    status,
    headers,
    body,
    payment: {
      transactionId: payment.transactionId,
      reservedMicroUsd,
      knownMicroUsd,
      // The ledger learns the provider's charge from the chain. This result is only reported to the caller.
      async settle(used) {
        return (
          knownMicroUsd ?? limitToReservation(determineCostMicroUsd(model.prices, used, bound.tier), reservedMicroUsd)
        );
      },
      release: async () => payment.transactionId,
    },
  };
}

/** Returns the payment of a free call: the model has no price, or the provider required no payment. */
export function createFreePayment(): CallPayment {
  return {
    transactionId: null,
    reservedMicroUsd: 0n,
    knownMicroUsd: 0n,
    settle: async () => 0n,
    release: async () => null,
  };
}

/** Derives the payment's idempotency key: one per caller key and provider, stable when a call is repeated after a crash. */
export function derivePaymentKey(idempotencyKey: string, provider: string): string {
  return `gateway:${provider}:${createHash("sha256").update(idempotencyKey).digest("hex")}`;
}
