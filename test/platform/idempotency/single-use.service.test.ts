// @module-tag postgresql
/** Claims of operations without an idempotency key. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  CLAIM_QUOTA_BUCKET,
  claimSingleUse,
  OperationRepeatedError,
  REMAINING_CLAIMS_PER_DAY,
} from "../../../src/platform/idempotency/single-use.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createRateLimiter } from "../../../src/platform/rate-limit.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { enforceRules } from "../../support/retention.ts";

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());

const rateLimiter = createRateLimiter({ logger: createLogger("silent") });
const claim = (accountId: string, operation: string) =>
  claimSingleUse({ db: fresh.db, rateLimiter }, accountId, operation);

it("permits one of several concurrent executions, and one of each account", async () => {
  const accountId = randomUUID();
  const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claim(accountId, "pay")));
  const refused = claims.filter(({ status }) => status === "rejected");
  expect(refused.map((one) => one.status === "rejected" && one.reason instanceof OperationRepeatedError)).toEqual(
    Array(19).fill(true),
  );
  await claim(randomUUID(), "pay");
});

it("permits the operation again after a release, or a day after a crash", async () => {
  const accountId = randomUUID();
  await (await claim(accountId, "pay")).release();
  await claim(accountId, "pay");
  const age = (hours: number) =>
    fresh.db.executeSql(
      "UPDATE idempotency_records SET created_at = now() - make_interval(hours => $2), leased_until = now() - make_interval(hours => $2) WHERE account_id = $1",
      [accountId, hours],
    );
  await age(23);
  await enforceRules(fresh.db, ["idempotency-records"]);
  await expect(claim(accountId, "pay")).rejects.toThrow(OperationRepeatedError);
  await age(25);
  await enforceRules(fresh.db, ["idempotency-records"]);
  await claim(accountId, "pay");
});

it("lets no more claims of an account remain than its quota", async () => {
  const accountId = randomUUID();
  const day = 86_400;
  await rateLimiter.consume(CLAIM_QUOTA_BUCKET, accountId, REMAINING_CLAIMS_PER_DAY, day, REMAINING_CLAIMS_PER_DAY - 1);
  expect((await claim(accountId, "last")).canRemain).toBe(true);
  expect((await claim(accountId, "next")).canRemain).toBe(false);
  expect((await claim(randomUUID(), "next")).canRemain).toBe(true);
});
