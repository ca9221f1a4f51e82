/** Stops a process at a point of the test's choosing: one statement takes for ever, and the process is killed in it. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { Satchel } from "./satchel.ts";
import type { SatchelProcess } from "./satchel-process.ts";

export interface StopPoints {
  /** The next statement at that point hangs; null: none does. As `withDatabase`. */
  stopAt(point: string | null): Promise<void>;
  /** Waits until the process hangs in the statement it was to be stopped at, then kills it. */
  killWhenStopped(running: SatchelProcess): Promise<void>;
}

/** Where a payment is half done: before its reservation is committed, before its signature is, and before its answer is. */
export const PAYMENT_POINTS = {
  reserved: "BEFORE INSERT ON transactions FOR EACH ROW WHEN (NEW.type = 'x402')",
  signed: "BEFORE UPDATE ON transactions FOR EACH ROW WHEN (OLD.status = 'reserved' AND NEW.status = 'signed')",
  answered: "BEFORE UPDATE ON idempotency_records FOR EACH ROW WHEN (NEW.answer IS NOT NULL)",
} as const;

/**
 * @param options.server the database server; null for PGlite
 * @param options.points name → the moment, as a trigger writes it: `BEFORE INSERT ON trades FOR EACH ROW`
 */
export async function layStopPoints(
  satchel: Satchel,
  options: { server: string | null; points: Readonly<Record<string, string>> },
): Promise<StopPoints> {
  const { server, points } = options;
  const triggers = Object.entries(points).map(
    ([name, moment]) => `CREATE TRIGGER stop_at_${name} ${moment} EXECUTE FUNCTION stop_here('${name}');`,
  );
  // The embedded database blocks its process and accepts no second connection, so the trigger writes a file.
  const sign = join(satchel.dataDir, "pglite", "stopped");
  const leaveSign =
    server === null ? "EXECUTE format('COPY (SELECT 1) TO %L', current_setting('data_directory') || '/stopped');" : "";
  await satchel.withDatabase((db) =>
    db.executeSql(`CREATE TABLE stop_at (point text);
      CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM stop_at WHERE point = TG_ARGV[0]) THEN
          ${leaveSign}
          PERFORM pg_sleep(60);
        END IF;
        RETURN NEW; END $$;
      ${triggers.join("\n")}`),
  );
  let current: string | null = null;
  const stopAt = async (point: string | null) => {
    if (point === current) return;
    await satchel.withDatabase((db) =>
      db.executeSql(`DELETE FROM stop_at; ${point ? `INSERT INTO stop_at VALUES ('${point}')` : ""}`),
    );
    current = point;
  };
  return {
    stopAt,
    async killWhenStopped(running) {
      const hangs = async () => {
        if (server === null) {
          expect(existsSync(sign)).toBe(true);
          return;
        }
        const sleeping =
          "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
        const { rows } = await satchel.withDatabase((db) => db.executeSql(sleeping));
        expect(rows).toEqual([{ n: 1 }]);
      };
      await vi.waitFor(hangs, { timeout: 30_000, interval: 50 });
      await running.kill();
      await rm(sign, { force: true });
      await stopAt(null);
      if (server === null) return;
      // The server finishes, or not, what its client has asked for: a broken connection is noticed at the next read.
      const end =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
      await satchel.withDatabase((db) => db.executeSql(end));
    },
  };
}
