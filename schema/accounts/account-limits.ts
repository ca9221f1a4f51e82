import type { Account } from "../../generated/prisma/client.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { setAccountLimits } from "../../src/wallet/account-limits.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { AccountNode } from "./accounts.ts";

const SetAccountLimitsInput = builder.inputType("SetAccountLimitsInput", {
  description: "The account's own limits, in US dollars. Null removes a limit; an omitted limit remains unchanged.",
  fields: (t) => ({
    perTransactionLimitUsd: t.field({
      type: "Usd",
      description: "The maximum amount of one payment. Null for no limit.",
    }),
    dailyLimitUsd: t.field({ type: "Usd", description: "The maximum spending per UTC day. Null for no limit." }),
    monthlyLimitUsd: t.field({ type: "Usd", description: "The maximum spending per UTC month. Null for no limit." }),
  }),
});

const SetAccountLimitsSuccess = builder.objectRef<Account>("SetAccountLimitsSuccess").implement({
  description: "The new limits apply to all further payments.",
  fields: (t) => ({
    account: t.field({ type: AccountNode, description: "The updated account.", resolve: (account) => account }),
  }),
});

builder.mutationField("setAccountLimits", (t) =>
  t.field({
    type: SetAccountLimitsSuccess,
    description:
      "Sets the account's own limits, which apply in addition to those of every token and application. Lowering a limit requires the scope `account:manage`. Raising or removing a limit requires a session with a sign-in in the last 10 minutes. The account owner is then notified by email.",
    errors: {
      types: [...INPUT_ERRORS, ReauthenticationRequiredError],
      union: { name: "SetAccountLimitsResult", description: "The updated account or an error." },
    },
    args: { input: t.arg({ type: SetAccountLimitsInput, required: true, description: "The new limits." }) },
    resolve: (_root, { input }, { deps, viewer }) =>
      setAccountLimits(deps, viewer, {
        perTransactionMicroUsd: input.perTransactionLimitUsd,
        dailyMicroUsd: input.dailyLimitUsd,
        monthlyMicroUsd: input.monthlyLimitUsd,
      }),
  }),
);
