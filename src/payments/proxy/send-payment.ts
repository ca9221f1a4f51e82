import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Egress, EgressResponse } from "../../platform/egress/egress.ts";
import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
} from "../../platform/egress/errors.ts";
import { ReceivedBody } from "../../platform/egress/received-body.ts";
import { decodePaymentResponse } from "../x402/response.ts";
import { secretNames } from "./headers.ts";
import type { AuthorizedPayment, PaymentOutcome, SettlementClaim } from "./ports.ts";
import { readPaymentRequired } from "./read-payment-required.ts";

const MAX_ATTEMPTS = 3;
const BACKOFF_MS = 100;
/** An attempt that is not the last leaves this share of the time for those after it. */
const RESERVED_SHARE = 4;

/** Exactly one of `response` and `error` is there. */
export type PaidAttempts =
  | { readonly response: EgressResponse; readonly error: null; readonly outcome: PaymentOutcome }
  | { readonly response: null; readonly error: Error; readonly outcome: PaymentOutcome };

function isTargetFailure(error: unknown): error is Error {
  return (
    error instanceof TargetTimeoutError ||
    error instanceof TargetUnreachableError ||
    error instanceof TargetResponseInvalidError
  );
}

/** What the target says it settled with; null when it says nothing usable, or that it failed. */
function readClaim({ headers }: EgressResponse): SettlementClaim | null {
  const said = decodePaymentResponse(headers);
  return said?.txHash && said.errorReason === null ? { txHash: said.txHash, payer: said.payer } : null;
}

/**
 * Sends a signed payment, and the very same one again after a time-out, a 5xx, a broken connection or another 402,
 * at most twice and within the time left. Nothing is signed here: the network takes one authorization once, however
 * often it is presented. Never rejects; a caller that goes away ends it.
 */
export async function sendPayment(
  egress: Pick<Egress, "request">,
  unpaid: Pick<EgressResponse, "url" | "sent">,
  payment: AuthorizedPayment,
  limits: { readonly deadlineMs: number; readonly signal: AbortSignal | undefined },
): Promise<PaidAttempts> {
  const { signal, deadlineMs } = limits;
  const { method, body } = unpaid.sent;
  const headers = { ...unpaid.sent.headers, [payment.paymentHeaderName.toLowerCase()]: payment.paymentHeader };
  const secretHeaders = secretNames(headers);
  let claim: SettlementClaim | null = null;
  let hasFailed = false;
  for (let attempt = 1; ; attempt++) {
    const leftMs = deadlineMs - performance.now();
    const isLast = attempt === MAX_ATTEMPTS;
    const timeoutMs = isLast ? leftMs : leftMs - leftMs / RESERVED_SHARE;
    // After this pause there must be time for another attempt.
    const pauseMs = BACKOFF_MS * attempt + randomInt(BACKOFF_MS);
    const mayGoOn = () => !isLast && performance.now() + pauseMs < deadlineMs;
    try {
      const response = await egress.request({
        url: unpaid.url,
        method,
        headers,
        body,
        secretHeaders,
        timeoutMs,
        signal,
      });
      claim = readClaim(response) ?? claim;
      if (response.status === 402) {
        const { answer, wireBytes } = await readPaymentRequired(response, deadlineMs - performance.now());
        if (!mayGoOn()) {
          const outcome: PaymentOutcome = claim
            ? { kind: "claimed", claim }
            : hasFailed
              ? { kind: "unknown" }
              : { kind: "refused", answer };
          return { response: { ...response, body: new ReceivedBody(wireBytes) }, error: null, outcome };
        }
      } else if (response.status < 500 || !mayGoOn()) {
        const isTaken = claim !== null || response.status < 400;
        return { response, error: null, outcome: isTaken ? { kind: "claimed", claim } : { kind: "unknown" } };
      } else {
        hasFailed = true;
        response.body.destroy();
      }
    } catch (error) {
      hasFailed = true;
      if (!isTargetFailure(error) || !mayGoOn()) {
        return {
          response: null,
          error: error as Error,
          outcome: claim ? { kind: "claimed", claim } : { kind: "unknown" },
        };
      }
    }
    // Ended early by a caller that goes away: the next request then ends the loop.
    await delay(pauseMs, undefined, signal ? { signal } : {}).catch(() => {});
  }
}
