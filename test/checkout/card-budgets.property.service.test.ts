// @module-tag postgresql
/** Card budgets hold under any sequence of orders, for a credential and its ancestors, also concurrently. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Prisma } from "../../generated/prisma/client.ts";
import { type CardBudgetTerms, resolveCardBudget } from "../../src/accounts/card-budget.ts";
import { periodsOf } from "../../src/checkout/policy/evaluate-policy.ts";
import {
  countCardBudgetUse,
  findCardBudgetObjection,
  releaseCardBudgetUse,
} from "../../src/checkout/policy/use-card-budgets.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const NOON = new Date("2026-11-10T12:00:00Z");
const EPOCH = new Date(0);
const TERMS = { currency: "GBP", perOrderMinor: 5_000, dailyMinor: 8_000, monthlyMinor: 20_000 } as const;

let fresh: TestDatabase;
let accountId: string;
beforeAll(async () => {
  fresh = await createTestDatabase({ poolSize: 16 });
  accountId = randomUUID();
  await fresh.db.prisma.account.create({ data: { id: accountId } });
});
afterAll(() => fresh?.close());

type Columns = Partial<Prisma.CardBudgetUncheckedCreateInput>;
const createRow = (columns: Columns = {}) => ({
  ...{ id: `tok_${randomUUID()}`, accountId, ...TERMS },
  ...{ day: EPOCH, dayUsedMinor: 0, month: EPOCH, monthUsedMinor: 0 },
  ...columns,
});
const storeBudget = (columns: Columns = {}) => fresh.db.prisma.cardBudget.create({ data: createRow(columns) });
const readUse = async (id: string) => {
  const { dayUsedMinor, monthUsedMinor } = await fresh.db.prisma.cardBudget.findUniqueOrThrow({ where: { id } });
  return [Number(dayUsedMinor), Number(monthUsedMinor)];
};

/** Counts an order in a transaction that rolls back if it is not covered. */
async function consume(budgetIds: readonly string[], amountMinor: number, now = NOON, currency = "GBP") {
  const order = { budgetIds, currency, amountMinor };
  return await fresh.db.prisma
    .$transaction(async (tx) => {
      const counted = await countCardBudgetUse(tx, order, new Date(periodsOf(now).day));
      if (!counted) throw new Error("not covered");
      return counted;
    })
    .catch((error: Error) => {
      if (error.message === "not covered") return null;
      throw error;
    });
}
const release = (budgetIds: readonly string[], amountMinor: number, day: Date, currency = "GBP") =>
  releaseCardBudgetUse(fresh.db.prisma, { budgetIds, currency, amountMinor }, day);

describe("evaluating", () => {
  it.each<[string | null, Columns, number, string]>([
    [null, {}, 5_000, "GBP"],
    ["above_card_budget_order_limit", {}, 5_001, "GBP"],
    ["above_card_budget_order_limit", { perOrderMinor: 0 }, 1, "GBP"],
    [null, { perOrderMinor: null, dailyMinor: null, monthlyMinor: null }, 9_000_000, "GBP"],
    ["card_budget_currency_differs", { perOrderMinor: null, dailyMinor: null, monthlyMinor: null }, 1, "EUR"],
    ["above_card_budget_daily_limit", { day: new Date("2026-11-10"), dayUsedMinor: 4_000 }, 4_001, "GBP"],
    [null, { day: new Date("2026-11-09"), dayUsedMinor: 8_000 }, 4_001, "GBP"],
    ["above_card_budget_monthly_limit", { month: new Date("2026-11-01"), monthUsedMinor: 16_000 }, 4_001, "GBP"],
    [null, { month: new Date("2026-10-01"), monthUsedMinor: 20_000 }, 4_001, "GBP"],
  ])("%s: %j for %i %s", async (reason, columns, amountMinor, currency) => {
    const { id } = await storeBudget(columns);
    const rows = await fresh.db.prisma.cardBudget.findMany({ where: { id } });
    expect(findCardBudgetObjection(rows, { currency, amountMinor }, NOON)).toBe(reason);
    expect((await consume([id], amountMinor, NOON, currency)) === null).toBe(reason !== null);
  });
});

