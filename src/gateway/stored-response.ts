/** Responses stored by Idempotency-Key. */
import { Readable } from "node:stream";
import { captureStream } from "../platform/idempotency/capture-stream.ts";
import { completeOrDiscard, type IdempotencyClaim, IdempotencyKeyReusedError } from "../platform/idempotency/claim.ts";
import { consumeResponseQuota } from "../platform/idempotency/response-quota.ts";
import type { ChatResult, Completion } from "./deliver.ts";
import type { GatewayDeps } from "./deps.ts";

/** Maximum length of a stored response. */
const MAX_STORED_CHARS = 256 * 1024;

interface StoredResponse {
  readonly callId: string;
  readonly paymentId: string;
  readonly costMicroUsd: string;
  /** Stored as text to preserve the order of object members, which JSONB does not. */
  readonly completion: string | null;
  readonly events: string | null;
}

/**
 * Placeholder for a response that was too long, exceeded the account's storage quota, or was interrupted by caller or
 * provider. The call was paid and is not repeated.
 */
const OMITTED = { isGone: true };

export function replayResponse(stored: object): ChatResult {
  if ("isGone" in stored) {
    throw new IdempotencyKeyReusedError(
      "A call with this Idempotency-Key was already made, and its response is not stored. Use a new key.",
    );
  }
  const { callId, paymentId, costMicroUsd, completion, events } = stored as StoredResponse;
  const stream = events === null ? null : Readable.from([Buffer.from(events)]);
  return {
    callId,
    paymentId,
    costMicroUsd: BigInt(costMicroUsd),
    complete: completion === null ? null : { completion: JSON.parse(completion) as Completion, text: completion },
    stream,
  };
}

/** Records that the call was made, without a response. Never rejects. */
export async function omitResponse({ logger }: Pick<GatewayDeps, "logger">, claim: IdempotencyClaim): Promise<void> {
  await completeOrDiscard(claim, OMITTED, logger);
}

/**
 * Stores the response before the caller has received all of it, so that a retry always finds it. Free responses are not
 * stored, because repeating the call costs nothing.
 */
export async function storeResponse(
  { rateLimiter, logger }: GatewayDeps,
  accountId: string,
  result: ChatResult,
  claim: IdempotencyClaim,
): Promise<ChatResult> {
  const { callId, paymentId, costMicroUsd, complete, stream } = result;
  if (paymentId === null) {
    await claim.discard();
    return result;
  }
  const completion = complete?.text ?? null;
  const store = async (events: string | null) => {
    const storedResponse: StoredResponse = {
      callId,
      paymentId,
      costMicroUsd: costMicroUsd.toString(),
      completion,
      events,
    };
    const sizeChars = (completion ?? events ?? "").length;
    const isStored =
      sizeChars <= MAX_STORED_CHARS && (await consumeResponseQuota(rateLimiter, accountId, storedResponse));
    await completeOrDiscard(claim, isStored ? storedResponse : OMITTED, logger);
  };
  if (!stream) {
    await store(null);
    return result;
  }
  const captured = captureStream(stream, {
    maxBytes: MAX_STORED_CHARS,
    isComplete: (_sizeBytes, chunk) => chunk?.subarray(-DONE.length).equals(DONE) ?? false,
    store: (bytes) => (bytes ? store(bytes.toString("utf8")) : completeOrDiscard(claim, OMITTED, logger)),
  });
  return { ...result, stream: captured };
}

const DONE = Buffer.from("data: [DONE]\n\n");
