/** Freeze of an account by its owner. */
import type { Account } from "../../generated/prisma/client.ts";
import { resumeAccount, stopEverything } from "../../src/accounts/freeze/freeze-account.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { AccountNode } from "../accounts/accounts.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { StorableText } from "../text.ts";
import { FrozenByEnum } from "./frozen-by.ts";

builder.objectFields(AccountNode, (t) => ({
  frozenAt: t.expose("frozenAt", {
    type: "DateTime",
    nullable: true,
    description: "Timestamp when the account was frozen. Null if it is not frozen.",
  }),
  frozenBy: t.field({
    type: FrozenByEnum,
    nullable: true,
    description: "Who froze the account. Null if it is not frozen.",
    resolve: ({ frozenBy }) => frozenBy as "owner" | null,
  }),
  freezeReason: t.string({
    nullable: true,
    description: "The reason that the account owner gave. Null without one, and for a freeze by an administrator.",
    resolve: ({ frozenBy, freezeReason }) => (frozenBy === "owner" ? freezeReason : null),
  }),
}));

const StopEverythingInput = builder.inputType("StopEverythingInput", {
  description: "A freeze of the own account.",
  fields: (t) => ({
    reason: t.string({ validate: StorableText, description: "The reason, at most 1,000 characters." }),
  }),
});

const accountResult = (name: string, description: string, account: string) =>
  builder.objectRef<Account>(name).implement({
    description,
    fields: (t) => ({
      account: t.field({ type: AccountNode, description: account, resolve: (parent) => parent }),
    }),
  });
const StopEverythingSuccess = accountResult(
  "StopEverythingSuccess",
  "The account is frozen on all nodes.",
  "The frozen account, with its operations in flight.",
);
const ResumeAccountSuccess = accountResult(
  "ResumeAccountSuccess",
  "The account is no longer frozen.",
  "The resumed account.",
);

builder.mutationField("stopEverything", (t) =>
  t.field({
    type: StopEverythingSuccess,
    description:
      "Freezes the account: payments, signatures, model calls, trades, orders including queued ones, outgoing email, new credentials and token refreshes. Data can still be read. Requires the scope `account:manage`. Only a session with a passkey proof can resume the account.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "StopEverythingResult", description: "The frozen account or an error." },
    },
    args: { input: t.arg({ type: StopEverythingInput, required: true, description: "The reason, if any." }) },
    resolve: (_root, { input }, { deps, viewer }) => stopEverything(deps, viewer, { reason: input.reason ?? null }),
  }),
);

builder.mutationField("resumeAccount", (t) =>
  t.field({
    type: ResumeAccountSuccess,
    description:
      "Ends the account's freeze by `stopEverything`. Requires a session whose last sign-in was with a passkey, in the last 10 minutes. An account without a passkey, or frozen by an administrator, can be resumed only by an administrator.",
    errors: {
      types: [...INPUT_ERRORS, ReauthenticationRequiredError],
      union: { name: "ResumeAccountResult", description: "The resumed account or an error." },
    },
    resolve: (_root, _args, { deps, viewer }) => resumeAccount(deps, viewer),
  }),
);
