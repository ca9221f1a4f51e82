import type { BoundRequest } from "./bind-request.ts";
import type { Call } from "./call.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { Offer } from "./models.ts";

/** How long an answer may go on: a caller who reads slowly, or a provider who never ends, holds money and a connection. */
export const LONGEST_ANSWER_MS = 30 * 60_000;

/** What one provider is asked. */
export interface Attempt {
  readonly offer: Offer;
  readonly request: ChatRequest;
  readonly bound: BoundRequest;
  /** How long the prompt is, and no longer than the model takes; counted when it is first asked for. */
  readonly promptTokens: () => Promise<number>;
  readonly call: Call;
  /** The caller's. */
  readonly idempotencyKey: string | null;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal | undefined;
}
