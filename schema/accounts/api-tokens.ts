import type { ApiToken, Prisma } from "../../generated/prisma/client.ts";
import {
  API_TOKEN_FIELDS,
  createApiToken,
  LimitExceedsOwnError,
  revokeApiToken,
} from "../../src/accounts/api-tokens.ts";
import { changeApiTokenCardBudget } from "../../src/accounts/change-api-token-card-budget.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import type { Scope } from "../../src/accounts/viewer.ts";
import { matchText } from "../../src/platform/database/text.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import type { Context } from "../context.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { ScopeEnum } from "../oauth/scope.ts";
import { requireAccountId } from "../owner.ts";
import { StorableText } from "../text.ts";
import { Spending } from "../wallet/spending.ts";
import { CardBudgetInput, CardBudgetType, loadCardBudgets, toCardBudgetTerms } from "./card-budget.ts";
import { CredentialStatusEnum, filterByStatuses } from "./credential-status.ts";

export const ApiTokenNode = builder.prismaNode("ApiToken", {
  id: { field: "id", description: "The token's global id." },
  findUnique: (id, context) => ({ id, accountId: requireAccountId(context) }),
  nullable: true,
  description: "A long-lived credential with its own limits. The secret was shown once, at creation.",
  fields: (t) => ({
    tokenId: t.exposeID("id", { description: "The token's id without the type prefix." }),
    name: t.exposeString("name", { description: "The name of the token." }),
    hint: t.exposeString("hint", { description: "The last four characters of the secret." }),
    scopes: t.field({
      type: [ScopeEnum],
      description: "The scopes of the token.",
      resolve: ({ scopes }) => scopes as Scope[],
    }),
    networks: t.expose("networks", { type: ["NetworkName"], description: "The networks the token may pay on." }),
    allowedHosts: t.exposeStringList("allowedHosts", {
      description: "The hosts the token may pay. Empty if any host is allowed.",
    }),
    allowedPayees: t.exposeStringList("allowedPayees", {
      description: "The recipient addresses the token may pay. Empty if any address is allowed.",
    }),
    spending: t.field({
      type: Spending,
      complexity: 5,
      description: "The token's own limits and spending. The account's limits apply in addition.",
      resolve: ({ id }) => id,
    }),
    cardBudget: t.loadable({
      type: CardBudgetType,
      nullable: true,
      description: "The token's own limits for orders by card. Null if the checkout policy alone limits them.",
      load: loadCardBudgets,
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the token was created." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the token expires. Null if it does not expire.",
    }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the token was revoked. Null if it was not.",
    }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the token was last used, to the minute.",
    }),
  }),
});

export const ApiTokenFilter = builder.inputType("ApiTokenFilter", {
  description: "Filters for API tokens. All given conditions must match.",
  fields: (t) => ({
    statuses: t.field({ type: [CredentialStatusEnum], description: "The statuses of the tokens. Default: all." }),
    q: t.string({ validate: StorableText, description: "Case-insensitive match on the name." }),
  }),
});

const tokensOf = createConnectionReader(
  {
    ...{ table: "api_tokens", parentColumn: "account_id", parentType: "uuid", timeColumn: "created_at" },
    order: "newest first",
    facets: { isRevoked: "(child.revoked_at IS NOT NULL)" },
  },
  ({ deps }, selection: Prisma.ApiTokenDefaultArgs, ids) =>
    deps.db.prisma.apiToken.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, accountId) => deps.db.prisma.apiToken.count({ where: { id, accountId } }),
);

/** Returns a page of an account's API tokens, newest first. */
export function apiTokensOf(
  context: Context,
  accountId: string,
  filter: typeof ApiTokenFilter.$inferInput | null | undefined,
) {
  const byStatus = filterByStatuses(filter?.statuses, "(child.expires_at IS NULL OR child.expires_at > now())");
  const conditions = [...byStatus.conditions, ...(filter?.q ? [matchText("child.name", filter.q)] : [])];
  return tokensOf(context, accountId, { ...byStatus, conditions });
}

const CreateApiTokenInput = builder.inputType("CreateApiTokenInput", {
  description: "A new API token. Its rights cannot exceed those of the calling credential.",
  fields: (t) => ({
    name: t.string({
      required: true,
      validate: API_TOKEN_FIELDS.name,
      description: "The name, 1 to 100 characters.",
    }),
    perTransactionLimitUsd: t.field({
      type: "Usd",
      description: "The maximum amount of one payment in US dollars. Null for no limit.",
    }),
    dailyLimitUsd: t.field({
      type: "Usd",
      description: "The maximum spending per UTC day in US dollars. Null for no limit.",
    }),
    monthlyLimitUsd: t.field({
      type: "Usd",
      description: "The maximum spending per UTC month in US dollars. Null for no limit.",
    }),
    cardBudget: t.field({
      type: CardBudgetInput,
      description:
        "The limits for orders by card. Omitted: the limits in US dollars, which then limit orders too; none if there are no limits. Null: the checkout policy alone.",
    }),
    networks: t.field({
      type: ["NetworkName"],
      validate: API_TOKEN_FIELDS.networks,
      description: "The networks the token may pay on. Defaults to those of the calling credential.",
    }),
    scopes: t.field({
      type: [ScopeEnum],
      description: "The scopes. Defaults to `PAYMENTS_SIGN`, `BALANCE_READ` and `TRANSACTIONS_READ`.",
    }),
    allowedHosts: t.stringList({
      validate: API_TOKEN_FIELDS.allowedHosts,
      description: "The host names the token may pay, at most 100. Defaults to those of the calling credential.",
    }),
    allowedPayees: t.stringList({
      validate: API_TOKEN_FIELDS.allowedPayees,
      description:
        "The recipient addresses the token may pay, at most 100. Defaults to those of the calling credential.",
    }),
    expiresAt: t.field({
      type: "DateTime",
      validate: API_TOKEN_FIELDS.expiresAt,
      description: "Timestamp when the token expires. Null for no expiry.",
    }),
  }),
});

