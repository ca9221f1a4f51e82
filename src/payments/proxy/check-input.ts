import { InvalidRequestError } from "../../platform/errors.ts";
import { PROXY_METHODS, type X402FetchInput } from "./ports.ts";

export const DEFAULT_TIMEOUT_MS = 30_000;
export const MAX_TIMEOUT_MS = 120_000;
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Validates the input beyond its types. The URL is validated when it is requested.
 * @throws {InvalidRequestError} with the parameter's name in the contract (section 4.3).
 */
export function checkX402FetchInput(input: X402FetchInput): void {
  if (!PROXY_METHODS.includes(input.method)) {
    throw new InvalidRequestError(`method must be one of ${PROXY_METHODS.join(", ")}.`, "method");
  }
  if (!Number.isInteger(input.timeoutMs) || input.timeoutMs < 1 || input.timeoutMs > MAX_TIMEOUT_MS) {
    throw new InvalidRequestError(`timeout must be a whole number from 1 to ${MAX_TIMEOUT_MS}.`, "timeout");
  }
  if (input.maxValueAtomic !== null && input.maxValueAtomic < 0n) {
    throw new InvalidRequestError("maxValue must not be negative.", "maxValue");
  }
  if (input.body && input.body.bytes.byteLength > MAX_BODY_BYTES) {
    throw new InvalidRequestError("body must be at most 10 MiB.", "body");
  }
}
