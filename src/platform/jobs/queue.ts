/** Background jobs in PostgreSQL (pg-boss). They survive restarts, and each runs on one node at a time. */
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { lazy } from "../concurrency/memoize.ts";
import type { Database, Statement } from "../database/connection.ts";
import type { Logger } from "../observability/logger.ts";
import { createRepeat, RECURRING_LEASE, type Repeat } from "./recurring.ts";

export interface Jobs {
  readonly repeat: Repeat;
  /** Opens the durable queue `name`. */
  queue<Payload extends object>(name: string, options: QueueOptions): Promise<JobQueue<Payload>>;
  /** Waits for running jobs. Further calls return the same promise. */
  stop(): Promise<void>;
}

export interface QueueOptions {
  /** Maximum number of retries of a failed job. */
  readonly retryLimit: number;
  /** Delay before the first retry, at least 1. Doubles with each retry, up to `retryDelayMaxSeconds`. */
  readonly retryDelaySeconds: number;
  readonly retryDelayMaxSeconds: number;
  /** Maximum time that a job waits before it expires. */
  readonly retentionSeconds: number;
  /** Maximum run time of a job; a longer run counts as failed, as after a crash. */
  readonly timeoutSeconds: number;
}

export interface JobQueue<Payload extends object> {
  /**
   * Adds a job, which is durable when the promise resolves. `payload` is stored as JSON and must not contain secrets. A job
   * whose `key` was used in the last seven days is ignored. Jobs of an `owner` that has many waiting run after those of owners with
   * fewer.
   */
  send(payload: Payload, options?: { key?: string | undefined; owner?: string | undefined }): Promise<void>;
  /** Runs jobs in this process, one at a time and each at least once. A failed job is retried up to `retryLimit`. */
  work(handler: (payload: Payload, jobId: string) => Promise<void>): Promise<void>;
}

const FINISHED_RETENTION_SECONDS = 7 * 86_400;

/** A process fetches jobs that it added immediately. Polling finds the others: retries, and jobs of a process that crashed. */
const POLLING_SECONDS = 2;
/** Interval for pg-boss's job dependencies, which Satchel does not use. */
const FLOW_SECONDS = 3_600;
const STOP_TIMEOUT_MS = 10_000;

export async function startJobs(db: Database, logger: Logger, lease = RECURRING_LEASE): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.executeSql(text, values) },
    schema: "jobs",
    // Frequent enough for the maintenance of pg-boss.
    maintenanceIntervalSeconds: 300,
    supervise: true,
    schedule: false,
    flowIntervalSeconds: FLOW_SECONDS,
  });
  boss.on("error", (error) => logger.error({ err: error }, "Job queue failed"));
  await boss.start();
  const stopping = new AbortController();
  const repeat = createRepeat({ boss, logger, lease, signal: stopping.signal });
  const workedQueues = new Set<string>();
  return {
    repeat(name, everyMs, work) {
      workedQueues.add(name);
      return repeat(name, everyMs, work);
    },
    async queue<Payload extends object>(name: string, options: QueueOptions): Promise<JobQueue<Payload>> {
      const rules = {
        retryLimit: options.retryLimit,
        retryDelay: options.retryDelaySeconds,
        retryDelayMax: options.retryDelayMaxSeconds,
        retryBackoff: true,
        retentionSeconds: options.retentionSeconds,
        expireInSeconds: options.timeoutSeconds,
        deleteAfterSeconds: FINISHED_RETENTION_SECONDS,
      };
      await boss.createQueue(name, rules);
      // `createQueue` does not change an existing queue, such as one of an earlier version.
      await boss.updateQueue(name, rules);
      let worker: string | null = null;
      const wake = () => {
        if (worker !== null) boss.notifyWorker(worker);
      };
      return {
        async send(payload, { key, owner } = {}) {
          await boss.send(name, payload, {
            ...(key === undefined ? {} : { id: jobIdOf(name, key) }),
            ...(owner === undefined ? {} : { group: { id: owner }, priority: -(await countWaiting(db, name, owner)) }),
          });
          wake();
        },
        async work(handler) {
          const polling = { pollingIntervalSeconds: POLLING_SECONDS, batchSize: 1, includeMetadata: true } as const;
          workedQueues.add(name);
          worker = await boss.work<Payload, void, typeof polling>(name, polling, async ([job]) => {
            if (!job) return;
            // The queue may have more jobs: fetch the next as soon as this one ends.
            wake();
            try {
              await handler(job.data, job.id);
            } catch (error) {
              const isLast = job.retryCount >= job.retryLimit;
              const outcome = isLast ? "Job failed; no retries left" : "Job failed; retry scheduled";
              logger[isLast ? "error" : "warn"]({ err: error, job: name, jobId: job.id }, outcome);
              throw error;
            }
          });
        },
      };
    },
    stop: lazy(async () => {
      stopping.abort();
      // Faster than pg-boss's own graceful stop, which polls twice a second.
      const ended = Promise.all([...workedQueues].map((name) => boss.offWork(name)));
      await Promise.race([ended, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      await boss.stop({ graceful: false });
    }),
  };
}

// A sample bounds the cost. It contains most of the jobs of an owner that has most of the queue.
const COUNT_WAITING: Statement = {
  name: "count-waiting-jobs",
  text: `SELECT count(*)::int AS waiting FROM (SELECT group_id FROM jobs.job WHERE name = $1 AND state < 'active' LIMIT 5000) sample
    WHERE group_id = $2`,
};

async function countWaiting(db: Database, name: string, owner: string): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(COUNT_WAITING, [name, owner]);
  return row?.waiting ?? 0;
}

/** Derives a UUID from the key, so the primary key of the jobs table rejects a duplicate. */
function jobIdOf(name: string, key: string): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([name, key]))
    .digest("hex");
  // Version 8 of RFC 9562: a UUID with a custom layout.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
