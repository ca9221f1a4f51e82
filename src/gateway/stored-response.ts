/** An answer as it is kept for its Idempotency-Key. */
import { Readable } from "node:stream";
import { captureStream } from "../platform/idempotency/capture-stream.ts";
import { completeOrDiscard, type IdempotencyClaim, IdempotencyKeyReusedError } from "../platform/idempotency/claim.ts";
import { consumeResponseQuota } from "../platform/idempotency/response-quota.ts";
import type { ChatAnswer, Completion } from "./deliver.ts";
import type { GatewayDeps } from "./deps.ts";

/** Longer answers are not kept. */
const MAX_KEPT_CHARS = 256 * 1024;

interface Kept {
  readonly callId: string;
  readonly paymentId: string;
  readonly costMicroUsd: string;
  /** As text, which comes back as it was: the database puts the members of an object in an order of its own. */
  readonly completion: string | null;
  readonly events: string | null;
}

/**
 * What stands for an answer that was too long, or too much beside what is kept already, or that its caller or provider broke off:
 * it was paid, and is not made twice.
 */
const GONE = { isGone: true };

export function replayResponse(stored: object): ChatAnswer {
  if ("isGone" in stored) {
    throw new IdempotencyKeyReusedError(
      "The call under this Idempotency-Key has been made, and its answer is not kept. Use a new key.",
    );
  }
  const { callId, paymentId, costMicroUsd, completion, events } = stored as Kept;
  const stream = events === null ? null : Readable.from([Buffer.from(events)]);
  return {
    callId,
    paymentId,
    costMicroUsd: BigInt(costMicroUsd),
    whole: completion === null ? null : { completion: JSON.parse(completion) as Completion, text: completion },
    stream,
  };
}

/**
 * Keeps the answer before the caller has all of it: whoever has it and asks again must find it. A free one is not kept: asking
 * again costs nothing.
 */
export async function storeResponse(
  { rateLimiter, logger }: GatewayDeps,
  accountId: string,
  answer: ChatAnswer,
  claim: IdempotencyClaim,
): Promise<ChatAnswer> {
  const { callId, paymentId, costMicroUsd, whole, stream } = answer;
  if (paymentId === null) {
    await claim.discard();
    return answer;
  }
  const completion = whole?.text ?? null;
  const keep = async (events: string | null) => {
    const kept: Kept = { callId, paymentId, costMicroUsd: costMicroUsd.toString(), completion, events };
    const sizeChars = (completion ?? events ?? "").length;
    const isKept = sizeChars <= MAX_KEPT_CHARS && (await consumeResponseQuota(rateLimiter, accountId, kept));
    await completeOrDiscard(claim, isKept ? kept : GONE, logger);
  };
  if (!stream) {
    await keep(null);
    return answer;
  }
  const passed = captureStream(stream, {
    maxBytes: MAX_KEPT_CHARS,
    isWhole: (_sizeBytes, chunk) => chunk?.subarray(-DONE.length).equals(DONE) ?? false,
    keep: (bytes) => (bytes ? keep(bytes.toString("utf8")) : completeOrDiscard(claim, GONE, logger)),
  });
  return { ...answer, stream: passed };
}

const DONE = Buffer.from("data: [DONE]\n\n");
