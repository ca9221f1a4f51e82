/** Grants of an account to applications. */
import type { OAuthClient, OAuthGrant, Prisma } from "../../generated/prisma/client.ts";
import { LimitExceedsOwnError } from "../../src/accounts/api-tokens.ts";
import type { Scope } from "../../src/accounts/viewer.ts";
import { disconnectApp, updateGrantLimits } from "../../src/oauth/grants.ts";
import { waivedScopes } from "../../src/oauth/scopes.ts";
import { containsFilter } from "../../src/platform/database/text.ts";
import { CardBudgetInput, CardBudgetType, loadCardBudgets, toCardBudgetTerms } from "../accounts/card-budget.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { resolveConnection } from "../connection.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { requireAccountId, requireScopedAccountId } from "../owner.ts";
import { PAGES, prismaList } from "../paging.ts";
import { StorableText } from "../text.ts";
import { grantTransactionsOf } from "../wallet/grant-transactions.ts";
import { Spending } from "../wallet/spending.ts";
import {
  TRANSACTIONS_BY_TIME,
  TransactionConnection,
  TransactionEdge,
  TransactionNode,
} from "../wallet/transactions.ts";
import { ScopeEnum } from "./scope.ts";

/** The public information of an application. */
export interface PublicClient {
  readonly client: Pick<OAuthClient, "id" | "appName" | "supportEmail" | "accountId" | "registration" | "documentHost">;
  /** The redirect URI of the request, or the application's first one. */
  readonly redirectUri: string | null;
}

export const PublicOAuthClient = builder.objectRef<PublicClient>("PublicOAuthClient").implement({
  description: "The public information of an application.",
  fields: (t) => ({
    clientId: t.id({ description: "The OAuth `client_id`.", resolve: ({ client }) => client.id }),
    appName: t.string({ description: "The name of the application.", resolve: ({ client }) => client.appName }),
    supportEmail: t.string({
      nullable: true,
      description: "The support email address. Null for this service's own application.",
      resolve: ({ client }) => client.supportEmail || null,
    }),
    redirectHost: t.string({
      nullable: true,
      description: "The host of the redirect URI. Null if the URI has none.",
      resolve: ({ redirectUri }) =>
        redirectUri !== null && URL.canParse(redirectUri) ? new URL(redirectUri).host || null : null,
    }),
    documentHost: t.string({
      nullable: true,
      description:
        "The host of its client ID metadata document, which proves its identity. Its name is unverified then. Null without a document.",
      resolve: ({ client }) => (client.documentHost === null ? null : new URL(client.id).host),
    }),
    isSelfRegistered: t.boolean({
      description: "Whether the application registered itself, so that its name is unverified.",
      resolve: ({ client }) => client.registration !== "owner",
    }),
    isOwn: t.boolean({
      description: "Whether it is this service's own application, such as its command line client.",
      resolve: ({ client }) => client.accountId === null && client.registration === "owner",
    }),
  }),
});

interface Strictness {
  readonly strictScopes: boolean;
}

function enforcesScopes(grant: Strictness & { readonly client: Strictness; readonly account: Strictness }): boolean {
  return grant.strictScopes || grant.client.strictScopes || grant.account.strictScopes;
}

