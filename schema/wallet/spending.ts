import type { BudgetSpending, PeriodSpending } from "../../src/wallet/spending.ts";
import { readSpending } from "../../src/wallet/spending.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";

const Period = builder.objectRef<PeriodSpending>("PeriodSpending").implement({
  description: "The spending that counts against a limit in the current UTC day or month.",
  fields: (t) => ({
    limitUsd: t.expose("limitMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The limit. Null if no limit is set.",
    }),
    settledUsd: t.expose("settledMicroUsd", { type: "Usd", description: "The amount of settled payments." }),
    outstandingUsd: t.expose("outstandingMicroUsd", {
      type: "Usd",
      description: "The amount of outstanding payments: reserved or signed, and not yet settled.",
    }),
    remainingUsd: t.expose("remainingMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The remaining amount. Null if no limit is set.",
    }),
  }),
});

/** Spending by budget id, which is the id of an account or a credential. Batched over the budgets of a request. */
export const Spending = builder
  .loadableObjectRef<BudgetSpending, string>("Spending", {
    load: async (budgetIds, context) => {
      // The operator reaches this type only through the account that its mutation has just created.
      if (context.viewer?.kind !== "operator") requireScopedAccountId(context, "transactions:read");
      const byId = await readSpending(context.deps, budgetIds);
      return budgetIds.map((id) => byId.get(id) ?? new Error(`There is no budget ${id}.`));
    },
  })
  .implement({
    description: "Spending limits, and the spending that counts against them.",
    fields: (t) => ({
      perTransactionLimitUsd: t.expose("perTransactionLimitMicroUsd", {
        type: "Usd",
        nullable: true,
        description: "The maximum amount of one payment. Null if no limit is set.",
      }),
      day: t.expose("day", { type: Period, description: "The current UTC day." }),
      month: t.expose("month", { type: Period, description: "The current UTC month." }),
    }),
  });
