/** Card budgets: limits of one API token or grant for orders by card. */
import type { CardBudget } from "../../generated/prisma/client.ts";
import type { CardBudgetTerms } from "../../src/accounts/card-budget.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";

/** Compares a date with today (UTC). @param length length of the ISO date prefix to compare: 10 for the day, 7 the month */
const isNow = (date: Date, length: number) =>
  date.toISOString().slice(0, length) === new Date().toISOString().slice(0, length);

export const CardBudgetType = builder.objectRef<CardBudget>("CardBudget").implement({
  description:
    "Limits of an API token or application for orders by card without approval, in one currency. They apply in addition to the checkout policy. An order that exceeds them, or has another currency, requires the account owner's approval.",
  fields: (t) => ({
    currency: t.expose("currency", { type: "CurrencyCode", description: "The currency of the limits." }),
    perOrderLimit: t.field({
      type: MoneyType,
      nullable: true,
      description: "The maximum amount of one order. Null if no limit is set.",
      resolve: ({ perOrderMinor, currency }) => toMoney(perOrderMinor, currency),
    }),
    dailyLimit: t.field({
      type: MoneyType,
      nullable: true,
      description: "The maximum amount per UTC day. Null if no limit is set.",
      resolve: ({ dailyMinor, currency }) => toMoney(dailyMinor, currency),
    }),
    monthlyLimit: t.field({
      type: MoneyType,
      nullable: true,
      description: "The maximum amount per UTC month. Null if no limit is set.",
      resolve: ({ monthlyMinor, currency }) => toMoney(monthlyMinor, currency),
    }),
    dayUsed: t.field({
      type: MoneyType,
      description:
        "Amount used today (UTC). Includes orders in flight, and ended orders whose card was released from the vault.",
      resolve: ({ day, dayUsedMinor, currency }) => toMoney(isNow(day, 10) ? dayUsedMinor : 0, currency),
    }),
    monthUsed: t.field({
      type: MoneyType,
      description: "Amount used this month (UTC). Includes the same orders as `dayUsed`.",
      resolve: ({ month, monthUsedMinor, currency }) => toMoney(isNow(month, 7) ? monthUsedMinor : 0, currency),
    }),
  }),
});

/** Returns card budgets by credential id; null for a credential without one. */
export async function loadCardBudgets(
  credentialIds: readonly string[],
  { deps }: Context,
): Promise<(CardBudget | null)[]> {
  const budgets = await deps.db.prisma.cardBudget.findMany({ where: { id: { in: [...credentialIds] } } });
  const byId = new Map(budgets.map((budget) => [budget.id, budget]));
  return credentialIds.map((id) => byId.get(id) ?? null);
}

export const CardBudgetInput = builder.inputType("CardBudgetInput", {
  description: "Limits of an API token or application for orders by card without approval.",
  fields: (t) => ({
    currency: t.field({
      type: "CurrencyCode",
      required: true,
      description: "The currency of the limits. Orders in other currencies require approval.",
    }),
    perOrderLimitMinor: t.field({
      type: "MinorAmount",
      description: "The maximum amount of one order. 0: every order requires approval. Null for no limit.",
    }),
    dailyLimitMinor: t.field({
      type: "MinorAmount",
      description: "The maximum amount per UTC day. Null for no limit.",
    }),
    monthlyLimitMinor: t.field({
      type: "MinorAmount",
      description: "The maximum amount per UTC month. Null for no limit.",
    }),
  }),
});

/** Returns the terms of an input; null and undefined are passed on. */
export function toCardBudgetTerms(
  input: typeof CardBudgetInput.$inferInput | null | undefined,
): CardBudgetTerms | null | undefined {
  if (!input) return input;
  return {
    currency: input.currency,
    perOrderMinor: input.perOrderLimitMinor ?? null,
    dailyMinor: input.dailyLimitMinor ?? null,
    monthlyMinor: input.monthlyLimitMinor ?? null,
  };
}
