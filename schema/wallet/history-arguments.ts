import type { HistoryPeriod } from "../../src/wallet/history-length.ts";
import { builder } from "../builder.ts";

const Period = builder.enumType("SpendingPeriod", {
  description: "How long each part of a history is.",
  values: {
    DAY: { value: "day", description: "UTC days." },
    MONTH: { value: "month", description: "UTC months." },
  } as const satisfies Record<string, { value: HistoryPeriod; description: string }>,
});

/** What every history of an account takes. */
export const HISTORY_ARGUMENTS = builder.args((t) => ({
  period: t.field({ type: Period, required: true, description: "Days or months." }),
  count: t.int({ required: true, defaultValue: 30, description: "How many: 1 to 366 days, or 1 to 60 months." }),
}));
