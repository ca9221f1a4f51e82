/** Work that is done again and again on one node of all, whichever: pg-boss says on which. */
import { setTimeout as wait } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import type { Logger } from "../observability/logger.ts";

/**
 * Runs `work` about every `everyMs`, on one node of all. Rarely on two at once: where one begins while another has the work, and
 * where a run takes longer than half a minute.
 */
export type Repeat = (name: string, everyMs: number, work: () => Promise<void>) => Promise<void>;

export interface RecurringLease {
  /**
   * Work more frequent than that is one job for so long, not one for each run: three statements in place of a hundred. After a
   * node has died, another goes on within this and a look.
   */
  readonly tenureMs: number;
  /** Whoever has the work knows when it is due again. The others look as seldom as this; at least 0.5. */
  readonly lookEverySeconds: number;
}

export const RECURRING_LEASE: RecurringLease = { tenureMs: 30_000, lookEverySeconds: 15 };
/** "short": at most one job of a key waits, so that many nodes asking for the next make one. */
const QUEUE = { policy: "short", retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3600 } as const;
/** A timer may fire a moment early and the database's clock be a moment late: who then finds nothing would wait for a whole look. */
const LOOK_AFTER_DUE_MS = 5;
const NEXT = { singletonKey: "next" };

export interface RepeatDeps {
  readonly boss: PgBoss;
  readonly logger: Logger;
  readonly tenure: RecurringLease;
  /** Once aborted no further run begins, and other nodes may have the work. */
  readonly signal: AbortSignal;
}

export function createRepeat({ boss, logger, tenure, signal }: RepeatDeps): Repeat {
  return async function repeat(name, everyMs, work) {
    const isFrequent = everyMs < tenure.tenureMs;
    // Whole runs, so that the first of a tenure comes no sooner after the last of the one before.
    const tenureMs = isFrequent ? everyMs * Math.floor(tenure.tenureMs / everyMs) : everyMs;
    const run = async () => {
      try {
        await work();
      } catch (error) {
        logger.error({ err: error, job: name }, "job failed; it runs again");
      }
    };
    // In seconds, which the database counts by its own clock.
    const queueNext = (afterMs: number) => boss.send(name, null, { ...NEXT, startAfter: afterMs / 1_000 });
    const bringForward = (afterMs: number) => boss.update(name, undefined, { ...NEXT, startAfter: afterMs / 1_000 });
    const lookIn = (afterMs: number) =>
      setTimeout(() => boss.notifyWorker(worker), Math.max(0, afterMs) + LOOK_AFTER_DUE_MS).unref();
    const notQueued = (error: unknown) => logger.error({ err: error, job: name }, "next run not queued; tried again");

    // One waits at all times, but where the database was away as it was to be queued; and not for long, but where its clock was ahead.
    const ensureNext = async () => {
      if ((await queueNext(everyMs)) !== null) return;
      const [next] = await boss.findJobs(name, { key: NEXT.singletonKey, queued: true });
      if (next && next.startAfter.getTime() > Date.now() + 2 * tenureMs) await bringForward(everyMs);
    };

    await boss.createQueue(name, QUEUE);
    const looking = { pollingIntervalSeconds: tenure.lookEverySeconds, batchSize: 1 };
    const worker = await boss.work(name, looking, async () => {
      // Before anything is done: should this node die meanwhile, there is another job for the others.
      await queueNext(tenureMs).catch(notQueued);
      const untilMs = performance.now() + tenureMs;
      while (!signal.aborted) {
        await run();
        if (performance.now() + everyMs >= untilMs) break;
        await wait(everyMs, undefined, { signal, ref: false }).catch(() => {});
      }
      if (!signal.aborted) lookIn(untilMs - performance.now());
      else if (isFrequent) await bringForward(0);
    });
    // What waits may be for the end of a tenure whose node has died.
    if ((await queueNext(everyMs)) === null && isFrequent) await bringForward(everyMs);
    if (signal.aborted) return;
    lookIn(everyMs);
    const timer = setInterval(() => ensureNext().catch(notQueued), 2 * tenureMs).unref();
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  };
}