describe("using", () => {
  it("matches a reference ledger for any sequence of orders and releases of a token and its parent", async () => {
    const step = fc.record({
      amountMinor: fc.integer({ min: 0, max: 6_000 }),
      laterHours: fc.integer({ min: 0, max: 60 }),
      isByParent: fc.boolean(),
      releases: fc.boolean(),
    });
    const run = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const parent = await storeBudget({ dailyMinor: 12_000 });
      const child = await storeBudget();
      let atMs = NOON.getTime();
      const counted: { ids: string[]; amountMinor: number; day: Date }[] = [];
      for (const { amountMinor, laterHours, isByParent, releases } of steps) {
        atMs += laterHours * 3_600_000;
        const now = new Date(atMs);
        const { day, month } = periodsOf(now);
        const budgetIds = isByParent ? [accountId, parent.id] : [accountId, parent.id, child.id];
        const sum = (id: string, period: string, length: number) =>
          counted
            .filter((one) => one.ids.includes(id))
            .filter((one) => one.day.toISOString().slice(0, length) === period.slice(0, length))
            .reduce((total, one) => total + one.amountMinor, 0);
        const fits = [parent, child]
          .filter(({ id }) => budgetIds.includes(id))
          .every(
            ({ id, dailyMinor }) =>
              amountMinor <= 5_000 &&
              sum(id, day, 10) + amountMinor <= Number(dailyMinor) &&
              sum(id, month, 7) + amountMinor <= 20_000,
          );
        const ids = await consume(budgetIds, amountMinor, now);
        expect(ids !== null, JSON.stringify({ amountMinor, day, counted })).toBe(fits);
        if (ids) counted.push({ ids, amountMinor, day: new Date(day) });
        const released = releases ? counted.shift() : undefined;
        if (released) await release(released.ids, released.amountMinor, released.day);
      }
    });
    await fc.assert(run, { numRuns: 25 });
  });

  it("admits exactly as many of forty concurrent orders of two child tokens as their parent allows", async () => {
    const parent = await storeBudget({ dailyMinor: 7_000 });
    const children = await Promise.all([storeBudget(), storeBudget()]);
    const idsOf = (n: number) => [parent.id, children[n % 2]?.id ?? ""];
    const used = await Promise.all(Array.from({ length: 40 }, (_, n) => consume(idsOf(n), 1_000)));
    const admitted = used.flatMap((ids) => (ids ? [ids] : []));
    expect(admitted).toHaveLength(7);
    expect(await readUse(parent.id)).toEqual([7_000, 7_000]);
    const ofChildren = await Promise.all(children.map(({ id }) => readUse(id)));
    expect(ofChildren.map(([day]) => day ?? 0).reduce((one, other) => one + other)).toBe(7_000);
    await Promise.all(admitted.map((ids) => release(ids, 1_000, new Date(periodsOf(NOON).day))));
    expect(await Promise.all([parent, ...children].map(({ id }) => readUse(id)))).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it("counts nothing on any budget if one of them does not cover the order", async () => {
    const [wide, narrow] = [await storeBudget(), await storeBudget({ perOrderMinor: 100 })];
    expect(await consume([wide.id, narrow.id], 101)).toBeNull();
    expect(await readUse(wide.id)).toEqual([0, 0]);
    expect(await consume([wide.id, narrow.id], 100)).toHaveLength(2);
  });

  it("releases nothing after the budget's currency changed, or on a later day", async () => {
    const { id } = await storeBudget();
    const day = new Date(periodsOf(NOON).day);
    expect(await consume([id], 3_000)).toEqual([id]);
    await release([id], 3_000, day, "EUR");
    await release([id], 3_000, new Date("2026-10-10"));
    expect(await readUse(id)).toEqual([3_000, 3_000]);
    await release([id], 3_000, day);
    expect(await readUse(id)).toEqual([0, 0]);
  });
});

describe("the terms of a new credential", () => {
  const usd = (perOrderMinor: number | null, dailyMinor: number | null, monthlyMinor: number | null) => ({
    ...{ currency: "USD", perOrderMinor, dailyMinor, monthlyMinor },
  });
  const limits = { perTransactionMicroUsd: 1_009_999n, dailyMicroUsd: null, monthlyMicroUsd: 20_000_000n };
  const NONE = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };

  it("default to its limits in US dollars, rounded down to cents", () => {
    expect(resolveCardBudget({ limits }, null)).toEqual(usd(100, null, 2_000));
    expect(resolveCardBudget({ limits: NONE }, null)).toBeNull();
    expect(resolveCardBudget({ limits, cardBudget: null }, null)).toBeNull();
  });

  it("default to the lower limits of the credential and its creator", () => {
    expect(resolveCardBudget({ limits }, usd(50, 500, null))).toEqual(usd(50, 500, 2_000));
    expect(resolveCardBudget({ limits: NONE }, usd(50, 500, null))).toEqual(usd(50, 500, null));
    const pounds = { ...usd(50, 500, null), currency: "GBP" };
    expect(resolveCardBudget({ limits }, pounds)).toEqual(pounds);
  });

  it.each<[string, CardBudgetTerms | null]>([
    ["none", null],
    ["another currency", { ...usd(50, 50, 50), currency: "GBP" }],
    ["a higher limit", usd(50, 501, null)],
    ["no limit where the creator has one", usd(null, 500, null)],
  ])("cannot exceed those of the creator: %s", (_title, cardBudget) => {
    expect(() => resolveCardBudget({ limits: NONE, cardBudget }, usd(50, 500, null))).toThrow("exceeds its own");
  });

  it.each<[string, CardBudgetTerms]>([
    ["cardBudget.currency", { ...usd(1, 1, 1), currency: "XXQ" }],
    ["cardBudget.currency", { ...usd(1, 1, 1), currency: "usd" }],
    ["cardBudget.dailyMinor", usd(1, -1, 1)],
    ["cardBudget.perOrderMinor", usd(0.5, 1, 1)],
    ["cardBudget.monthlyMinor", usd(0, 1, 2 ** 53)],
  ])("must be valid: %s of %j", (field, cardBudget) => {
    expect(() => resolveCardBudget({ limits: NONE, cardBudget }, null)).toThrow(field);
  });
});
