import { readBoundedBytes } from "../../platform/egress/body.ts";
import type { EgressResponse } from "../../platform/egress/egress.ts";
import { TargetResponseInvalidError, TargetTimeoutError } from "../../platform/egress/errors.ts";
import { decodeContent } from "./content-encoding.ts";
import type { PaymentRequiredResponse } from "./ports.ts";

/** Far above any list of requirements, and small enough to buffer for every request in flight. */
const MAX_BYTES = 256 * 1024;

const createTooLongError = () => new TargetResponseInvalidError("The target's 402 response is larger than 256 KiB.");

/** A completely read 402: the decoded response for the payment core, and the received bytes to pass on to the caller. */
export interface ReadPaymentRequired {
  readonly paymentRequired: PaymentRequiredResponse;
  readonly wireBytes: Buffer;
}

/**
 * Reads a 402 response, limited in size and time.
 *
 * @throws {TargetResponseInvalidError} when a body without PAYMENT-REQUIRED cannot be decoded, or a body is longer than 256 KiB before or after that.
 * @throws {TargetTimeoutError} when it is incomplete after `timeoutMs`.
 */
export async function readPaymentRequired(response: EgressResponse, timeoutMs: number): Promise<ReadPaymentRequired> {
  const { body, headers } = response;
  const timer = setTimeout(
    () => body.destroy(new TargetTimeoutError("The target did not complete its 402 response in time.")),
    Math.max(1, timeoutMs),
  );
  try {
    const wireBytes = await readBoundedBytes(body, MAX_BYTES, createTooLongError);
    const plain = await decodeContent(wireBytes, headers["content-encoding"], MAX_BYTES).catch((error) => {
      // The offers are in the header.
      if (headers["payment-required"] !== undefined) return Buffer.alloc(0);
      throw error;
    });
    return { paymentRequired: { status: 402, headers, body: plain }, wireBytes };
  } finally {
    clearTimeout(timer);
  }
}
