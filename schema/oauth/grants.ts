/** Applications that an account allowed to act for it. */
import type { OAuthClient, OAuthGrant } from "../../generated/prisma/client.ts";
import { LimitExceedsOwnError } from "../../src/accounts/api-tokens.ts";
import { disconnectApp, updateGrantLimits } from "../../src/oauth/grants.ts";
import { containsFilter } from "../../src/platform/database/text.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { ownAccountId } from "../owner.ts";
import { PAGES, readPage } from "../paging.ts";
import { StorableText } from "../text.ts";
import { budgetTransactions } from "../wallet/budget-transactions.ts";
import { Spending } from "../wallet/spending.ts";
import { TransactionConnection, TransactionEdge, TransactionNode } from "../wallet/transactions.ts";

/** What people are shown of an application. */
export interface PublicClient {
  readonly client: Pick<OAuthClient, "id" | "appName" | "supportEmail" | "accountId">;
  /** Where people are sent back to. */
  readonly redirectUri: string | null;
}

export const PublicOAuthClient = builder.objectRef<PublicClient>("PublicOAuthClient").implement({
  description: "An application as people see it.",
  fields: (t) => ({
    clientId: t.id({ description: "The `client_id` of OAuth.", resolve: ({ client }) => client.id }),
    appName: t.string({ description: "Its name.", resolve: ({ client }) => client.appName }),
    supportEmail: t.string({
      nullable: true,
      description: "Where its users find help; null for this service's own.",
      resolve: ({ client }) => client.supportEmail || null,
    }),
    redirectHost: t.string({
      nullable: true,
      description: "The host where people are sent back to; null where the address has none, as an app's own scheme.",
      resolve: ({ redirectUri }) =>
        redirectUri !== null && URL.canParse(redirectUri) ? new URL(redirectUri).host || null : null,
    }),
    isOwn: t.boolean({
      description: "Whether it is this service's own, such as its command line client.",
      resolve: ({ client }) => client.accountId === null,
    }),
  }),
});

export const OAuthGrantNode = builder.prismaNode("OAuthGrant", {
  id: { field: "id", description: "The grant's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountId(context) }),
  nullable: true,
  description: "What the account allows an application. Its limits apply to all tokens of the application together.",
  fields: (t) => ({
    grantId: t.exposeID("id", { description: "The grant's own id, without its type." }),
    client: t.field({
      type: PublicOAuthClient,
      select: { client: true },
      description: "The application.",
      resolve: ({ client }) => ({ client, redirectUri: client.redirectUris[0] ?? null }),
    }),
    scopes: t.exposeStringList("scopes", { description: "What it may ask tokens for." }),
    networks: t.expose("networks", { type: ["NetworkName"], description: "The networks it may pay on." }),
    spending: t.field({
      type: Spending,
      complexity: 5,
      description: "Its limits and what counts against them: the account's apply beside them.",
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was first allowed." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the application last called, to the minute.",
    }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "When it was disconnected." }),
    transactions: t.prismaConnection(
      {
        type: TransactionNode,
        ...PAGES,
        description: "What the application paid, newest first.",
        resolve: (query, { id }, _args, context) => budgetTransactions(context, query, id),
      },
      TransactionConnection,
      TransactionEdge,
    ),
  }),
});

const OAuthGrantFilter = builder.inputType("OAuthGrantFilter", {
  description: "Which connected applications; all that is given must hold.",
  fields: (t) => ({
    isRevoked: t.boolean({ description: "Whether they were disconnected." }),
    q: t.string({ validate: StorableText, description: "Found in the application's name, in letters of any case." }),
  }),
});

builder.objectField(ViewerType, "connectedApps", (t) =>
  t.prismaConnection(
    {
      type: OAuthGrantNode,
      ...PAGES,
      description: "Applications the account allowed to act for it: standing ones first, newest first.",
      args: { filter: t.arg({ type: OAuthGrantFilter, description: "Which of them; default all." }) },
      resolve: (query, { accountId }, { filter }, { deps }) =>
        readPage(
          query,
          { accountId },
          (page) =>
            deps.db.prisma.oAuthGrant.findMany({
              ...page,
              where: {
                accountId,
                ...(typeof filter?.isRevoked === "boolean"
                  ? { revokedAt: filter.isRevoked ? { not: null } : null }
                  : {}),
                ...(filter?.q ? { client: { appName: containsFilter(filter.q) } } : {}),
              },
              orderBy: [{ revokedAt: { sort: "desc", nulls: "first" } }, { createdAt: "desc" }, { id: "desc" }],
            }),
          (where) => deps.db.prisma.oAuthGrant.count({ where }),
        ),
    },
    { name: "OAuthGrantConnection", description: "A page of connected applications." },
    { name: "OAuthGrantEdge", description: "A connected application in a list." },
  ),
);

const DisconnectAppInput = builder.inputType("DisconnectAppInput", {
  description: "The application to disconnect.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The grant's global id." }) }),
});

const DisconnectAppSuccess = builder.objectRef<{ grant: OAuthGrant }>("DisconnectAppSuccess").implement({
  description: "The application may do nothing more: every token of it has ended.",
  fields: (t) => ({ grant: t.expose("grant", { type: OAuthGrantNode, description: "The grant as it now is." }) }),
});

builder.mutationField("disconnectApp", (t) =>
  t.field({
    type: DisconnectAppSuccess,
    description: "Takes back all that an application was allowed, at once. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "DisconnectAppResult", description: "The ended grant, or why it stands." },
    },
    args: { input: t.arg({ type: DisconnectAppInput, required: true, description: "The application." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      grant: await disconnectApp(deps, viewer, idOf("OAuthGrant", input.id)),
    }),
  }),
);

const UpdateGrantLimitsInput = builder.inputType("UpdateGrantLimitsInput", {
  description: "New limits for a connected application, within the account's own. What is left out stays as it is.",
  fields: (t) => ({
    id: t.globalID({ required: true, description: "The grant's global id." }),
    perTransactionLimitUsd: t.field({ type: "Usd", description: "The most one payment may cost; null for none." }),
    dailyLimitUsd: t.field({ type: "Usd", description: "The most it may spend in a UTC day; null for none." }),
    monthlyLimitUsd: t.field({ type: "Usd", description: "The most it may spend in a UTC month; null for none." }),
    networks: t.field({ type: ["NetworkName"], description: "The networks it may pay on." }),
  }),
});

const UpdateGrantLimitsSuccess = builder.objectRef<{ grant: OAuthGrant }>("UpdateGrantLimitsSuccess").implement({
  description: "The limits are as asked, for every token of the application.",
  fields: (t) => ({ grant: t.expose("grant", { type: OAuthGrantNode, description: "The grant as it now is." }) }),
});

builder.mutationField("updateGrantLimits", (t) =>
  t.field({
    type: UpdateGrantLimitsSuccess,
    description: "Changes what a connected application may spend, and where. For a person who is signed in.",
    errors: {
      types: [...INPUT_ERRORS, LimitExceedsOwnError],
      union: { name: "UpdateGrantLimitsResult", description: "The changed grant, or why it stayed." },
    },
    args: { input: t.arg({ type: UpdateGrantLimitsInput, required: true, description: "The new limits." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      grant: await updateGrantLimits(deps, viewer, {
        grantId: idOf("OAuthGrant", input.id),
        limits: {
          perTransactionMicroUsd: input.perTransactionLimitUsd,
          dailyMicroUsd: input.dailyLimitUsd,
          monthlyMicroUsd: input.monthlyLimitUsd,
        },
        networks: input.networks ?? null,
      }),
    }),
  }),
);
