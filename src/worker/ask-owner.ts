/** Asks the account owner through the service, and waits while the service restarts. */
import { setTimeout as after } from "node:timers/promises";
import type { QuestionInput } from "../checkout/worker-protocol/question.ts";
import type { ActiveLease } from "./lease.ts";
import { type ServiceClient, ServiceUnavailableError } from "./service-client.ts";
import { LeaseLostError } from "./session.ts";

const WAIT_MS = 20_000;
const RETRY_MS = 1_000;

/**
 * Returns the answer, or null if there is none in time or the service refuses the question. The time limit of the order pauses meanwhile. Rejects with the reason of the lease's signal.
 */
export async function askOwner(
  deps: {
    readonly client: Pick<ServiceClient, "ask" | "awaitAnswer">;
    readonly lease: string;
    readonly activeLease: Pick<ActiveLease, "signal" | "pause" | "giveUp">;
  },
  question: QuestionInput,
): Promise<string | null> {
  const { client, lease, activeLease } = deps;
  const { signal } = activeLease;
  const resume = activeLease.pause();
  try {
    const asked = await untilAvailable(signal, () => client.ask(lease, question));
    if (!asked) return null;
    for (;;) {
      const calledAtMs = performance.now();
      const state = await untilAvailable(signal, () => client.awaitAnswer(lease, asked.id, WAIT_MS, signal));
      if (state.status === "answered") return state.answer;
      if (state.status === "expired") return null;
      // The service responds at once while it shuts down.
      if (performance.now() - calledAtMs < RETRY_MS) await after(RETRY_MS, undefined, { signal });
    }
  } catch (error) {
    if (error instanceof LeaseLostError) activeLease.giveUp(error);
    throw error;
  } finally {
    resume();
  }
}

/** Repeats a call that can be repeated until the service responds. The lease expires meanwhile if it remains unavailable. */
async function untilAvailable<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof ServiceUnavailableError)) throw error;
      await after(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}
