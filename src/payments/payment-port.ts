/** The payment port of the fetch proxy (see proxy/ports.ts), implemented by the payment core. */
import { createHash } from "node:crypto";
import { findFreeze } from "../accounts/freeze/freeze-state.ts";
import { type AccountViewer, requirePayer, type Viewer } from "../accounts/viewer.ts";
import { TargetResponseInvalidError } from "../platform/egress/errors.ts";
import { InvalidRequestError, ServiceError } from "../platform/errors.ts";
import { formatUsd } from "../platform/money.ts";
import type { Attempt } from "../wallet/attempts.ts";
import { recordFailureReason } from "../wallet/ledger.ts";
import type { PaymentDeps } from "./deps.ts";
import { pay } from "./pay.ts";
import type { AuthorizedPayment, Delivery, PaymentOrder, PaymentPort, PaymentRequiredResponse } from "./proxy/ports.ts";
import { explainPaymentError } from "./x402/explain.ts";
import { isJsonObject, parseJson } from "./x402/json.ts";
import type { PaymentRequired } from "./x402/requirement.ts";
import { type PaymentRequiredInput, parsePaymentRequired } from "./x402/requirements.ts";
import { decodePaymentResponse } from "./x402/response.ts";

/** @param type transaction type of the payments in the ledger */
export function createPaymentPort(deps: PaymentDeps, type: "x402" | "gateway" = "x402"): PaymentPort<Viewer | null> {
  return {
    async payFor(viewer, { url, paymentRequired, maxValueAtomic, idempotencyKey, claim, request }) {
      const { headers, body } = paymentRequired;
      const text = new TextDecoder().decode(body);
      const required = parseOffers({ headers, body: text });
      const account = requirePayer(viewer);
      const isResumable = idempotencyKey === null && type === "x402";
      const requestSha256 = isResumable ? hashRequest(account, url, request) : null;
      const order = { url, required, maxValueAtomic, idempotencyKey, claim, requestSha256, isProxied: true, type };
      const payment = await pay(deps, account, order).catch((error) => {
        // The caller receives the target's offers with the error.
        throw error instanceof ServiceError ? Object.assign(error, { accepts: required.accepts }) : error;
      });
      const { transactionId, attempt } = payment;
      if (attempt !== null) deps.attempts.begin(attempt);
      return {
        transactionId,
        accountId: account.accountId,
        attempt,
        isOneTime: account.credentialKind === "purchase_token",
        paymentHeaderName: payment.encoded.headerName,
        paymentHeader: payment.encoded.header,
        expiresAtMs: payment.expiresAt?.getTime() ?? null,
        amountPaidUsd: formatUsd(payment.amountMicroUsd),
        network: payment.network,
        scheme: payment.scheme,
      };
    },
    // A refused or unknown outcome releases nothing: the signature has left, so only the chain state ends the reservation.
    async recordOutcome(payment, outcome, delivery) {
      const { transactionId, attempt } = payment;
      let concluded: Attempt | null = null;
      try {
        // Without a transaction hash there is nothing to check on chain yet; next_check_at schedules the check.
        if (outcome.kind === "claimed" && outcome.claim) {
          concluded = delivery !== null && isDefinitive(payment, delivery) ? attempt : null;
          if (concluded) deps.attempts.stop(concluded);
          const { txHash } = outcome.claim;
          await deps.recorder.recordClaim({ id: transactionId, txHash, concludedAttempt: concluded?.number ?? null });
          deps.reconciler.wake();
        } else if (outcome.kind === "refused") {
          const reason = readRefusalReason(outcome.response);
          if (reason) await recordFailureReason(deps.db, transactionId, reason);
        }
      } finally {
        // An attempt that never ends would have its lease renewed until the process ends.
        if (delivery !== null && !concluded) await this.endAttempt(payment, delivery);
      }
    },
    async maySendAgain({ accountId }) {
      // An unreachable database could hide a freeze.
      return (await findFreeze(deps.db, accountId).catch(() => "unknown")) === null;
    },
    async endAttempt(payment, delivery) {
      const { attempt, isOneTime } = payment;
      if (!attempt) return;
      // A repeated request with a one-time token fails at once because the token is used.
      if (delivery === "delivered" && !isOneTime) deps.attempts.endDelivered(attempt);
      else await deps.attempts.end(attempt, isDefinitive(payment, delivery));
    },
  };
}

/**
 * Returns whether an equal request is a new purchase from now on. A refused one-time token can only continue its payment, which
 * costs nothing.
 */
function isDefinitive({ isOneTime }: AuthorizedPayment, delivery: Delivery): boolean {
  return delivery === "delivered" || (delivery === "refused" && !isOneTime);
}

/** Returns the hash that is equal for equal requests: of one credential, with one method, URL and body, and one URL that is paid. */
function hashRequest(
  { budgetId }: AccountViewer,
  paidUrl: string,
  { url, method, body }: PaymentOrder["request"],
): Uint8Array {
  const bodySha256 = body && createHash("sha256").update(body.bytes).digest("hex");
  const request = [budgetId, paidUrl, url, method, bodySha256, body?.contentType ?? null];
  return createHash("sha256").update(JSON.stringify(request)).digest();
}

/**
 * Parses the offers in a target's 402 response. Malformed offers are refused by `chooseRequirement`, with the reason for each.
 * @throws {TargetResponseInvalidError} when the response contains no X402 offers, which is not the caller's fault
 */
export function parseOffers(input: PaymentRequiredInput): PaymentRequired {
  try {
    return parsePaymentRequired({ ...input, field: "response" });
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new TargetResponseInvalidError(
      `The target requires payment, but not through X402: ${error.message} No payment was made.`,
    );
  }
}

/** Returns the seller's reason for refusing a payment, explained for a person (spec section 7.4). */
function readRefusalReason({ headers, body }: PaymentRequiredResponse): string | null {
  const reason = decodePaymentResponse(headers)?.errorReason ?? readErrorText(new TextDecoder().decode(body));
  return reason === null ? null : explainPaymentError(reason).message;
}

function readErrorText(body: string): string | null {
  const value = parseJson(body);
  return isJsonObject(value) && typeof value["error"] === "string" ? value["error"] : null;
}
