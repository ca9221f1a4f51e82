import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { readBoundedBytes } from "../../platform/egress/body.ts";
import type { EgressResponse } from "../../platform/egress/egress.ts";
import { TargetResponseInvalidError, TargetTimeoutError } from "../../platform/egress/errors.ts";
import type { PaymentRequiredResponse } from "./ports.ts";

/** Far above any list of requirements, and small enough to buffer for every request in flight. */
const MAX_BYTES = 256 * 1024;

const DECODERS = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

const createTooLongError = () => new TargetResponseInvalidError("The target's 402 response is larger than 256 KiB.");

async function decompress(bytes: Buffer, contentEncoding: string | string[] | undefined): Promise<Buffer> {
  const decode = DECODERS.get(String(contentEncoding ?? "").toLowerCase());
  if (!decode || bytes.byteLength === 0) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    throw new TargetResponseInvalidError("The target's 402 response cannot be decompressed.", { cause: error });
  }
}

/** A completely read 402: the decompressed response for the payment core, and the received bytes to pass on to the caller. */
export interface ReadPaymentRequired {
  readonly paymentRequired: PaymentRequiredResponse;
  readonly wireBytes: Buffer;
}

/**
 * Reads a 402 response, limited in size and time.
 *
 * @throws {TargetResponseInvalidError} when it is longer than 256 KiB, before or after decompression.
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
    const plain = await decompress(wireBytes, headers["content-encoding"]);
    return { paymentRequired: { status: 402, headers, body: plain }, wireBytes };
  } finally {
    clearTimeout(timer);
  }
}
