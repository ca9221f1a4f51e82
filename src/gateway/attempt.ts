import type { ClaimFence } from "../platform/idempotency/claim.ts";
import type { BoundRequest } from "./bind-request.ts";
import type { Call } from "./call.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { Gateway } from "./deps.ts";
import type { Offer } from "./models.ts";

/** One call of one provider. */
export interface Attempt {
  readonly offer: Offer;
  readonly request: ChatRequest;
  readonly bound: BoundRequest;
  /** Returns the estimated tokens of the prompt, at most the model's context length. Counted on first use. */
  readonly promptTokens: () => Promise<number>;
  readonly call: Call;
  /** The caller's `Idempotency-Key`. */
  readonly idempotencyKey: string | null;
  /** The call's claim on that key. */
  readonly claim: ClaimFence | null;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal | undefined;
}

/** Returns the timeout for the first bytes of a response. Those of a response that is not streamed come when it is complete. */
export function getStartTimeoutMs({ timeouts }: Gateway, { isStreamed }: ChatRequest): number {
  return isStreamed ? timeouts.streamStartMs : timeouts.completionMs;
}

/** Returns the maximum silence within a response's body. */
export function getBodyIdleMs({ timeouts }: Gateway, { isStreamed }: ChatRequest): number {
  return isStreamed ? timeouts.idleMs : timeouts.completionMs;
}
