import type { Account } from "../../generated/prisma/client.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { setAccountLimits } from "../../src/wallet/account-limits.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { AccountNode } from "./accounts.ts";

const SetAccountLimitsInput = builder.inputType("SetAccountLimitsInput", {
  description: "The account's own limits, in US dollars. Null for none; what is left out stays as it is.",
  fields: (t) => ({
    perTransactionLimitUsd: t.field({ type: "Usd", description: "The most one payment may cost; null for no limit." }),
    dailyLimitUsd: t.field({ type: "Usd", description: "The most it may spend in a UTC day; null for no limit." }),
    monthlyLimitUsd: t.field({ type: "Usd", description: "The most it may spend in a UTC month; null for no limit." }),
  }),
});

const SetAccountLimitsSuccess = builder.objectRef<Account>("SetAccountLimitsSuccess").implement({
  description: "The limits are as asked, for whatever is paid from now on.",
  fields: (t) => ({
    account: t.field({ type: AccountNode, description: "The account as it now is.", resolve: (account) => account }),
  }),
});

builder.mutationField("setAccountLimits", (t) =>
  t.field({
    type: SetAccountLimitsSuccess,
    description:
      "Sets the account's own limits, which hold beside those of every token and application. Lowering needs the scope `account:manage`; to raise or remove one, a person must be signed in, their last proof at most 10 minutes old, and the account's address is told.",
    errors: {
      types: [...INPUT_ERRORS, ReauthenticationRequiredError],
      union: { name: "SetAccountLimitsResult", description: "The account, or why its limits stayed." },
    },
    args: { input: t.arg({ type: SetAccountLimitsInput, required: true, description: "The limits." }) },
    resolve: (_root, { input }, { deps, viewer }) =>
      setAccountLimits(deps, viewer, {
        perTransactionMicroUsd: input.perTransactionLimitUsd,
        dailyMicroUsd: input.dailyLimitUsd,
        monthlyMicroUsd: input.monthlyLimitUsd,
      }),
  }),
);
