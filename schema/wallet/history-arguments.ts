import type { HistoryPeriod } from "../../src/wallet/history-length.ts";
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";

const Period = wireEnum<HistoryPeriod>("SpendingPeriod", "The length of each bucket of a spending history.", {
  day: "A UTC day.",
  month: "A UTC month.",
});

/** The arguments of each history field of an account. */
export const HISTORY_ARGUMENTS = builder.args((t) => ({
  period: t.field({ type: Period, required: true, description: "The length of each bucket." }),
  count: t.int({
    required: true,
    defaultValue: 30,
    description: "The number of buckets: 1 to 366 days, or 1 to 60 months.",
  }),
}));
