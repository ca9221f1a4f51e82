/** The end of the statements that began before a freeze. */
import { setTimeout as wait } from "node:timers/promises";
import type { Database, Statement } from "../../platform/database/connection.ts";

const POLL_MS = 10;
/** Longer than DATABASE_TIMEOUT_MS permits a statement by default. */
const MAX_WAIT_MS = 60_000;
/** The longest time that DATABASE_TIMEOUT_MS can permit. */
const MAX_AGE_MS = 600_000;

/**
 * The transactions that read `service_freeze`. A statement locks the tables that it reads before its snapshot, and until its
 * transaction ends. One that saw the state before a freeze is thus among them when the freeze has committed. Transactions of other
 * users, such as backups and autovacuum, and those older than this service's can be, reserve nothing. They may last hours.
 */
const FIND_READERS: Statement = {
  name: "find-readers-of-freezes",
  text: `SELECT DISTINCT virtualtransaction AS id FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'public.service_freeze'::regclass AND granted AND pid IS DISTINCT FROM pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = pg_locks.pid
        AND (a.usename IS DISTINCT FROM current_user OR a.xact_start < now() - interval '${MAX_AGE_MS} milliseconds'))`,
};

/**
 * Waits until each transaction has ended that may have seen the state before a freeze. Call it after the freeze has committed. Other
 * statements do not wait.
 * @throws {Error} after a minute
 */
export async function awaitEarlierStatements(db: Database): Promise<void> {
  const listReaders = async () => (await db.query<{ id: string }>(FIND_READERS, [])).map(({ id }) => id);
  const deadlineMs = Date.now() + MAX_WAIT_MS;
  const earlier = new Set(await listReaders());
  for (let remaining = earlier.size; remaining > 0; ) {
    if (Date.now() > deadlineMs) {
      throw new Error("The freeze is in force. An operation that began before it has not ended for a minute.");
    }
    await wait(POLL_MS);
    remaining = (await listReaders()).filter((id) => earlier.has(id)).length;
  }
}