export const OAuthGrantNode = builder.prismaNode("OAuthGrant", {
  id: { field: "id", description: "The grant's global id." },
  findUnique: (id, context) => ({ id, accountId: requireAccountId(context) }),
  nullable: true,
  description:
    "The permission of an account for an application. Its limits apply to all tokens of the application together.",
  fields: (t) => ({
    grantId: t.exposeID("id", { description: "The grant's id without the type prefix." }),
    client: t.field({
      type: PublicOAuthClient,
      select: { client: true },
      description: "The application that received the grant.",
      resolve: ({ client }) => ({ client, redirectUri: client.redirectUris[0] ?? null }),
    }),
    scopes: t.field({
      type: [ScopeEnum],
      description: "The granted scopes.",
      resolve: ({ scopes }) => scopes as Scope[],
    }),
    strictScopes: t.boolean({
      description:
        "Whether the scopes of the application's tokens are enforced also on the REST routes of the contract: by the grant, the application or the account.",
      select: {
        strictScopes: true,
        client: { select: { strictScopes: true } },
        account: { select: { strictScopes: true } },
      },
      resolve: enforcesScopes,
    }),
    waivedScopes: t.field({
      type: [ScopeEnum],
      description: "The scopes that its tokens can use without a grant. Empty if scopes are enforced.",
      select: {
        strictScopes: true,
        client: { select: { strictScopes: true, waiverOnRoutesOnly: true } },
        account: { select: { strictScopes: true } },
      },
      resolve: (grant) => (enforcesScopes(grant) ? [] : waivedScopes(grant.scopes, grant.client.waiverOnRoutesOnly)),
    }),
    networks: t.expose("networks", { type: ["NetworkName"], description: "The networks the application may pay on." }),
    spending: t.field({
      type: Spending,
      complexity: 5,
      description: "The grant's limits and spending. The account's limits apply in addition.",
      resolve: ({ id }) => id,
    }),
    cardBudget: t.loadable({
      type: CardBudgetType,
      nullable: true,
      description: "The grant's own limits for orders by card. Null if the checkout policy alone limits them.",
      load: loadCardBudgets,
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the grant was first approved." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the application last used the grant, to the minute.",
    }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the application was disconnected. Null if it is connected.",
    }),
    transactions: t.connection(
      {
        type: TransactionNode,
        ...TRANSACTIONS_BY_TIME.pages,
        description: "Payments of the application, newest first.",
        args: { orderBy: t.arg(TRANSACTIONS_BY_TIME.argument) },
        resolve: ({ id }, args, context, info) => {
          requireScopedAccountId(context, "transactions:read");
          const payments = grantTransactionsOf(context, id, {}, TRANSACTIONS_BY_TIME.orderOf(args));
          return resolveConnection(args, context, info, payments);
        },
      },
      TransactionConnection,
      TransactionEdge,
    ),
  }),
});

const OAuthGrantFilter = builder.inputType("OAuthGrantFilter", {
  description: "Filters for connected applications. All given conditions must match.",
  fields: (t) => ({
    isRevoked: t.boolean({ description: "Whether the application was disconnected." }),
    q: t.string({ validate: StorableText, description: "Case-insensitive match on the application's name." }),
  }),
});

builder.objectField(ViewerType, "connectedApps", (t) =>
  t.connection(
    {
      type: OAuthGrantNode,
      ...PAGES,
      description: "The account's grants to applications: active ones first, then newest first.",
      args: { filter: t.arg({ type: OAuthGrantFilter, description: "Filters for the list. Defaults to all grants." }) },
      resolve: ({ accountId }, args, context, info) => {
        const { oAuthGrant } = context.deps.db.prisma;
        const { isRevoked, q } = args.filter ?? {};
        const where = {
          accountId,
          ...(typeof isRevoked === "boolean" ? { revokedAt: isRevoked ? { not: null } : null } : {}),
          ...(q ? { client: { appName: containsFilter(q) } } : {}),
        };
        const orderBy: Prisma.OAuthGrantOrderByWithRelationInput[] = [
          { revokedAt: { sort: "desc", nulls: "first" } },
          { createdAt: "desc" },
          { id: "desc" },
        ];
        const grants = prismaList(
          { accountId },
          where,
          (query: Prisma.OAuthGrantFindManyArgs) => oAuthGrant.findMany({ ...query, orderBy }),
          (query) => oAuthGrant.count(query),
        );
        return resolveConnection(args, context, info, grants);
      },
    },
    { name: "OAuthGrantConnection", description: "A page of connected applications." },
    { name: "OAuthGrantEdge", description: "A connected application in a list." },
  ),
);