const CreateApiTokenSuccess = builder
  .objectRef<{ token: ApiToken; secret: string }>("CreateApiTokenSuccess")
  .implement({
    description: "The token was created.",
    fields: (t) => ({
      token: t.expose("token", { type: ApiTokenNode, description: "The new token." }),
      secret: t.exposeString("secret", { description: "The secret to send as `X-Service-Token`. Shown only once." }),
    }),
  });

const DEFAULT_SCOPES: readonly Scope[] = ["payments:sign", "balance:read", "transactions:read"];

builder.mutationField("createApiToken", (t) =>
  t.field({
    type: CreateApiTokenSuccess,
    description:
      "Creates an API token. Requires the scope `account:manage`. A session with a sign-in in the last 10 minutes is required for a token with the scope `account:manage` or a high limit. A limit is high above the account's own limits, or above 100 US dollars a day if there are none.",
    errors: {
      types: [...INPUT_ERRORS, LimitExceedsOwnError, ReauthenticationRequiredError],
      union: { name: "CreateApiTokenResult", description: "The new token with its secret, or an error." },
    },
    args: { input: t.arg({ type: CreateApiTokenInput, required: true, description: "The new token." }) },
    resolve: (_root, { input }, { deps, viewer }) => {
      const callerRules = viewer?.kind === "account" ? viewer.rules : null;
      return createApiToken(deps, viewer, {
        name: input.name,
        limits: {
          perTransactionMicroUsd: input.perTransactionLimitUsd ?? null,
          dailyMicroUsd: input.dailyLimitUsd ?? null,
          monthlyMicroUsd: input.monthlyLimitUsd ?? null,
        },
        cardBudget: toCardBudgetTerms(input.cardBudget),
        scopes: input.scopes ?? DEFAULT_SCOPES,
        networks: input.networks ?? callerRules?.networks ?? [],
        allowedHosts: input.allowedHosts ?? callerRules?.allowedHosts ?? [],
        allowedPayees: input.allowedPayees ?? callerRules?.allowedPayees ?? [],
        expiresAt: input.expiresAt ?? null,
      });
    },
  }),
);

const ChangeApiTokenCardBudgetInput = builder.inputType("ChangeApiTokenCardBudgetInput", {
  description: "New limits for the orders of an API token.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The token's id.", validate: idOf("ApiToken") }),
    cardBudget: t.field({
      type: CardBudgetInput,
      description: "The limits for orders by card. Null or omitted: the checkout policy alone.",
    }),
  }),
});

const ChangeApiTokenCardBudgetSuccess = builder
  .objectRef<{ token: ApiToken }>("ChangeApiTokenCardBudgetSuccess")
  .implement({
    description: "The new limits apply from the token's next order.",
    fields: (t) => ({ token: t.expose("token", { type: ApiTokenNode, description: "The changed token." }) }),
  });

builder.mutationField("changeApiTokenCardBudget", (t) =>
  t.field({
    type: ChangeApiTokenCardBudgetSuccess,
    description:
      "Changes or removes the card budget of an active API token. Its use in the current day and month remains in the same currency. Requires a session.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "ChangeApiTokenCardBudgetResult", description: "The changed token or an error." },
    },
    args: {
      input: t.arg({ type: ChangeApiTokenCardBudgetInput, required: true, description: "The new limits." }),
    },
    resolve: async (_root, { input: { id, cardBudget } }, { deps, viewer }) => ({
      token: await changeApiTokenCardBudget(deps, viewer, {
        tokenId: id,
        cardBudget: toCardBudgetTerms(cardBudget) ?? null,
      }),
    }),
  }),
);

const RevokeApiTokenInput = builder.inputType("RevokeApiTokenInput", {
  description: "The token to revoke.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The token's id.", validate: idOf("ApiToken") }),
  }),
});

export const RevokeApiTokenSuccess = builder.objectRef<{ token: ApiToken }>("RevokeApiTokenSuccess").implement({
  description: "The token was revoked. No further payment can be reserved with it.",
  fields: (t) => ({ token: t.expose("token", { type: ApiTokenNode, description: "The revoked token." }) }),
});

builder.mutationField("revokeApiToken", (t) =>
  t.field({
    type: RevokeApiTokenSuccess,
    description:
      "Revokes an API token and all tokens created with it, with immediate effect. Idempotent. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RevokeApiTokenResult", description: "The revoked token or an error." },
    },
    args: { input: t.arg({ type: RevokeApiTokenInput, required: true, description: "The token to revoke." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      return { token: await revokeApiToken(deps, viewer, id) };
    },
  }),
);

lookUpById("apiToken", "ApiToken", ApiTokenNode, "the API token");
