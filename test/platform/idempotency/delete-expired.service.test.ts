// @module-tag postgresql
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { enforceRules } from "../../support/retention.ts";

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());

/** Inserts `count` records that were created `createdHours` ago and leased until `leasedHours` ago. */
const store = (name: string, count: number, createdHours: number, leasedHours: number, response: string | null) =>
  fresh.db.executeSql(
    `INSERT INTO idempotency_records (account_id, key, request_sha256, answer, created_at, leased_until)
      SELECT gen_random_uuid(), $1 || n, ''::bytea, $3::jsonb, now() - make_interval(hours => $4), now() - make_interval(hours => $5)
      FROM generate_series(1, $2::int) AS n`,
    [name, count, response, createdHours, leasedHours],
  );

it("deletes any number of responses and abandoned claims after a day, but no younger or in-flight records", async () => {
  await store("completed", 1_200, 25, 25, '{"paid": 1}');
  await store("abandoned", 1, 25, 25, null);
  await store("young", 2, 23, 23, '{"paid": 1}');
  await store("long-running", 1, 25, 0, null);
  await store("long-running-completed", 1, 25, 1, '{"paid": 1}');
  await enforceRules(fresh.db, ["idempotency-records"]);
  const { rows } = await fresh.db.executeSql("SELECT key FROM idempotency_records ORDER BY key");
  expect(rows).toEqual([
    { key: "long-running-completed1" },
    { key: "long-running1" },
    { key: "young1" },
    { key: "young2" },
  ]);
});
