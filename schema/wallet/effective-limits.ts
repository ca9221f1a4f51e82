/** The limits that apply to the payments of the caller: those of its credential and of its account together. */
import { type EffectiveLimits, readEffectiveLimits } from "../../src/wallet/spending.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";

const EffectiveLimitsType = builder.objectRef<EffectiveLimits>("EffectiveLimits").implement({
  description:
    "Limits of payments. Each is the lowest of the credential, of the credentials that issued it, and of the account. Null for no limit.",
  fields: (t) => ({
    perTransactionLimitUsd: t.expose("perTransactionLimitMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The maximum amount of one payment.",
    }),
    dayLimitUsd: t.expose("dayLimitMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The lowest limit of a UTC day.",
    }),
    dayRemainingUsd: t.expose("dayRemainingMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The amount that can still be spent today (UTC). Payments in flight count as spent.",
    }),
    monthLimitUsd: t.expose("monthLimitMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The lowest limit of a UTC month.",
    }),
    monthRemainingUsd: t.expose("monthRemainingMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The amount that can still be spent this month (UTC). Payments in flight count as spent.",
    }),
  }),
});

builder.objectField(ViewerType, "effectiveLimits", (t) =>
  t.field({
    type: EffectiveLimitsType,
    complexity: 5,
    description: "The limits that apply to a payment of this credential, and what remains of them.",
    resolve: ({ budgetIds }, _args, { deps }) => readEffectiveLimits(deps, budgetIds),
  }),
);
