import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ReceivedBody } from "../../platform/egress/body.ts";
import type { Egress, EgressRequest, EgressResponse } from "../../platform/egress/egress.ts";
import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
} from "../../platform/egress/errors.ts";
import { readRetryAfterMs } from "../../platform/egress/retry-after.ts";
import { decodePaymentResponse } from "../x402/response.ts";
import { secretNames } from "./headers.ts";
import type { AuthorizedPayment, PaymentOutcome, SettlementClaim } from "./ports.ts";
import { type ReadPaymentRequired, readPaymentRequired } from "./read-payment-required.ts";

/** A seller that repeats 402 has refused the payment. Further attempts are made only if it names a time for them. */
const MAX_REFUSALS = 3;
const BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;
/** Divisor of the remaining time: an attempt reserves a quarter of it for later attempts. */
const RESERVED_DIVISOR = 4;
/** An attempt with less time than this reserves none for later attempts. */
const MIN_ATTEMPT_MS = 500;
/** An attempt with less time than this is not made: it would replace the seller's last response with a timeout. */
const MIN_REPEAT_MS = 100;
/** Statuses below 500 by which a server requests the same request later (RFC 9110, RFC 8470, RFC 6585). */
const TEMPORARY_STATUSES = [408, 425, 429];

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
  /** A 5xx or a temporary status: the target may have accepted the payment, and a retry may succeed. */
  | { readonly kind: "failed"; readonly response: EgressResponse }
  /** Another 402, read completely. */
  | ({ readonly kind: "refused"; readonly response: EgressResponse } & ReadPaymentRequired)
  | { readonly kind: "broken"; readonly error: Error }
);

export interface AttemptLimits {
  /** End of all attempts, in the time of `performance.now()`. */
  readonly deadlineMs: number;
  /** Time after which no failed attempt is repeated, in the time of `performance.now()`. */
  readonly retryUntilMs: number;
  readonly signal: AbortSignal | undefined;
  /** Checked before a failed attempt is repeated, such as for a freeze of the account. */
  readonly mayRepeat: () => Promise<boolean>;
}

/**
 * Sends a signed payment. After a failure or another 402 the same bytes are sent again, until the deadline or the expiry of the
 * authorization. `Retry-After` is obeyed; if it is later than that, the response is returned. Nothing
 * is signed here, and the network accepts one authorization once. Never rejects; ends when `signal` is aborted.
 */
export async function sendPayment(
  egress: Pick<Egress, "request">,
  unpaid: Pick<EgressResponse, "url" | "sent">,
  payment: AuthorizedPayment,
  limits: AttemptLimits,
): Promise<PaidAttempts> {
  const { signal, deadlineMs } = limits;
  const { method, body } = unpaid.sent;
  const headers = { ...unpaid.sent.headers, [payment.paymentHeaderName.toLowerCase()]: payment.paymentHeader };
  const request = { url: unpaid.url, method, headers, body, secretHeaders: secretNames(headers), signal };
  let claim: SettlementClaim | null = null;
  let mayHaveAccepted = false;
  let refusals = 0;
  for (let attempt = 1; ; attempt++) {
    const leftMs = deadlineMs - performance.now();
    const timeoutMs = leftMs < MIN_ATTEMPT_MS ? leftMs : leftMs - leftMs / RESERVED_DIVISOR;
    const presented = await presentPayment(egress, { ...request, timeoutMs }, deadlineMs);
    claim = presented.claim ?? claim;
    if (presented.kind === "refused") refusals++;
    const retryAfterMs = presented.kind === "broken" ? null : readRetryAfterMs(presented.response.headers);
    const pauseMs = Math.max(retryAfterMs ?? 0, backoffMs(attempt));
    const isRefused = presented.kind === "refused" && refusals >= MAX_REFUSALS && retryAfterMs === null;
    if (isRefused || !isRetryable(presented) || !isTimeLeft(payment, limits, pauseMs)) {
      return concludeAttempts(presented, claim, mayHaveAccepted);
    }
    // An abort ends the pause early; the next request then fails and ends the loop.
    await delay(pauseMs, undefined, signal ? { signal } : {}).catch(() => {});
    // The check reads the database, which may use up the rest of the time.
    const isRepeated = (await limits.mayRepeat()) && isTimeLeft(payment, limits, 0);
    if (!isRepeated) return concludeAttempts(presented, claim, mayHaveAccepted);
    if (presented.kind === "failed") presented.response.body.destroy();
    mayHaveAccepted ||= presented.kind !== "refused";
  }
}

function backoffMs(attempt: number): number {
  return Math.min(BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS) + randomInt(BACKOFF_MS);
}

/** Returns whether the next attempt, after the pause, begins before the deadline and before the authorization expires. */
function isTimeLeft({ expiresAtMs }: AuthorizedPayment, limits: AttemptLimits, pauseMs: number): boolean {
  if (expiresAtMs !== null && Date.now() + pauseMs >= expiresAtMs) return false;
  const nowMs = performance.now() + pauseMs;
  return nowMs < limits.retryUntilMs && nowMs + MIN_REPEAT_MS < limits.deadlineMs;
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
    if (response.status !== 402)
      return { kind: isTemporary(response.status) ? "failed" : "responded", response, claim };
    const { paymentRequired, wireBytes } = await readPaymentRequired(response, deadlineMs - performance.now());
    return { kind: "refused", response, paymentRequired, wireBytes, claim };
  } catch (error) {
    return { kind: "broken", error: error as Error, claim };
  }
}

/** Returns whether the same request may succeed later. */
export function isTemporary(status: number): boolean {
  return status >= 500 || TEMPORARY_STATUSES.includes(status);
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
