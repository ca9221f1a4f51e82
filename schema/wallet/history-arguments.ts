import type { HistoryPeriod } from "../../src/wallet/history-length.ts";
import { builder } from "../builder.ts";

const Period = builder.enumType("SpendingPeriod", {
  description: "The length of each bucket of a spending history.",
  values: {
    DAY: { value: "day", description: "A UTC day." },
    MONTH: { value: "month", description: "A UTC month." },
  } as const satisfies Record<string, { value: HistoryPeriod; description: string }>,
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
