/** Recurring jobs: pg-boss assigns each run to one node. */
import { setTimeout as wait } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import type { Logger } from "../observability/logger.ts";

/**
 * Runs `work` about every `everyMs` on one node. Runs on two nodes may overlap when a node starts while another has the
 * lease, or when a run lasts longer than 30 seconds.
 */
export type Repeat = (name: string, everyMs: number, work: () => Promise<void>) => Promise<void>;

export interface RecurringLease {
  /**
   * Duration of a lease. Work with a shorter interval runs many times within one pg-boss job, which saves most of its
   * statements. If a node crashes, another continues after at most one lease and one poll interval.
   */
  readonly leaseMs: number;
  /** Poll interval of the nodes without the lease, at least 0.5. The lease holder knows when the next run is due. */
  readonly pollSeconds: number;
}

export const RECURRING_LEASE: RecurringLease = { leaseMs: 30_000, pollSeconds: 15 };
/** Policy "short": at most one queued job per key, so all nodes together queue one next run. */
const QUEUE = { policy: "short", retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3600 } as const;
/** Margin for an early timer or a late database clock: a poll before the job is due would wait for another poll interval. */
const POLL_AFTER_DUE_MS = 5;
const NEXT = { singletonKey: "next" };

export interface RepeatDeps {
  readonly boss: PgBoss;
  readonly logger: Logger;
  readonly lease: RecurringLease;
  /** After an abort no further run starts, and other nodes may acquire the lease. */
  readonly signal: AbortSignal;
}

export function createRepeat({ boss, logger, lease, signal }: RepeatDeps): Repeat {
  return async function repeat(name, everyMs, work) {
    const isFrequent = everyMs < lease.leaseMs;
    // A multiple of the interval, so the first run of a lease is not too early after the last run of the previous lease.
    const leaseMs = isFrequent ? everyMs * Math.floor(lease.leaseMs / everyMs) : everyMs;
    const run = async () => {
      try {
        await work();
      } catch (error) {
        logger.error({ err: error, job: name }, "Recurring job failed; next run scheduled");
      }
    };
    // In seconds, relative to the database's clock.
    const queueNext = (afterMs: number) => boss.send(name, null, { ...NEXT, startAfter: afterMs / 1_000 });
    const rescheduleNext = (afterMs: number) => boss.update(name, undefined, { ...NEXT, startAfter: afterMs / 1_000 });
    const schedulePoll = (afterMs: number) =>
      setTimeout(() => boss.notifyWorker(worker), Math.max(0, afterMs) + POLL_AFTER_DUE_MS).unref();
    const logNotQueued = (error: unknown) =>
      logger.error({ err: error, job: name }, "Next run not queued; retry scheduled");

    // Repairs the queue: no next run if the database was unavailable, or one far in the future if its clock was ahead.
    const ensureNext = async () => {
      if ((await queueNext(everyMs)) !== null) return;
      const [next] = await boss.findJobs(name, { key: NEXT.singletonKey, queued: true });
      if (next && next.startAfter.getTime() > Date.now() + 2 * leaseMs) await rescheduleNext(everyMs);
    };

    await boss.createQueue(name, QUEUE);
    const polling = { pollingIntervalSeconds: lease.pollSeconds, batchSize: 1 };
    const worker = await boss.work(name, polling, async () => {
      // Queued before the work: if this node crashes, another node runs the next job.
      await queueNext(leaseMs).catch(logNotQueued);
      const untilMs = performance.now() + leaseMs;
      while (!signal.aborted) {
        await run();
        if (performance.now() + everyMs >= untilMs) break;
        await wait(everyMs, undefined, { signal, ref: false }).catch(() => {});
      }
      if (!signal.aborted) schedulePoll(untilMs - performance.now());
      else if (isFrequent) await rescheduleNext(0);
    });
    // The queued job may be due only at the end of a crashed node's lease.
    if ((await queueNext(everyMs)) === null && isFrequent) await rescheduleNext(everyMs);
    if (signal.aborted) return;
    schedulePoll(everyMs);
    const timer = setInterval(() => ensureNext().catch(logNotQueued), 2 * leaseMs).unref();
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  };
}
