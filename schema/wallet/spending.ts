import type { BudgetSpending, PeriodSpending } from "../../src/wallet/spending.ts";
import { spendingOf } from "../../src/wallet/spending.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";

const Period = builder.objectRef<PeriodSpending>("PeriodSpending").implement({
  description: "What counts against a limit in the running UTC day or month.",
  fields: (t) => ({
    limitUsd: t.expose("limitMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The limit; null when there is none.",
    }),
    settledUsd: t.expose("settledMicroUsd", { type: "Usd", description: "What the networks have taken." }),
    outstandingUsd: t.expose("outstandingMicroUsd", {
      type: "Usd",
      description: "What is reserved or signed and may still be taken.",
    }),
    remainingUsd: t.expose("remainingMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "What may still be spent; null when there is no limit.",
    }),
  }),
});

/** Spending by budget id (an account's or a credential's); all budgets of a request are read at once. */
export const Spending = builder
  .loadableObjectRef<BudgetSpending, string>("Spending", {
    load: async (budgetIds, context) => {
      // The operator sees the limits of the account that was just opened, and nothing else leads here.
      if (context.viewer?.kind !== "operator") ownAccountIdWithin(context, "transactions:read");
      const byId = await spendingOf(context.deps, budgetIds);
      return budgetIds.map((id) => byId.get(id) ?? new Error(`There is no budget ${id}.`));
    },
  })
  .implement({
    description: "Limits and what counts against them.",
    fields: (t) => ({
      perTransactionLimitUsd: t.expose("perTransactionLimitMicroUsd", {
        type: "Usd",
        nullable: true,
        description: "The most one payment may cost; null when there is no limit.",
      }),
      day: t.expose("day", { type: Period, description: "The running UTC day." }),
      month: t.expose("month", { type: Period, description: "The running UTC month." }),
    }),
  });
