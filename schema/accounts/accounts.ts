import type { Account } from "../../generated/prisma/client.ts";
import { setStrictScopes, setX402Enabled } from "../../src/accounts/account-settings.ts";
import { createAccount } from "../../src/wallet/open-account.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { requireAccountId } from "../owner.ts";
import { StorableText } from "../text.ts";
import { Spending } from "../wallet/spending.ts";

export const AccountNode = builder.prismaNode("Account", {
  id: { field: "id", description: "The account's global id." },
  findUnique: (id, context) => (id === requireAccountId(context) ? { id } : { id: NO_ACCOUNT_ID }),
  nullable: true,
  description: "An account: the person or company on whose behalf an agent acts.",
  fields: (t) => ({
    accountId: t.exposeID("id", { description: "The account's id without the type prefix." }),
    email: t.exposeString("email", {
      nullable: true,
      description: "The verified email address. Null if the account has no address.",
    }),
    displayName: t.exposeString("displayName", { nullable: true, description: "The display name." }),
    x402Enabled: t.boolean({
      description: "Whether X402 payments are enabled.",
      resolve: ({ x402EnabledAt }) => x402EnabledAt !== null,
    }),
    strictScopes: t.exposeBoolean("strictScopes", {
      description: "Whether declared scopes are enforced for every credential of the account.",
    }),
    x402EnabledAt: t.expose("x402EnabledAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when X402 payments were enabled. Null if they are disabled.",
    }),
    spending: t.field({
      type: Spending,
      complexity: 5,
      description: "The account's own limits and spending. Limits of tokens apply in addition.",
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the account was created." }),
  }),
});

/** An id that no account has, for look-ups of other accounts. */
const NO_ACCOUNT_ID = "00000000-0000-0000-0000-000000000000";

const limitFields = "in US dollars. Null for no limit";

const CreateAccountInput = builder.inputType("CreateAccountInput", {
  description: "A new account.",
  fields: (t) => ({
    email: t.string({
      required: true,
      validate: StorableText,
      description: "The email address. Must not belong to another account.",
    }),
    displayName: t.string({ validate: StorableText, description: "The display name." }),
    perTransactionLimitUsd: t.field({ type: "Usd", description: `The maximum amount of one payment, ${limitFields}.` }),
    dailyLimitUsd: t.field({ type: "Usd", description: `The maximum spending per UTC day, ${limitFields}.` }),
    monthlyLimitUsd: t.field({ type: "Usd", description: `The maximum spending per UTC month, ${limitFields}.` }),
  }),
});

const CreateAccountSuccess = builder.objectRef<{ account: Account; secret: string }>("CreateAccountSuccess").implement({
  description: "The account was created with a wallet and free credit.",
  fields: (t) => ({
    account: t.expose("account", { type: AccountNode, description: "The new account." }),
    secret: t.exposeString("secret", {
      description:
        "The account's first API token, with all scopes. The owner uses it to create tokens with fewer rights. Shown only once.",
    }),
  }),
});

builder.mutationField("createAccount", (t) =>
  t.field({
    type: CreateAccountSuccess,
    description: "Creates an account with an embedded wallet and free credit. Requires the operator's admin token.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "CreateAccountResult", description: "The new account or an error." },
    },
    args: { input: t.arg({ type: CreateAccountInput, required: true, description: "The new account." }) },
    resolve: (_root, { input }, { deps, viewer }) =>
      createAccount(deps, viewer, {
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
  description: "The X402 setting of the account.",
  fields: (t) => ({ enabled: t.boolean({ required: true, description: "Whether to enable X402 payments." }) }),
});

const SetX402EnabledSuccess = builder.objectRef<{ id: string }>("SetX402EnabledSuccess").implement({
  description: "The setting was applied.",
  fields: (t) => ({
    account: t.prismaField({
      type: AccountNode,
      description: "The updated account.",
      resolve: (query, { id }, _args, { deps }) =>
        deps.db.prisma.account.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField("setX402Enabled", (t) =>
  t.field({
    type: SetX402EnabledSuccess,
    description:
      "Enables or disables X402 payments for the account. They are disabled by default. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "SetX402EnabledResult", description: "The updated account or an error." },
    },
    args: { input: t.arg({ type: SetX402EnabledInput, required: true, description: "The new setting." }) },
    resolve: (_root, { input }, { deps, viewer }) => setX402Enabled(deps, viewer, input.enabled),
  }),
);

const SetStrictScopesInput = builder.inputType("SetStrictScopesInput", {
  description: "The strict scopes setting of the account.",
  fields: (t) => ({
    enabled: t.boolean({ required: true, description: "Whether to enforce declared scopes." }),
  }),
});

const SetStrictScopesSuccess = builder.objectRef<Account>("SetStrictScopesSuccess").implement({
  description: "The setting was applied.",
  fields: (t) => ({
    account: t.field({ type: AccountNode, description: "The updated account.", resolve: (account) => account }),
  }),
});

builder.mutationField("setStrictScopes", (t) =>
  t.field({
    type: SetStrictScopesSuccess,
    description:
      "Enables or disables the enforcement of declared scopes for every credential of the account. If enabled, every field requires the scopes that `docs/access.md` lists, such as `payments:sign` for payments. Disabled by default. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "SetStrictScopesResult", description: "The updated account or an error." },
    },
    args: { input: t.arg({ type: SetStrictScopesInput, required: true, description: "The new setting." }) },
    resolve: (_root, { input }, { deps, viewer }) => setStrictScopes(deps, viewer, input.enabled),
  }),
);
