import { type SpendingBucket, spendingHistory } from "../../src/wallet/spending-history.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";
import { HISTORY_ARGUMENTS } from "./history-arguments.ts";

const Bucket = builder.objectRef<SpendingBucket>("SpendingBucket").implement({
  description: "The spending of one UTC day or month.",
  fields: (t) => ({
    startsAt: t.expose("startsAt", { type: "DateTime", description: "Timestamp when the day or month starts." }),
    spentUsd: t.expose("spentMicroUsd", {
      type: "Usd",
      description: "The amount that counts against the limits: settled and outstanding payments.",
    }),
    paymentCount: t.exposeInt("paymentCount", {
      description: "The number of payments, transfers and trades, excluding those that were released or failed.",
    }),
  }),
});

builder.objectField(ViewerType, "spendingHistory", (t) =>
  t.field({
    type: [Bucket],
    nullable: true,
    // One query of the ledger, regardless of the number of buckets.
    complexity: { field: 100, multiplier: 1 },
    description: "The account's spending by day or month, oldest first. The last bucket is the current day or month.",
    args: HISTORY_ARGUMENTS,
    resolve: (viewer, length, context) => {
      requireScopedAccountId(context, "transactions:read");
      return spendingHistory(context.deps, viewer, length);
    },
  }),
);
