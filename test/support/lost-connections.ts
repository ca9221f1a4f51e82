import { onTestFinished } from "vitest";
import type { Database } from "../../src/platform/database/connection.ts";

/** Simulates lost connections: the first `times` statements with a matching name fail until the test ends. */
export function simulateLostConnections(db: Database, names: RegExp, times = Number.POSITIVE_INFINITY): void {
  const { query } = db;
  let left = times;
  db.query = (statement, values) => {
    if (!names.test(statement.name) || left <= 0) return query.call(db, statement, values) as Promise<never[]>;
    left -= 1;
    return Promise.reject(new Error("connection terminated"));
  };
  onTestFinished(() => {
    db.query = query;
  });
}
