import { type HistoryPeriod, type SpendingBucket, spendingHistory } from "../../src/wallet/spending-history.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";

export const Period = builder.enumType("SpendingPeriod", {
  description: "How long each part of a history is.",
  values: {
    DAY: { value: "day", description: "UTC days." },
    MONTH: { value: "month", description: "UTC months." },
  } as const satisfies Record<string, { value: HistoryPeriod; description: string }>,
});

const Bucket = builder.objectRef<SpendingBucket>("SpendingBucket").implement({
  description: "What was spent in one UTC day or month.",
  fields: (t) => ({
    startsAt: t.expose("startsAt", { type: "DateTime", description: "When the day or month begins." }),
    spentUsd: t.expose("spentMicroUsd", {
      type: "Usd",
      description: "What counted against the limits: what was taken, and what may still be.",
    }),
    paymentCount: t.exposeInt("paymentCount", {
      description: "How many payments, transfers and trades that is; none that were released or failed.",
    }),
  }),
});

builder.objectField(ViewerType, "spendingHistory", (t) =>
  t.field({
    type: [Bucket],
    // One read of the ledger, whatever its length.
    complexity: { field: 100, multiplier: 1 },
    description: "What the account spent, oldest first; the last is the running day or month.",
    args: {
      period: t.arg({ type: Period, required: true, description: "Days or months." }),
      count: t.arg.int({
        required: true,
        defaultValue: 30,
        description: "How many: 1 to 366 days, or 1 to 60 months.",
      }),
    },
    resolve: (viewer, { period, count }, context) => {
      ownAccountIdWithin(context, "transactions:read");
      return spendingHistory(context.deps, viewer, { period, count });
    },
  }),
);
