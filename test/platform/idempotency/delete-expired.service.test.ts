// @module-tag postgresql
import { afterAll, beforeAll, expect, it } from "vitest";
import { deleteExpiredResponses } from "../../../src/platform/idempotency/delete-expired.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());

/** `count` records begun and last held on to so many hours ago. */
const store = (name: string, count: number, begunHours: number, heldHours: number, answer: string | null) =>
  fresh.db.executeSql(
    `INSERT INTO idempotency_records (account_id, key, request_sha256, answer, created_at, leased_until)
      SELECT gen_random_uuid(), $1 || n, ''::bytea, $3::jsonb, now() - make_interval(hours => $4), now() - make_interval(hours => $5)
      FROM generate_series(1, $2::int) AS n`,
    [name, count, answer, begunHours, heldHours],
  );

it("deletes answers and dead claims after a day, however many, and nothing that is younger or under way", async () => {
  await store("answered", 1_200, 25, 25, '{"paid": 1}');
  await store("dead", 1, 25, 25, null);
  await store("young", 2, 23, 23, '{"paid": 1}');
  await store("long-at-work", 1, 25, 0, null);
  await store("long-at-work-answered", 1, 25, 1, '{"paid": 1}');
  await deleteExpiredResponses(fresh.db);
  const { rows } = await fresh.db.executeSql("SELECT key FROM idempotency_records ORDER BY key");
  expect(rows).toEqual([
    { key: "long-at-work-answered1" },
    { key: "long-at-work1" },
    { key: "young1" },
    { key: "young2" },
  ]);
});
