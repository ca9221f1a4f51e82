/** Quota of stored responses per account: the smallest payment can produce a response of 256 KiB. */
import type { RateLimiter } from "../rate-limit.ts";

/** Responses beyond the quota are sent but not stored, so a retry cannot return them. */
export const STORED_KIB_PER_DAY = 64 * 1024;
export const RESPONSE_QUOTA_BUCKET = "kept-answers";
const DAY_SECONDS = 86_400;
const KIB = 1_024;

/**
 * Returns true if the response may be stored. Counts the whole JSON, since headers may be longer than the body. Never
 * rejects.
 */
export async function consumeResponseQuota(
  rateLimiter: RateLimiter,
  accountId: string,
  response: object,
): Promise<boolean> {
  const sizeKib = Math.ceil(Buffer.byteLength(JSON.stringify(response)) / KIB);
  return await rateLimiter.consume(RESPONSE_QUOTA_BUCKET, accountId, STORED_KIB_PER_DAY, DAY_SECONDS, sizeKib).then(
    () => true,
    () => false,
  );
}
