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
  readonly leaseMs: number;
  /** Whoever has the work knows when it is due again. The others look as seldom as this; at least 0.5. */
  readonly pollSeconds: number;
}

export const RECURRING_LEASE: RecurringLease = { leaseMs: 30_000, pollSeconds: 15 };
/** "short": at most one job of a key waits, so that many nodes asking for the next make one. */
const QUEUE = { policy: "short", retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3600 } as const;
/** A timer may fire a moment early and the database's clock be a moment late: who then finds nothing would wait for a whole look. */
const LOOK_AFTER_DUE_MS = 5;
const NEXT = { singletonKey: "next" };

export interface RepeatDeps {
  readonly boss: PgBoss;
  readonly logger: Logger;
  readonly lease: RecurringLease;
  /** Once aborted no further run begins, and other nodes may have the work. */
  readonly signal: AbortSignal;
}

export function createRepeat({ boss, logger, lease, signal }: RepeatDeps): Repeat {
  return async function repeat(name, everyMs, work) {
    const isFrequent = everyMs < lease.leaseMs;
    // Whole runs, so that the first of a lease comes no sooner after the last of the one before.
    const leaseMs = isFrequent ? everyMs * Math.floor(lease.leaseMs / everyMs) : everyMs;
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
      if (next && next.startAfter.getTime() > Date.now() + 2 * leaseMs) await bringForward(everyMs);
    };

    await boss.createQueue(name, QUEUE);
    const looking = { pollingIntervalSeconds: lease.pollSeconds, batchSize: 1 };
    const worker = await boss.work(name, looking, async () => {
      // Before anything is done: should this node die meanwhile, there is another job for the others.
      await queueNext(leaseMs).catch(notQueued);
      const untilMs = performance.now() + leaseMs;
      while (!signal.aborted) {
        await run();
        if (performance.now() + everyMs >= untilMs) break;
        await wait(everyMs, undefined, { signal, ref: false }).catch(() => {});
      }
      if (!signal.aborted) lookIn(untilMs - performance.now());
      else if (isFrequent) await bringForward(0);
    });
    // What waits may be for the end of a lease whose node has died.
    if ((await queueNext(everyMs)) === null && isFrequent) await bringForward(everyMs);
    if (signal.aborted) return;
    lookIn(everyMs);
    const timer = setInterval(() => ensureNext().catch(notQueued), 2 * leaseMs).unref();
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  };
}
