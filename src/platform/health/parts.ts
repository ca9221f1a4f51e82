/** State of the parts outside of this process, such as chains and the mail server: checked at the start and periodically. */
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";

/** A part that works, but not as configured. The message is for operators and contains no secrets. */
export class PartFault extends Error {
  override readonly name = "PartFault";
}

export interface PartCheck {
  /** Such as `smtp`; from a small closed set. */
  readonly name: string;
  /** Rejects if the part is degraded: with a `PartFault`, or with the error of a library. */
  check(): Promise<unknown>;
}

export interface PartState {
  readonly status: "ok" | "degraded";
  /** Why the part is degraded; null if it is not. */
  readonly reason: string | null;
  readonly since: Date;
  /** Whether the check proved that the part is not the configured one, instead of failing. */
  readonly isFault: boolean;
}

export interface Parts {
  add(check: PartCheck): void;
  /** Runs all checks once, each up to its timeout. Never rejects. */
  checkAll(): Promise<void>;
  /** Checks all parts every minute, and degraded ones more often, until `stop`. */
  startChecking(): void;
  /** Returns the state of each checked part by its name. */
  states(): ReadonlyMap<string, PartState>;
  stop(): void;
}

export const PART_TIMEOUT_MS = 5_000;
const INTERVAL_MS = 60_000;
const DEGRADED_INTERVAL_MS = 15_000;

export function createParts({
  logger,
  metrics,
  timeoutMs = PART_TIMEOUT_MS,
}: {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly timeoutMs?: number;
}): Parts {
  const checks: PartCheck[] = [];
  const states = new Map<string, PartState>();
  const gauge = metrics.gauge("satchel_part_degraded", "1 while a part is degraded, else 0.", ["part"]);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const record = (name: string, error: unknown) => {
    const before = states.get(name);
    const reason = error === null ? null : describeReason(error);
    const status = reason === null ? "ok" : "degraded";
    const since = before?.status === status ? before.since : new Date();
    states.set(name, { status, reason, since, isFault: error instanceof PartFault });
    gauge.labels(name).set(status === "ok" ? 0 : 1);
    if (isStopped || before?.reason === reason) return;
    if (reason !== null) logger.warn({ part: name, reason }, "Part is degraded");
    else if (before) logger.info({ part: name }, "Part is no longer degraded");
  };

  const run = async ({ name, check }: PartCheck) => record(name, await failureOf(check, timeoutMs));

  const runDue = async (round: number) => {
    const isFull = round % (INTERVAL_MS / DEGRADED_INTERVAL_MS) === 0;
    await Promise.all(checks.filter(({ name }) => isFull || states.get(name)?.status !== "ok").map(run));
    schedule(round + 1);
  };
  const schedule = (round: number) => {
    if (!isStopped) timer = setTimeout(() => void runDue(round), DEGRADED_INTERVAL_MS).unref();
  };

  return {
    add: (check) => void checks.push(check),
    checkAll: async () => void (await Promise.all(checks.map(run))),
    startChecking: () => schedule(1),
    states: () => states,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Returns the error of the check, a fault after the timeout, or null. */
async function failureOf(check: () => Promise<unknown>, timeoutMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<unknown>((resolve) => {
    timer = setTimeout(() => resolve(new TimeoutError(`no response within ${timeoutMs / 1_000} s`)), timeoutMs);
  });
  const result = (async () => check())().then(
    () => null,
    (error: unknown) => error ?? new Error("Unknown error"),
  );
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

class TimeoutError extends Error {}

/** Returns an own message, or else only the name or code: messages of libraries may quote URLs with credentials. */
function describeReason(error: unknown): string {
  if (error instanceof PartFault || error instanceof TimeoutError) return error.message;
  const { code, reason, name } = error as { code?: unknown; reason?: unknown; name?: unknown };
  return String(reason ?? code ?? name ?? "unknown error").slice(0, 100);
}
