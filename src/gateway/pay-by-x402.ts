/** A provider behind X402: the call itself meets the 402, and is paid as any resource is. */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { AccountViewer } from "../accounts/viewer.ts";
import { createPaymentPort } from "../payments/payment-port.ts";
import type { PaymentPort } from "../payments/proxy/ports.ts";
import { x402Fetch } from "../payments/proxy/x402-fetch.ts";
import { decodePaymentResponse } from "../payments/x402/response.ts";
import { parseUsd } from "../platform/money.ts";
import type { Attempt } from "./attempt.ts";
import type { GatewayDeps } from "./deps.ts";
import type { CallPayment } from "./payment.ts";
import { atMost, costMicroUsd, maxPaymentMicroUsd } from "./price.ts";

export interface ProviderResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Readable;
  readonly payment: CallPayment;
}

/** @throws what `x402Fetch` and the payment refuse with; with `transactionId` when a payment was sent. */
export async function askAndPay(
  deps: GatewayDeps,
  account: AccountViewer,
  attempt: Attempt,
): Promise<ProviderResponse> {
  const { offer, bound, call, idempotencyKey, signal } = attempt;
  const { provider, model } = offer;
  const core = createPaymentPort(deps, "gateway");
  const payments: PaymentPort<AccountViewer> = {
    async payFor(viewer, order) {
      const payment = await core.payFor(viewer, order);
      // Before the payment leaves: what a provider takes is found by its call, whatever happens then.
      await call.link(payment.transactionId, parseUsd(payment.amountPaidUsd, "amount"));
      return payment;
    },
    recordOutcome: (transactionId, outcome) => core.recordOutcome(transactionId, outcome),
  };
  const result = await x402Fetch({ egress: deps.egress, payments, log: deps.logger }, account, {
    url: `${provider.baseUrl}/chat/completions`,
    method: "POST",
    // USDC's smallest unit is a micro-USD.
    maxValueAtomic: maxPaymentMicroUsd(bound.highestMicroUsd),
    timeoutMs: deps.gateway.attemptTimeoutMs,
    body: { bytes: Buffer.from(bound.text), contentType: "application/json" },
    headers: { accept: "application/json, text/event-stream" },
    idempotencyKey: idempotencyKey === null ? null : paymentKey(idempotencyKey, provider.name),
    signal,
  });
  const { status, headers, body, payment } = result;
  if (payment === null) return { status, headers, body, payment: free() };
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
      // The provider takes what it takes; the ledger hears of it from the chain. This is what the caller is told.
      async settle(used) {
        return knownMicroUsd ?? atMost(costMicroUsd(model.prices, used), reservedMicroUsd);
      },
      async giveBack() {},
    },
  };
}

/** A call that is free: no price, or a provider that asked for none. */
export function free(): CallPayment {
  return {
    transactionId: null,
    reservedMicroUsd: 0n,
    knownMicroUsd: 0n,
    settle: async () => 0n,
    giveBack: async () => {},
  };
}

/** One key of the caller's is one payment at each provider; it stays the same when a crash has the call asked for again. */
export function paymentKey(idempotencyKey: string, provider: string): string {
  return `gateway:${provider}:${createHash("sha256").update(idempotencyKey).digest("hex")}`;
}
