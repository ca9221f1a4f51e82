/** Background work on PostgreSQL (pg-boss): survives restarts, runs on one node at a time. */
import { PgBoss } from "pg-boss";
import type { Database } from "./database.ts";
import type { Logger } from "./logger.ts";

export interface Jobs {
  /** Runs `work` again and again, `everyMs` after the last run ended, on one node of all. */
  repeat(name: string, everyMs: number, work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** pg-boss polls for due jobs this often; shorter intervals than this are not kept. */
const POLLING_SECONDS = 0.5;

export async function startJobs(db: Database, logger: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.executeSql(text, values) },
    schema: "jobs",
    // pg-boss's own bookkeeping needs no more than this.
    maintenanceIntervalSeconds: 300,
    supervise: true,
    schedule: true,
  });
  boss.on("error", (error) => logger.error({ err: error }, "job queue"));
  await boss.start();
  return {
    async repeat(name, everyMs, work) {
      // "short": at most one job of the queue waits, so that many nodes asking for the next run make one.
      await boss.createQueue(name, { policy: "short", retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3600 });
      const next = () => boss.send(name, null, { startAfter: new Date(Date.now() + everyMs) });
      await boss.work(name, { pollingIntervalSeconds: POLLING_SECONDS, batchSize: 1 }, async () => {
        try {
          await work();
        } catch (error) {
          logger.error({ err: error, job: name }, "job failed; it runs again");
        } finally {
          await next();
        }
      });
      // The safety net: a node that dies between a run and its successor leaves a queue that cron fills again.
      await boss.schedule(name, "* * * * *");
      await next();
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}
