// @module-tag postgresql
/** A policy's day and month: whatever orders do to it in whatever order, and at once, no limit is exceeded. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalDigest } from "../../src/checkout/canonical-digest.ts";
import { evaluatePolicy, type JudgedDispatch, periodsOf } from "../../src/checkout/policy/evaluate-policy.ts";
import { type PolicyTerms, policyDocument } from "../../src/checkout/policy/policy-document.ts";
import { releasePolicy, usePolicy } from "../../src/checkout/policy/use-policy.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";

const FROM = new Date("2026-11-01T00:00:00Z");
const NOON = new Date("2026-11-10T12:00:00Z");
const TERMS: PolicyTerms = {
  currency: "GBP",
  perOrderMaxMinor: 5_000,
  dailyMaxMinor: 8_000,
  monthlyMaxMinor: 20_000,
  allowedMerchants: null,
  blockedMerchants: [],
  allowedCountries: [],
  newMerchant: "allow",
  shipToOther: "allow",
  cardIds: [],
  notBefore: FROM,
  expiresAt: new Date("2027-02-01T00:00:00Z"),
};
const DISPATCH: JudgedDispatch = {
  merchantId: "mer_1",
  merchantCountryCode: "GB",
  isNewMerchant: false,
  currency: "GBP",
  amountMinor: 4_000,
  isShippedElsewhere: false,
  cardId: "card_1",
};

let fresh: FreshDatabase;
let accountId: string;
beforeAll(async () => {
  fresh = await freshDatabase({ poolSize: 16 });
  accountId = randomUUID();
  await fresh.db.prisma.account.create({ data: { id: accountId } });
});
afterAll(() => fresh.close());

function rowOf(terms: Partial<PolicyTerms> = {}, version = 1) {
  const whose = { id: `pol_${randomUUID()}`, version, sub: "did:web:x:users:1", agent_id: null };
  const document = policyDocument({ ...TERMS, ...terms }, whose);
  const { day, month } = periodsOf(FROM);
  return {
    id: whose.id,
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
async function stored(terms: Partial<PolicyTerms> = {}) {
  const { checkoutPolicy } = fresh.db.prisma;
  await checkoutPolicy.deleteMany({ where: { accountId } });
  return await checkoutPolicy.create({ data: { ...rowOf(terms), accountId } });
}

describe("judging", () => {
  const judge = (terms: Partial<PolicyTerms>, dispatch: Partial<JudgedDispatch>, row: object = {}, now = NOON) => {
    const judgement = evaluatePolicy({ ...rowOf(terms), ...row }, { ...DISPATCH, ...dispatch }, now);
    return judgement.covered ? "covered" : judgement.reason;
  };

  it.each([
    ["covered", {}, {}],
    ["covered", { allowedMerchants: ["mer_1"] }, {}],
    ["covered", {}, { amountMinor: 5_000 }],
    ["above_order_limit", {}, { amountMinor: 5_001 }],
    ["above_order_limit", {}, { amountMinor: -1 }],
    ["above_order_limit", {}, { amountMinor: Number.NaN }],
    ["currency_differs", {}, { currency: "USD" }],
    ["merchant_blocked", { blockedMerchants: ["mer_1"], allowedMerchants: ["mer_1"] }, {}],
    ["merchant_not_allowed", { allowedMerchants: ["mer_2"] }, {}],
    ["merchant_not_allowed", { allowedMerchants: [] }, {}],
    ["country_not_allowed", { allowedCountries: ["IE"] }, {}],
    ["card_not_allowed", { cardIds: ["card_2"] }, {}],
    ["new_merchant", { newMerchant: "require_approval" }, { isNewMerchant: true }],
    ["ship_to_other", { shipToOther: "require_approval" }, { isShippedElsewhere: true }],
  ] as const)("%s: %j for %j", (verdict, terms, dispatch) => {
    expect(judge(terms, dispatch)).toBe(verdict);
  });

  it("says no without a policy, outside its time, once revoked, or when its row was changed", () => {
    expect(evaluatePolicy(null, DISPATCH)).toEqual({ covered: false, reason: "no_policy" });
    expect(judge({}, {}, {}, new Date("2026-10-31T23:59:59Z"))).toBe("policy_not_in_force");
    expect(judge({}, {}, {}, TERMS.expiresAt)).toBe("policy_not_in_force");
    expect(judge({}, {}, { revokedAt: NOON })).toBe("policy_not_in_force");
    expect(judge({}, {}, { activeSlot: null })).toBe("policy_not_in_force");
    const { document } = rowOf();
    expect(judge({}, {}, { document: { ...document, daily_max_minor: 9_000_000 } })).toBe("policy_invalid");
    expect(judge({}, {}, { document: { ...document, max_items: 1 } })).toBe("policy_invalid");
    const { currency: _currency, ...short } = document;
    expect(judge({}, {}, { document: short })).toBe("policy_invalid");
  });

  it("counts what was used today and this month, and forgets it with them", () => {
    const today = { day: new Date("2026-11-10"), dayUsedMinor: 4_001n };
    expect(judge({}, {}, today)).toBe("above_daily_limit");
    expect(judge({}, {}, today, new Date("2026-11-11T00:00:00Z"))).toBe("covered");
    const month = { month: new Date("2026-11-01"), monthUsedMinor: 16_001n };
    expect(judge({}, {}, month)).toBe("above_monthly_limit");
    expect(judge({}, {}, month, new Date("2026-12-01T00:00:00Z"))).toBe("covered");
  });
});

describe("using", () => {
  const use = (policyId: string, amountMinor: number, now = NOON) =>
    usePolicy(fresh.db.prisma, { policyId, amountMinor }, now);
  const rowNow = (id: string) => fresh.db.prisma.checkoutPolicy.findUniqueOrThrow({ where: { id } });

  it("any run of orders and releases over days keeps to every limit, as a plain ledger has it", async () => {
    const step = fc.record({
      amountMinor: fc.integer({ min: 0, max: 6_000 }),
      laterHours: fc.integer({ min: 0, max: 60 }),
      releases: fc.boolean(),
    });
    const run = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const { id } = await stored();
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
        const used = await use(id, amountMinor, now);
        expect(used !== null, JSON.stringify({ amountMinor, day, counted })).toBe(fits);
        if (used) counted.push({ amountMinor, day: used.day });
        const given = releases ? counted.shift() : undefined;
        if (given) await releasePolicy(fresh.db.prisma, { policyId: id, ...given });
      }
    });
    await fc.assert(run, { numRuns: 25 });
  });

  it("forty orders at once: as many as the day allows, to the last unit", async () => {
    const { id } = await stored({ dailyMaxMinor: 7_000, perOrderMaxMinor: 1_000 });
    const used = await Promise.all(Array.from({ length: 40 }, () => use(id, 1_000)));
    expect(used.filter((one) => one !== null)).toHaveLength(7);
    expect((await rowNow(id)).dayUsedMinor).toBe(7_000n);
    await Promise.all(
      used
        .flatMap((one) => one ?? [])
        .map(({ day }) => releasePolicy(fresh.db.prisma, { policyId: id, amountMinor: 1_000, day })),
    );
    expect([(await rowNow(id)).dayUsedMinor, (await rowNow(id)).monthUsedMinor]).toEqual([0n, 0n]);
  });

  it("counts nothing on a policy that is over", async () => {
    const { id } = await stored();
    expect(await use(id, 1, new Date("2026-10-31T23:59:59Z"))).toBeNull();
    expect(await use(id, 1, TERMS.expiresAt)).toBeNull();
    expect(await use(id, 5_001)).toBeNull();
    await fresh.db.prisma.checkoutPolicy.update({ where: { id }, data: { activeSlot: null } });
    expect(await use(id, 1)).toBeNull();
    await expect(use(id, 0.5)).rejects.toThrow(RangeError);
    expect((await rowNow(id)).dayUsedMinor).toBe(0n);
  });
});
