// @module-tag postgresql
/** Policy use that ended orders release or retain. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endOrder } from "../../../src/checkout/orders/end-order.ts";
import type { Cause } from "../../../src/checkout/orders/states.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { addAccount, addOrder } from "./order-rows.ts";

let fresh: TestDatabase;
let accountId: string;
let version = 0;
beforeAll(async () => {
  fresh = await createTestDatabase();
  accountId = await addAccount(fresh.db);
});
afterAll(() => fresh?.close());

const day = new Date(new Date().toISOString().slice(0, 10));
const month = new Date(`${day.toISOString().slice(0, 7)}-01`);

/** Creates a policy with 38.95 used: one order of 28.95 and others of 10.00. */
async function createUsedPolicy(): Promise<string> {
  version += 1;
  const id = newId("pol");
  const used = { day, dayUsedMinor: 3_895n, month, monthUsedMinor: 3_895n };
  const validity = { notBefore: day, expiresAt: new Date(Date.now() + 86_400_000) };
  const digest = new Uint8Array(randomBytes(32));
  const signed = { document: {}, policySha256: digest, signature: {}, currency: `X${version}` };
  await fresh.db.prisma.checkoutPolicy.create({ data: { id, accountId, version, ...signed, ...used, ...validity } });
  return id;
}

it.each<[Cause, "unreleased" | "released" | "submitted", bigint | null, bigint]>([
  ["worker_crashed", "unreleased", null, 1_000n],
  ["recipe_broken", "unreleased", null, 1_000n],
  ["time_spent", "unreleased", null, 1_000n],
  ["worker_crashed", "released", null, 3_895n],
  ["card_declined", "submitted", null, 3_895n],
  ["outcome_unknown", "submitted", null, 3_895n],
  ["three_d_secure_abandoned", "submitted", null, 3_895n],
  ["confirmed", "submitted", 2_895n, 3_895n],
  ["confirmed", "submitted", 100n, 3_895n],
  ["overcharged", "submitted", 100n, 3_895n],
])("%s with card %s and charge %s leaves %s used on the policy", async (cause, card, amountChargedMinor, usedMinor) => {
  const { prisma } = fresh.db;
  const policyId = await createUsedPolicy();
  const cardReleasedAt = card === "unreleased" ? null : new Date();
  const submittedAt = card === "submitted" ? new Date() : null;
  const order = await addOrder(fresh.db, accountId, {
    status: "dispatched",
    policyId,
    policyDay: day,
    cardReleasedAt,
    submittedAt,
  });
  const end = () => prisma.$transaction((tx) => endOrder(tx, order.id, cause, { columns: { amountChargedMinor } }));
  // Of two concurrent transitions, one releases the amount.
  const ended = await Promise.all([end(), end()]);
  expect(ended.filter(Boolean)).toHaveLength(1);
  const policy = await prisma.checkoutPolicy.findUniqueOrThrow({ where: { id: policyId } });
  expect([policy.dayUsedMinor, policy.monthUsedMinor]).toEqual([usedMinor, usedMinor]);
});