builder.objectField(ViewerType, "cardBudget", (t) =>
  t.loadable({
    type: CardBudgetType,
    nullable: true,
    description:
      "The card budget of the API token or application that sent this request. Null if it has none, or for another credential.",
    load: loadCardBudgets,
    resolve: ({ budgetId }) => budgetId,
  }),
);

builder.objectField(ViewerType, "grant", (t) =>
  t.prismaField({
    type: OAuthGrantNode,
    nullable: true,
    description: "The grant of the application that sent this request, with its limits. Null for another credential.",
    resolve: (query, { credentialKind, budgetId: id }, _args, { deps }) =>
      credentialKind === "access_token" ? deps.db.prisma.oAuthGrant.findUnique({ ...query, where: { id } }) : null,
  }),
);

const DisconnectAppInput = builder.inputType("DisconnectAppInput", {
  description: "The application to disconnect.",
  fields: (t) => ({ id: t.id({ required: true, description: "The grant's id.", validate: idOf("OAuthGrant") }) }),
});

const DisconnectAppSuccess = builder.objectRef<{ grant: OAuthGrant }>("DisconnectAppSuccess").implement({
  description: "The grant was revoked. All tokens of the application for this account are invalid.",
  fields: (t) => ({ grant: t.expose("grant", { type: OAuthGrantNode, description: "The updated grant." }) }),
});

builder.mutationField("disconnectApp", (t) =>
  t.field({
    type: DisconnectAppSuccess,
    description:
      "Revokes a grant and all its tokens, with immediate effect. Idempotent. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "DisconnectAppResult", description: "The revoked grant or an error." },
    },
    args: { input: t.arg({ type: DisconnectAppInput, required: true, description: "The application to disconnect." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      grant: await disconnectApp(deps, viewer, input.id),
    }),
  }),
);

const UpdateGrantLimitsInput = builder.inputType("UpdateGrantLimitsInput", {
  description:
    "New limits for a connected application, within the account's own limits. Omitted fields remain unchanged.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The grant's id.", validate: idOf("OAuthGrant") }),
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
      description: "The limits for orders by card. Null: the checkout policy alone.",
    }),
    networks: t.field({ type: ["NetworkName"], description: "The networks the application may pay on." }),
    strictScopes: t.boolean({
      description: "True enforces the scopes of all tokens of the application. Enforced scopes cannot be waived.",
    }),
  }),
});

const UpdateGrantLimitsSuccess = builder.objectRef<{ grant: OAuthGrant }>("UpdateGrantLimitsSuccess").implement({
  description: "The new limits apply to every token of the application.",
  fields: (t) => ({ grant: t.expose("grant", { type: OAuthGrantNode, description: "The updated grant." }) }),
});

builder.mutationField("updateGrantLimits", (t) =>
  t.field({
    type: UpdateGrantLimitsSuccess,
    description:
      "Changes the limits and networks of a connected application, or enforces its scopes. Requires a session.",
    errors: {
      types: [...INPUT_ERRORS, LimitExceedsOwnError],
      union: { name: "UpdateGrantLimitsResult", description: "The updated grant or an error." },
    },
    args: { input: t.arg({ type: UpdateGrantLimitsInput, required: true, description: "The new limits." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      grant: await updateGrantLimits(deps, viewer, {
        grantId: input.id,
        limits: {
          perTransactionMicroUsd: input.perTransactionLimitUsd,
          dailyMicroUsd: input.dailyLimitUsd,
          monthlyMicroUsd: input.monthlyLimitUsd,
        },
        cardBudget: toCardBudgetTerms(input.cardBudget),
        networks: input.networks ?? null,
        strictScopes: input.strictScopes ?? undefined,
      }),
    }),
  }),
);

lookUpById("oauthGrant", "OAuthGrant", OAuthGrantNode, "the grant");
