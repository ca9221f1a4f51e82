/** The payment port of the fetch proxy (see proxy/ports.ts), implemented by the payment core. */
import type { Viewer } from "../accounts/viewer.ts";
import { TargetResponseInvalidError } from "../platform/egress/errors.ts";
import { InvalidRequestError, ServiceError } from "../platform/errors.ts";
import { formatUsd } from "../platform/money.ts";
import { recordFailureReason } from "../wallet/ledger.ts";
import type { PaymentDeps } from "./deps.ts";
import { pay } from "./pay.ts";
import type { PaymentPort, PaymentRequiredResponse } from "./proxy/ports.ts";
import { explainPaymentError } from "./x402/explain.ts";
import { isJsonObject, parseJson } from "./x402/json.ts";
import type { PaymentRequired } from "./x402/requirement.ts";
import { type PaymentRequiredInput, parsePaymentRequired } from "./x402/requirements.ts";
import { decodePaymentResponse } from "./x402/response.ts";

/** @param type transaction type of the payments in the ledger */
export function createPaymentPort(deps: PaymentDeps, type: "x402" | "gateway" = "x402"): PaymentPort<Viewer | null> {
  return {
    async payFor(viewer, { url, paymentRequired, maxValueAtomic, idempotencyKey }) {
      const { headers, body } = paymentRequired;
      const text = new TextDecoder().decode(body);
      const required = parseOffers({ headers, body: text });
      const payment = await pay(deps, viewer, { url, required, maxValueAtomic, idempotencyKey, type }).catch(
        (error) => {
          // The caller receives the target's offers with the error.
          throw error instanceof ServiceError ? Object.assign(error, { accepts: required.accepts }) : error;
        },
      );
      return {
        transactionId: payment.transactionId,
        paymentHeaderName: payment.encoded.headerName,
        paymentHeader: payment.encoded.header,
        amountPaidUsd: formatUsd(payment.amountMicroUsd),
        network: payment.network,
        scheme: payment.scheme,
      };
    },
    // A refused or unknown outcome releases nothing: the signature has left, so only the chain state ends the reservation.
    async recordOutcome(transactionId, outcome) {
      if (outcome.kind === "claimed") {
        // Without a transaction hash there is nothing to check on chain yet; next_check_at schedules the check.
        if (!outcome.claim) return;
        await deps.recorder.recordClaim({ id: transactionId, txHash: outcome.claim.txHash });
        deps.reconciler.wake();
      } else if (outcome.kind === "refused") {
        const reason = readRefusalReason(outcome.response);
        if (reason) await recordFailureReason(deps.db, transactionId, reason);
      }
    },
  };
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
