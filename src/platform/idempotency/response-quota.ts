/** How much may be kept of an account's answers for their Idempotency-Keys: the least payment may buy a quarter of a megabyte. */
import type { RateLimiter } from "../rate-limit.ts";

/** Whoever asks for more gets it, and not from here when they ask again. */
export const STORED_KIB_PER_DAY = 64 * 1024;
export const RESPONSE_QUOTA_BUCKET = "kept-answers";
const DAY_SECONDS = 86_400;
const KIB = 1_024;

/** Whether an answer may be kept, and counts all of it: what comes with its body may be longer. Never rejects. */
export async function consumeResponseQuota(
  rateLimiter: RateLimiter,
  accountId: string,
  answer: object,
): Promise<boolean> {
  const sizeKib = Math.ceil(Buffer.byteLength(JSON.stringify(answer)) / KIB);
  return await rateLimiter.consume(RESPONSE_QUOTA_BUCKET, accountId, STORED_KIB_PER_DAY, DAY_SECONDS, sizeKib).then(
    () => true,
    () => false,
  );
}
