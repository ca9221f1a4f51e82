import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { readBoundedBytes } from "../../platform/egress/body.ts";
import type { EgressResponse } from "../../platform/egress/egress.ts";
import { TargetResponseInvalidError, TargetTimeoutError } from "../../platform/egress/errors.ts";
import type { PaymentRequiredAnswer } from "./ports.ts";

/** Far above any list of requirements, and little enough to hold for every request under way. */
const MAX_BYTES = 256 * 1024;

const DECODERS = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

const tooLong = () => new TargetResponseInvalidError("The target's 402 answer is larger than 256 KiB.");

async function decompress(bytes: Buffer, contentEncoding: string | string[] | undefined): Promise<Buffer> {
  const decode = DECODERS.get(String(contentEncoding ?? "").toLowerCase());
  if (!decode || bytes.byteLength === 0) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    throw new TargetResponseInvalidError("The target's 402 answer cannot be decompressed.", { cause: error });
  }
}

/** A 402 read whole: what the core judges, and the bytes on the wire, for passing them on. */
export interface ReadPaymentRequired {
  readonly answer: PaymentRequiredAnswer;
  readonly wireBytes: Buffer;
}

/**
 * Reads a 402 within a bound in bytes and in time.
 * @throws {TargetResponseInvalidError} longer than 256 KiB, before or after decompression.
 * @throws {TargetTimeoutError} not complete after `timeoutMs`.
 */
export async function readPaymentRequired(response: EgressResponse, timeoutMs: number): Promise<ReadPaymentRequired> {
  const { body, headers } = response;
  const timer = setTimeout(
    () => body.destroy(new TargetTimeoutError("The target did not finish its 402 answer in time.")),
    Math.max(1, timeoutMs),
  );
  try {
    const wireBytes = await readBoundedBytes(body, MAX_BYTES, tooLong);
    const plain = await decompress(wireBytes, headers["content-encoding"]);
    return { answer: { status: 402, headers, body: plain }, wireBytes };
  } finally {
    clearTimeout(timer);
  }
}
