/** Background work on PostgreSQL (pg-boss): survives restarts, runs on one node at a time. */
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { lazy } from "../concurrency/memoize.ts";
import type { Database } from "../database/connection.ts";
import type { Logger } from "../observability/logger.ts";
import { createRepeat, RECURRING_LEASE, type Repeat } from "./recurring.ts";

export interface Jobs {
  readonly repeat: Repeat;
  /** Opens the queue `name`, whose jobs are kept until done. */
  queue<Payload extends object>(name: string, options: QueueOptions): Promise<JobQueue<Payload>>;
  /** Waits for jobs under way. Asked again, it answers the same. */
  stop(): Promise<void>;
}

export interface QueueOptions {
  /** How often a job that failed is tried again. */
  readonly retryLimit: number;
  /** Before the first retry; doubles with each further one, up to `retryDelayMaxSeconds`. At least 1. */
  readonly retryDelaySeconds: number;
  readonly retryDelayMaxSeconds: number;
  /** How long a job may wait before it is given up. */
  readonly retentionSeconds: number;
  /** A job that runs longer counts as failed, as after a crash. */
  readonly timeoutSeconds: number;
}

export interface JobQueue<Payload extends object> {
  /**
   * Adds a job, durable once this returns. `payload` is stored as JSON: no secrets in it. A job whose `key` was used
   * in the last seven days is not added again.
   */
  send(payload: Payload, options?: { key?: string | undefined }): Promise<void>;
  /** Does jobs here, one at a time: at least once each, and again after an error until the retries are used up. */
  work(handler: (payload: Payload, jobId: string) => Promise<void>): Promise<void>;
}

const DONE_KEPT_SECONDS = 7 * 86_400;

/** A process asks at once for what it adds itself. Polling finds the rest: retries, and what another added and did not live to do. */
const POLLING_SECONDS = 2;
/** Jobs that wait for others: nothing here uses them. */
const FLOW_SECONDS = 3_600;
const STOP_TIMEOUT_MS = 10_000;

export async function startJobs(db: Database, logger: Logger, lease = RECURRING_LEASE): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.executeSql(text, values) },
    schema: "jobs",
    // pg-boss's own bookkeeping needs no more than this.
    maintenanceIntervalSeconds: 300,
    supervise: true,
    schedule: false,
    flowIntervalSeconds: FLOW_SECONDS,
  });
  boss.on("error", (error) => logger.error({ err: error }, "job queue"));
  await boss.start();
  const stopping = new AbortController();
  const repeat = createRepeat({ boss, logger, lease, signal: stopping.signal });
  const worked = new Set<string>();
  return {
    repeat(name, everyMs, work) {
      worked.add(name);
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
        deleteAfterSeconds: DONE_KEPT_SECONDS,
      };
      await boss.createQueue(name, rules);
      // A queue of an earlier version keeps its rules otherwise.
      await boss.updateQueue(name, rules);
      let worker: string | null = null;
      const wake = () => {
        if (worker !== null) boss.notifyWorker(worker);
      };
      return {
        async send(payload, { key } = {}) {
          await boss.send(name, payload, key === undefined ? {} : { id: jobIdOf(name, key) });
          wake();
        },
        async work(handler) {
          const polling = { pollingIntervalSeconds: POLLING_SECONDS, batchSize: 1, includeMetadata: true } as const;
          worked.add(name);
          worker = await boss.work<Payload, void, typeof polling>(name, polling, async ([job]) => {
            if (!job) return;
            // Where there was one there may be more: the next is asked for as soon as this one is done.
            wake();
            try {
              await handler(job.data, job.id);
            } catch (error) {
              const isLast = job.retryCount >= job.retryLimit;
              const outcome = isLast ? "job failed and is given up" : "job failed; it is tried again";
              logger[isLast ? "error" : "warn"]({ err: error, job: name, jobId: job.id }, outcome);
              throw error;
            }
          });
        },
      };
    },
    stop: lazy(async () => {
      stopping.abort();
      // Before pg-boss, which asks twice a second whether what it runs has ended.
      const ended = Promise.all([...worked].map((name) => boss.offWork(name)));
      await Promise.race([ended, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      await boss.stop({ graceful: false });
    }),
  };
}

/** A UUID that is the same for the same key: the primary key of jobs refuses the second. */
function jobIdOf(name: string, key: string): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([name, key]))
    .digest("hex");
  // The bits RFC 9562 asks of a UUID made by a rule of one's own (version 8).
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
