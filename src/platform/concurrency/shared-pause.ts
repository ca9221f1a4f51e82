/**
 * Pauses of work that fails for a cause which many objects share, such as an unavailable network. One object is attempted
 * after each pause, not every object.
 */
export interface SharedPause {
  /** Returns "running", "paused", or "probing" when a pause has ended and no attempt has succeeded since. */
  state(cause: string): "running" | "paused" | "probing";
  /** Begins a pause, twice as long as the previous one. Failures during a pause do not extend it. */
  fail(cause: string): void;
  succeed(cause: string): void;
}

const FIRST_MS = 1_000;
const MAX_MS = 60_000;

/** Creates pauses in this process, in which one node at a time runs the work. */
export function createSharedPause(): SharedPause {
  const pauses = new Map<string, { readonly lengthMs: number; readonly untilMs: number }>();
  const state = (cause: string) => {
    const pause = pauses.get(cause);
    if (!pause) return "running";
    return performance.now() < pause.untilMs ? "paused" : "probing";
  };
  return {
    state,
    fail(cause) {
      if (state(cause) === "paused") return;
      const lengthMs = Math.min(2 * (pauses.get(cause)?.lengthMs ?? FIRST_MS / 2), MAX_MS);
      pauses.set(cause, { lengthMs, untilMs: performance.now() + lengthMs });
    },
    succeed(cause) {
      pauses.delete(cause);
    },
  };
}
