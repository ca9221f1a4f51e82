import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ReceivedBody } from "../../platform/egress/body.ts";
import type { Egress, EgressRequest, EgressResponse } from "../../platform/egress/egress.ts";
import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
} from "../../platform/egress/errors.ts";
import { decodePaymentResponse } from "../x402/response.ts";
import { secretNames } from "./headers.ts";
import type { AuthorizedPayment, PaymentOutcome, SettlementClaim } from "./ports.ts";
import { type ReadPaymentRequired, readPaymentRequired } from "./read-payment-required.ts";

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

/** What came of presenting the payment once; `claim` is what the target said of its settlement, as far as it got. */
type Presented = { readonly claim: SettlementClaim | null } & (
  | { readonly kind: "answered"; readonly response: EgressResponse }
  /** A 5xx: it may have taken the payment, and may serve it another time. */
  | { readonly kind: "failed"; readonly response: EgressResponse }
  /** Another 402, read to its end. */
  | ({ readonly kind: "refused"; readonly response: EgressResponse } & ReadPaymentRequired)
  | { readonly kind: "broken"; readonly error: Error }
);

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
  const request = { url: unpaid.url, method, headers, body, secretHeaders: secretNames(headers), signal };
  let claim: SettlementClaim | null = null;
  let mayHaveTaken = false;
  for (let attempt = 1; ; attempt++) {
    const leftMs = deadlineMs - performance.now();
    const isLast = attempt === MAX_ATTEMPTS;
    const timeoutMs = isLast ? leftMs : leftMs - leftMs / RESERVED_SHARE;
    const pauseMs = BACKOFF_MS * attempt + randomInt(BACKOFF_MS);
    const presented = await present(egress, { ...request, timeoutMs }, deadlineMs);
    claim = presented.claim ?? claim;
    // After the pause there must be time for another attempt.
    const mayGoOn = !isLast && performance.now() + pauseMs < deadlineMs;
    if (!mayGoOn || !isWorthAnother(presented)) return concluded(presented, claim, mayHaveTaken);
    if (presented.kind === "failed") presented.response.body.destroy();
    mayHaveTaken ||= presented.kind !== "refused";
    // Ended early by a caller that goes away: the next request then ends the loop.
    await delay(pauseMs, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

async function present(
  egress: Pick<Egress, "request">,
  request: EgressRequest,
  deadlineMs: number,
): Promise<Presented> {
  let claim: SettlementClaim | null = null;
  try {
    const response = await egress.request(request);
    claim = readClaim(response);
    if (response.status !== 402) return { kind: response.status < 500 ? "answered" : "failed", response, claim };
    const { answer, wireBytes } = await readPaymentRequired(response, deadlineMs - performance.now());
    return { kind: "refused", response, answer, wireBytes, claim };
  } catch (error) {
    return { kind: "broken", error: error as Error, claim };
  }
}

function isWorthAnother(presented: Presented): boolean {
  return presented.kind === "broken" ? isTargetFailure(presented.error) : presented.kind !== "answered";
}

/** @param mayHaveTaken whether an earlier attempt ended without the target's word */
function concluded(presented: Presented, claim: SettlementClaim | null, mayHaveTaken: boolean): PaidAttempts {
  const outcome = outcomeOf(presented, claim, mayHaveTaken);
  if (presented.kind === "broken") return { response: null, error: presented.error, outcome };
  const { response } = presented;
  if (presented.kind !== "refused") return { response, error: null, outcome };
  return { response: { ...response, body: new ReceivedBody(presented.wireBytes) }, error: null, outcome };
}

function outcomeOf(presented: Presented, claim: SettlementClaim | null, mayHaveTaken: boolean): PaymentOutcome {
  if (claim) return { kind: "claimed", claim };
  if (presented.kind === "answered" && presented.response.status < 400) return { kind: "claimed", claim: null };
  if (presented.kind === "refused" && !mayHaveTaken) return { kind: "refused", answer: presented.answer };
  return { kind: "unknown" };
}
