import type { Account } from "../../generated/prisma/client.ts";
import { setStrictScopes, setX402Enabled } from "../../src/accounts/account-settings.ts";
import { createAccount } from "../../src/wallet/open-account.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { ownAccountId } from "../owner.ts";
import { StorableText } from "../text.ts";
import { Spending } from "../wallet/spending.ts";

export const AccountNode = builder.prismaNode("Account", {
  id: { field: "id", description: "The account's global id." },
  findUnique: (id, context) => (id === ownAccountId(context) ? { id } : { id: NOBODY }),
  nullable: true,
  description: "Whoever pays: a person, or the company behind an agent.",
  fields: (t) => ({
    accountId: t.exposeID("id", { description: "The account's own id, without its type." }),
    email: t.exposeString("email", {
      nullable: true,
      description: "Its verified e-mail address; null while it is entered by passkey alone.",
    }),
    displayName: t.exposeString("displayName", { nullable: true, description: "What it likes to be called." }),
    x402Enabled: t.boolean({
      description: "Whether X402 payments are turned on.",
      resolve: ({ x402EnabledAt }) => x402EnabledAt !== null,
    }),
    strictScopes: t.exposeBoolean("strictScopes", {
      description: "Whether declared scopes are enforced for every credential of the account.",
    }),
    x402EnabledAt: t.expose("x402EnabledAt", { type: "DateTime", nullable: true, description: "Since when they are." }),
    spending: t.field({
      type: Spending,
      complexity: 5,
      description: "The account's own limits: those of each token apply beside them.",
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was opened." }),
  }),
});

/** No account has it: a look-up with it finds nothing. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

const limitFields = "in US dollars; null for none";

const CreateAccountInput = builder.inputType("CreateAccountInput", {
  description: "A new account.",
  fields: (t) => ({
    email: t.string({ required: true, validate: StorableText, description: "Its e-mail address; one account each." }),
    displayName: t.string({ validate: StorableText, description: "What it likes to be called." }),
    perTransactionLimitUsd: t.field({ type: "Usd", description: `The most one payment may cost, ${limitFields}.` }),
    dailyLimitUsd: t.field({ type: "Usd", description: `The most it may spend in a UTC day, ${limitFields}.` }),
    monthlyLimitUsd: t.field({ type: "Usd", description: `The most it may spend in a UTC month, ${limitFields}.` }),
  }),
});

const CreateAccountSuccess = builder.objectRef<{ account: Account; secret: string }>("CreateAccountSuccess").implement({
  description: "The account was opened, with a wallet and free credit.",
  fields: (t) => ({
    account: t.expose("account", { type: AccountNode, description: "The new account." }),
    secret: t.exposeString("secret", {
      description:
        "The account's first API token, which may do all that the account may, within its limits: for its owner, to make narrower ones with. Shown this once.",
    }),
  }),
});

builder.mutationField("createAccount", (t) =>
  t.field({
    type: CreateAccountSuccess,
    description: "Opens an account with an embedded wallet and free credit. For the operator of this installation.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "CreateAccountResult", description: "The new account, or why there is none." },
    },
    args: { input: t.arg({ type: CreateAccountInput, required: true, description: "The new account." }) },
    resolve: (_root, { input }, { deps, viewer }) =>
      createAccount({ ...deps, freeCreditMicroUsd: deps.settings.freeCreditMicroUsd }, viewer, {
        email: input.email,
        displayName: input.displayName ?? null,
        limits: {
          perTransactionMicroUsd: input.perTransactionLimitUsd ?? null,
          dailyMicroUsd: input.dailyLimitUsd ?? null,
          monthlyMicroUsd: input.monthlyLimitUsd ?? null,
        },
      }),
  }),
);

const SetX402EnabledInput = builder.inputType("SetX402EnabledInput", {
  description: "Whether the account pays for X402 resources.",
  fields: (t) => ({ enabled: t.boolean({ required: true, description: "True turns payments on, false off." }) }),
});

const SetX402EnabledSuccess = builder.objectRef<{ id: string }>("SetX402EnabledSuccess").implement({
  description: "The setting is as asked.",
  fields: (t) => ({
    account: t.prismaField({
      type: AccountNode,
      description: "The account as it now is.",
      resolve: (query, { id }, _args, { deps }) =>
        deps.db.prisma.account.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField("setX402Enabled", (t) =>
  t.field({
    type: SetX402EnabledSuccess,
    description: "Turns X402 payments on or off for the account; they are opt-in. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "SetX402EnabledResult", description: "The account, or why the setting stayed." },
    },
    args: { input: t.arg({ type: SetX402EnabledInput, required: true, description: "The setting." }) },
    resolve: (_root, { input }, { deps, viewer }) => setX402Enabled(deps, viewer, input.enabled),
  }),
);

const SetStrictScopesInput = builder.inputType("SetStrictScopesInput", {
  description: "Whether scopes are enforced.",
  fields: (t) => ({
    enabled: t.boolean({ required: true, description: "True enforces declared scopes, false only declares them." }),
  }),
});

const SetStrictScopesSuccess = builder.objectRef<Account>("SetStrictScopesSuccess").implement({
  description: "The setting is as asked.",
  fields: (t) => ({
    account: t.field({ type: AccountNode, description: "The account as it now is.", resolve: (account) => account }),
  }),
});

builder.mutationField("setStrictScopes", (t) =>
  t.field({
    type: SetStrictScopesSuccess,
    description:
      "Enforces declared scopes for every credential of the account: without `payments:sign` none pays, without `balance:read` and `transactions:read` none sees balance or ledger. Off by default. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "SetStrictScopesResult", description: "The account, or why the setting stayed." },
    },
    args: { input: t.arg({ type: SetStrictScopesInput, required: true, description: "The setting." }) },
    resolve: (_root, { input }, { deps, viewer }) => setStrictScopes(deps, viewer, input.enabled),
  }),
);
