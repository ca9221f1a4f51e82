/** Kills a process at a given point: a trigger blocks one statement, and the test kills the process while it is blocked. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { Satchel } from "./satchel.ts";
import type { SatchelProcess } from "./satchel-process.ts";

export interface StopPoints {
  /** Blocks the next statement at this point; null disables the selected point. Uses `withDatabase`. */
  stopAt(point: string | null): Promise<void>;
  /** Waits until the process is blocked in the selected statement, then kills it. */
  killWhenStopped(running: SatchelProcess): Promise<void>;
}

/** Points within a payment. Each is before the commit of one change: the reservation, the signature, the stored response. */
export const PAYMENT_POINTS = {
  reserved: "BEFORE INSERT ON transactions FOR EACH ROW WHEN (NEW.type = 'x402')",
  signed: "BEFORE UPDATE ON transactions FOR EACH ROW WHEN (OLD.status = 'reserved' AND NEW.status = 'signed')",
  answered: "BEFORE UPDATE ON idempotency_records FOR EACH ROW WHEN (NEW.answer IS NOT NULL)",
} as const;

/**
 * @param options.server URL of the database server; null for PGlite
 * @param options.points trigger definitions by point name, such as `BEFORE INSERT ON trades FOR EACH ROW`
 */
export async function createStopPoints(
  satchel: Satchel,
  options: { server: string | null; points: Readonly<Record<string, string>> },
): Promise<StopPoints> {
  const { server, points } = options;
  const triggers = Object.entries(points).map(
    ([name, event]) => `CREATE TRIGGER stop_at_${name} ${event} EXECUTE FUNCTION stop_here('${name}');`,
  );
  // PGlite blocks its process and accepts only one connection, so the trigger reports by writing a file.
  const markerFile = join(satchel.dataDir, "pglite", "stopped");
  const writeMarker =
    server === null ? "EXECUTE format('COPY (SELECT 1) TO %L', current_setting('data_directory') || '/stopped');" : "";
  await satchel.withDatabase((db) =>
    db.executeSql(`CREATE TABLE stop_at (point text);
      CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM stop_at WHERE point = TG_ARGV[0]) THEN
          ${writeMarker}
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
          expect(existsSync(markerFile)).toBe(true);
          return;
        }
        const sleeping =
          "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
        const { rows } = await satchel.withDatabase((db) => db.executeSql(sleeping));
        expect(rows).toEqual([{ n: 1 }]);
      };
      await vi.waitFor(hangs, { timeout: 30_000, interval: 50 });
      await running.kill();
      await rm(markerFile, { force: true });
      await stopAt(null);
      if (server === null) return;
      // The server detects the closed connection only at its next read, so the statement is terminated explicitly.
      const end =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
      await satchel.withDatabase((db) => db.executeSql(end));
    },
  };
}
