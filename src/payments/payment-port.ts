/** What the fetch proxy asks of the payment core (see proxy/ports.ts). */
import type { Viewer } from "../accounts/viewer.ts";
import { TargetResponseInvalidError } from "../platform/egress/errors.ts";
import { InvalidRequestError, ServiceError } from "../platform/errors.ts";
import { formatUsd } from "../platform/money.ts";
import { recordFailureReason } from "../wallet/ledger.ts";
import type { PaymentDeps } from "./deps.ts";
import { pay } from "./pay.ts";
import type { PaymentPort, PaymentRequiredAnswer } from "./proxy/ports.ts";
import { explainPaymentError } from "./x402/explain.ts";
import { isJsonObject, parseJson } from "./x402/json.ts";
import type { PaymentRequired } from "./x402/requirement.ts";
import { type PaymentRequiredInput, parsePaymentRequired } from "./x402/requirements.ts";
import { decodePaymentResponse } from "./x402/response.ts";

/** @param type what its payments are in the ledger */
export function createPaymentPort(deps: PaymentDeps, type: "x402" | "gateway" = "x402"): PaymentPort<Viewer | null> {
  return {
    async payFor(viewer, { url, paymentRequired, maxValueAtomic, idempotencyKey }) {
      const { headers, body } = paymentRequired;
      const text = new TextDecoder().decode(body);
      const required = offersOf({ headers, body: text });
      const payment = await pay(deps, viewer, { url, required, maxValueAtomic, idempotencyKey, type }).catch(
        (error) => {
          // Whoever is refused sees what the target asked for.
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
    // Refused or unknown moves nothing: the signature is out, so the reservation stays until the chain has spoken.
    async recordOutcome(transactionId, outcome) {
      if (outcome.kind === "claimed") {
        // Delivered without a hash: there is nothing to see on chain yet, and the ledger knows when to look.
        if (!outcome.claim) return;
        await deps.recorder.claimed({ id: transactionId, txHash: outcome.claim.txHash });
        deps.reconciler.nudge();
      } else if (outcome.kind === "refused") {
        const reason = refusalReason(outcome.answer);
        if (reason) await recordFailureReason(deps.db, transactionId, reason);
      }
    },
  };
}

/** @throws {TargetResponseInvalidError} where a 402 offers nothing that X402 knows: no fault of the caller's */
function offersOf(input: PaymentRequiredInput): PaymentRequired {
  try {
    return parsePaymentRequired({ ...input, field: "its answer" });
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new TargetResponseInvalidError(
      `The target asks for payment, but not by X402: ${error.message} Nothing was paid.`,
    );
  }
}

/** What the shop says of the payment it was sent, in words for a person (spec section 7.4). */
function refusalReason({ headers, body }: PaymentRequiredAnswer): string | null {
  const said = decodePaymentResponse(headers)?.errorReason ?? errorOf(new TextDecoder().decode(body));
  return said === null ? null : explainPaymentError(said).message;
}

function errorOf(body: string): string | null {
  const value = parseJson(body);
  return isJsonObject(value) && typeof value["error"] === "string" ? value["error"] : null;
}
