// @module-tag postgresql
/** Daily and monthly limits of a policy hold under any sequence of orders, also concurrently. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalDigest } from "../../src/checkout/canonical-digest.ts";
import { type EvaluatedDispatch, evaluatePolicy, periodsOf } from "../../src/checkout/policy/evaluate-policy.ts";
import { createPolicyDocument, type PolicyTerms } from "../../src/checkout/policy/policy-document.ts";
import { countPolicyUse, releasePolicyUse } from "../../src/checkout/policy/use-policy.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const FROM = new Date("2026-11-01T00:00:00Z");
const NOON = new Date("2026-11-10T12:00:00Z");
const TERMS: PolicyTerms = {
  currency: "GBP",
  perOrderMaxMinor: 5_000,
  dailyMaxMinor: 8_000,
  monthlyMaxMinor: 20_000,
  allowedMerchantIds: null,
  blockedMerchantIds: [],
  allowedCountries: [],
  newMerchant: "allow",
  shipToOther: "allow",
  cardIds: [],
  notBefore: FROM,
  expiresAt: new Date("2027-02-01T00:00:00Z"),
};
const DISPATCH: EvaluatedDispatch = {
  merchantId: "mer_1",
  merchantCountryCode: "GB",
  isNewMerchant: false,
  recordIds: ["mer_1"],
  isNewCardEntry: false,
  currency: "GBP",
  amountMinor: 4_000,
  isShippedElsewhere: false,
  cardId: "card_1",
};

let fresh: TestDatabase;
let accountId: string;
beforeAll(async () => {
  fresh = await createTestDatabase({ poolSize: 16 });
  accountId = randomUUID();
  await fresh.db.prisma.account.create({ data: { id: accountId } });
});
afterAll(() => fresh.close());

function createRow(terms: Partial<PolicyTerms> = {}, version = 1) {
  const identity = { id: `pol_${randomUUID()}`, version, sub: "did:web:x:users:1", agent_id: null };
  const document = createPolicyDocument({ ...TERMS, ...terms }, identity);
  const { day, month } = periodsOf(FROM);
  return {
    id: identity.id,
    version,
    document,
    policySha256: canonicalDigest(document),
    signature: {},
    currency: document.currency,
    activeSlot: accountId as string | null,
    day: new Date(day),
    dayUsedMinor: 0n,
    month: new Date(month),
    monthUsedMinor: 0n,
    notBefore: new Date(document.not_before),
    expiresAt: new Date(document.expires_at),
    revokedAt: null as Date | null,
  };
}
async function storePolicy(terms: Partial<PolicyTerms> = {}) {
  const { checkoutPolicy } = fresh.db.prisma;
  await checkoutPolicy.deleteMany({ where: { accountId } });
  return await checkoutPolicy.create({ data: { ...createRow(terms), accountId } });
}

describe("evaluating", () => {
  const evaluate = (
    terms: Partial<PolicyTerms>,
    dispatch: Partial<EvaluatedDispatch>,
    row: object = {},
    now = NOON,
  ) => {
    const evaluation = evaluatePolicy({ ...createRow(terms), ...row }, { ...DISPATCH, ...dispatch }, now);
    return evaluation.covered ? "covered" : evaluation.reason;
  };

  it.each([
    ["covered", {}, {}],
    ["covered", { allowedMerchantIds: ["mer_1"] }, {}],
    ["covered", {}, { amountMinor: 5_000 }],
    ["above_order_limit", {}, { amountMinor: 5_001 }],
    ["above_order_limit", {}, { amountMinor: -1 }],
    ["above_order_limit", {}, { amountMinor: Number.NaN }],
    ["currency_differs", {}, { currency: "USD" }],
    ["merchant_blocked", { blockedMerchantIds: ["mer_1"], allowedMerchantIds: ["mer_1"] }, {}],
    ["merchant_not_allowed", { allowedMerchantIds: ["mer_2"] }, {}],
    ["merchant_not_allowed", { allowedMerchantIds: [] }, {}],
    ["country_not_allowed", { allowedCountries: ["IE"] }, {}],
    ["card_not_allowed", { cardIds: ["card_2"] }, {}],
    ["new_merchant", { newMerchant: "require_approval" }, { isNewMerchant: true }],
    ["ship_to_other", { shipToOther: "require_approval" }, { isShippedElsewhere: true }],
  ] as const)("%s: %j for %j", (verdict, terms, dispatch) => {
    expect(evaluate(terms, dispatch)).toBe(verdict);
  });

  it("rejects without a policy, outside its validity, after revocation, or when its row was altered", () => {
    expect(evaluatePolicy(null, DISPATCH)).toEqual({ covered: false, reason: "no_policy" });
    expect(evaluate({}, {}, {}, new Date("2026-10-31T23:59:59Z"))).toBe("policy_not_in_force");
    expect(evaluate({}, {}, {}, TERMS.expiresAt)).toBe("policy_not_in_force");
    expect(evaluate({}, {}, { revokedAt: NOON })).toBe("policy_not_in_force");
    expect(evaluate({}, {}, { activeSlot: null })).toBe("policy_not_in_force");
    const { document } = createRow();
    expect(evaluate({}, {}, { document: { ...document, daily_max_minor: 9_000_000 } })).toBe("policy_invalid");
    expect(evaluate({}, {}, { document: { ...document, max_items: 1 } })).toBe("policy_invalid");
    const { currency: _currency, ...short } = document;
    expect(evaluate({}, {}, { document: short })).toBe("policy_invalid");
  });

  it("counts use of the current day and month and resets it afterwards", () => {
    const today = { day: new Date("2026-11-10"), dayUsedMinor: 4_001n };
    expect(evaluate({}, {}, today)).toBe("above_daily_limit");
    expect(evaluate({}, {}, today, new Date("2026-11-11T00:00:00Z"))).toBe("covered");
    const month = { month: new Date("2026-11-01"), monthUsedMinor: 16_001n };
    expect(evaluate({}, {}, month)).toBe("above_monthly_limit");
    expect(evaluate({}, {}, month, new Date("2026-12-01T00:00:00Z"))).toBe("covered");
  });
});

describe("using", () => {
  const consume = (policyId: string, amountMinor: number, now = NOON) =>
    countPolicyUse(fresh.db.prisma, { policyId, amountMinor }, now);
  const readRow = (id: string) => fresh.db.prisma.checkoutPolicy.findUniqueOrThrow({ where: { id } });

  it("matches a reference ledger for any sequence of orders and releases over days", async () => {
    const step = fc.record({
      amountMinor: fc.integer({ min: 0, max: 6_000 }),
      laterHours: fc.integer({ min: 0, max: 60 }),
      releases: fc.boolean(),
    });
    const run = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const { id } = await storePolicy();
      let atMs = NOON.getTime();
      const counted: { amountMinor: number; day: Date }[] = [];
      for (const { amountMinor, laterHours, releases } of steps) {
        atMs += laterHours * 3_600_000;
        const now = new Date(atMs);
        const { day, month } = periodsOf(now);
        const sum = (period: string, length: number) =>
          counted
            .filter((one) => one.day.toISOString().slice(0, length) === period.slice(0, length))
            .reduce((total, one) => total + one.amountMinor, 0);
        const fits =
          amountMinor <= 5_000 && sum(day, 10) + amountMinor <= 8_000 && sum(month, 7) + amountMinor <= 20_000;
        const used = await consume(id, amountMinor, now);
        expect(used !== null, JSON.stringify({ amountMinor, day, counted })).toBe(fits);
        if (used) counted.push({ amountMinor, day: used.day });
        const released = releases ? counted.shift() : undefined;
        if (released) await releasePolicyUse(fresh.db.prisma, { policyId: id, ...released });
      }
    });
    await fc.assert(run, { numRuns: 25 });
  });

  it("admits exactly as many of forty concurrent orders as the day allows", async () => {
    const { id } = await storePolicy({ dailyMaxMinor: 7_000, perOrderMaxMinor: 1_000 });
    const used = await Promise.all(Array.from({ length: 40 }, () => consume(id, 1_000)));
    expect(used.filter((one) => one !== null)).toHaveLength(7);
    expect((await readRow(id)).dayUsedMinor).toBe(7_000n);
    await Promise.all(
      used
        .flatMap((one) => one ?? [])
        .map(({ day }) => releasePolicyUse(fresh.db.prisma, { policyId: id, amountMinor: 1_000, day })),
    );
    expect([(await readRow(id)).dayUsedMinor, (await readRow(id)).monthUsedMinor]).toEqual([0n, 0n]);
  });

  it("counts nothing on an expired policy", async () => {
    const { id } = await storePolicy();
    expect(await consume(id, 1, new Date("2026-10-31T23:59:59Z"))).toBeNull();
    expect(await consume(id, 1, TERMS.expiresAt)).toBeNull();
    expect(await consume(id, 5_001)).toBeNull();
    await fresh.db.prisma.checkoutPolicy.update({ where: { id }, data: { activeSlot: null } });
    expect(await consume(id, 1)).toBeNull();
    await expect(consume(id, 0.5)).rejects.toThrow(RangeError);
    expect((await readRow(id)).dayUsedMinor).toBe(0n);
  });
});
