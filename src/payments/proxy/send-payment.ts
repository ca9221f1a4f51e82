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
/** Divisor of the remaining time: every attempt but the last reserves a quarter of it for later attempts. */
const RESERVED_DIVISOR = 4;

/** Exactly one of `response` and `error` is set. */
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

/** Returns the settlement the target reports; null if there is no usable report or it reports a failure. */
function readClaim({ headers }: EgressResponse): SettlementClaim | null {
  const reported = decodePaymentResponse(headers);
  return reported?.txHash && reported.errorReason === null ? { txHash: reported.txHash, payer: reported.payer } : null;
}

/** Result of presenting the payment once. `claim` is the target's settlement report, if one was received. */
type Presented = { readonly claim: SettlementClaim | null } & (
  | { readonly kind: "responded"; readonly response: EgressResponse }
  /** A 5xx: the target may have accepted the payment, and a retry may succeed. */
  | { readonly kind: "failed"; readonly response: EgressResponse }
  /** Another 402, read completely. */
  | ({ readonly kind: "refused"; readonly response: EgressResponse } & ReadPaymentRequired)
  | { readonly kind: "broken"; readonly error: Error }
);

/**
 * Sends a signed payment. After a timeout, a 5xx, a connection failure or another 402 the same bytes are sent again, at most twice
 * and before the deadline. Nothing is signed here, and the network accepts one authorization once. Never rejects; ends when
 * `signal` is aborted.
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
  let mayHaveAccepted = false;
  for (let attempt = 1; ; attempt++) {
    const leftMs = deadlineMs - performance.now();
    const isLast = attempt === MAX_ATTEMPTS;
    const timeoutMs = isLast ? leftMs : leftMs - leftMs / RESERVED_DIVISOR;
    const pauseMs = BACKOFF_MS * attempt + randomInt(BACKOFF_MS);
    const presented = await presentPayment(egress, { ...request, timeoutMs }, deadlineMs);
    claim = presented.claim ?? claim;
    const hasTimeLeft = !isLast && performance.now() + pauseMs < deadlineMs;
    if (!hasTimeLeft || !isRetryable(presented)) return concludeAttempts(presented, claim, mayHaveAccepted);
    if (presented.kind === "failed") presented.response.body.destroy();
    mayHaveAccepted ||= presented.kind !== "refused";
    // An abort ends the pause early; the next request then fails and ends the loop.
    await delay(pauseMs, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

async function presentPayment(
  egress: Pick<Egress, "request">,
  request: EgressRequest,
  deadlineMs: number,
): Promise<Presented> {
  let claim: SettlementClaim | null = null;
  try {
    const response = await egress.request(request);
    claim = readClaim(response);
    if (response.status !== 402) return { kind: response.status < 500 ? "responded" : "failed", response, claim };
    const { paymentRequired, wireBytes } = await readPaymentRequired(response, deadlineMs - performance.now());
    return { kind: "refused", response, paymentRequired, wireBytes, claim };
  } catch (error) {
    return { kind: "broken", error: error as Error, claim };
  }
}

function isRetryable(presented: Presented): boolean {
  return presented.kind === "broken" ? isTargetFailure(presented.error) : presented.kind !== "responded";
}

/** @param mayHaveAccepted whether an earlier attempt failed without a conclusive response */
function concludeAttempts(presented: Presented, claim: SettlementClaim | null, mayHaveAccepted: boolean): PaidAttempts {
  const outcome = outcomeOf(presented, claim, mayHaveAccepted);
  if (presented.kind === "broken") return { response: null, error: presented.error, outcome };
  const { response } = presented;
  if (presented.kind !== "refused") return { response, error: null, outcome };
  return { response: { ...response, body: new ReceivedBody(presented.wireBytes) }, error: null, outcome };
}

function outcomeOf(presented: Presented, claim: SettlementClaim | null, mayHaveAccepted: boolean): PaymentOutcome {
  if (claim) return { kind: "claimed", claim };
  if (presented.kind === "responded" && presented.response.status < 400) return { kind: "claimed", claim: null };
  if (presented.kind === "refused" && !mayHaveAccepted) {
    return { kind: "refused", response: presented.paymentRequired };
  }
  return { kind: "unknown" };
}
