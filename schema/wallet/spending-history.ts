import { type SpendingBucket, spendingHistory } from "../../src/wallet/spending-history.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { HISTORY_ARGUMENTS } from "./history-arguments.ts";

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
    args: HISTORY_ARGUMENTS,
    resolve: (viewer, length, context) => {
      ownAccountIdWithin(context, "transactions:read");
      return spendingHistory(context.deps, viewer, length);
    },
  }),
);
