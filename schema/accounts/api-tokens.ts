import type { ApiToken } from "../../generated/prisma/client.ts";
import { createApiToken, LimitExceedsOwnError, revokeApiToken } from "../../src/accounts/api-tokens.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { containsFilter } from "../../src/platform/database/text.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { ownAccountId } from "../owner.ts";
import { StorableText, StorableTexts } from "../text.ts";
import { Spending } from "../wallet/spending.ts";
import { CredentialStatusEnum, statusWhere } from "./credential-status.ts";

export const ApiTokenNode = builder.prismaNode("ApiToken", {
  id: { field: "id", description: "The token's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountId(context) }),
  nullable: true,
  description: "A long-lived credential with limits of its own. Its secret was shown once, when it was made.",
  fields: (t) => ({
    tokenId: t.exposeID("id", { description: "The token's own id, without its type." }),
    name: t.exposeString("name", { description: "What it is for." }),
    hint: t.exposeString("hint", { description: "The last four characters of the secret." }),
    scopes: t.exposeStringList("scopes", { description: "What it was granted." }),
    networks: t.expose("networks", { type: ["NetworkName"], description: "The networks it may pay on." }),
    allowedHosts: t.exposeStringList("allowedHosts", { description: "Hosts it may pay; empty for any." }),
    allowedPayees: t.exposeStringList("allowedPayees", { description: "Recipients it may pay; empty for any." }),
    spending: t.field({
      type: Spending,
      complexity: 5,
      description: "Its own limits: the account's apply beside them.",
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was made." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true, description: "When it ends by itself." }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "When it was revoked." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last used, to the minute.",
    }),
  }),
});

export const ApiTokenFilter = builder.inputType("ApiTokenFilter", {
  description: "Which API tokens; all that is given must hold.",
  fields: (t) => ({
    status: t.field({ type: CredentialStatusEnum, description: "How they stand." }),
    q: t.string({ validate: StorableText, description: "Found in their name, in letters of any case." }),
  }),
});

/** The filter as the database takes it. */
export function apiTokensWhere(filter: typeof ApiTokenFilter.$inferInput | null | undefined) {
  const standing = { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
  return { ...statusWhere(filter?.status, standing), ...(filter?.q ? { name: containsFilter(filter.q) } : {}) };
}

const CreateApiTokenInput = builder.inputType("CreateApiTokenInput", {
  description: "A new API token. It can never be wider than the credential that makes it.",
  fields: (t) => ({
    name: t.string({ required: true, validate: StorableText, description: "What it is for; 1 to 100 characters." }),
    perTransactionLimitUsd: t.field({ type: "Usd", description: "The most one payment may cost; null for none." }),
    dailyLimitUsd: t.field({ type: "Usd", description: "The most it may spend in a UTC day; null for none." }),
    monthlyLimitUsd: t.field({ type: "Usd", description: "The most it may spend in a UTC month; null for none." }),
    networks: t.field({
      type: ["NetworkName"],
      description: "The networks it may pay on; default: those of the credential that makes it.",
    }),
    scopes: t.stringList({
      validate: StorableTexts,
      description: `What it may do; default \`payments:sign\`, \`balance:read\`, \`transactions:read\`. All: ${SCOPES.map((scope) => `\`${scope}\``).join(", ")}.`,
    }),
    allowedHosts: t.stringList({
      validate: StorableTexts,
      description: "Hosts it may pay; default any that its maker may.",
    }),
    allowedPayees: t.stringList({
      validate: StorableTexts,
      description: "Recipients it may pay; default any that its maker may.",
    }),
    expiresAt: t.field({ type: "DateTime", description: "When it ends by itself; null for never." }),
  }),
});

const CreateApiTokenSuccess = builder
  .objectRef<{ token: ApiToken; secret: string }>("CreateApiTokenSuccess")
  .implement({
    description: "The token was made.",
    fields: (t) => ({
      token: t.expose("token", { type: ApiTokenNode, description: "The new token." }),
      secret: t.exposeString("secret", { description: "What is sent as `X-Service-Token`. Shown this once." }),
    }),
  });

const DEFAULT_SCOPES = ["payments:sign", "balance:read", "transactions:read"] as const;

builder.mutationField("createApiToken", (t) =>
  t.field({
    type: CreateApiTokenSuccess,
    description:
      "Makes an API token. Needs the scope `account:manage`, and of a session a proof of identity in the last 10 minutes where the token may change the account, or spend more in a day than the account's own limits or, where there are none, 100 US dollars.",
    errors: {
      types: [...INPUT_ERRORS, LimitExceedsOwnError, ReauthenticationRequiredError],
      union: { name: "CreateApiTokenResult", description: "The new token and its secret, or why there is none." },
    },
    args: { input: t.arg({ type: CreateApiTokenInput, required: true, description: "The new token." }) },
    resolve: (_root, { input }, { deps, viewer }) => {
      const maker = viewer?.kind === "account" ? viewer.rules : null;
      return createApiToken(deps, viewer, {
        name: input.name,
        limits: {
          perTransactionMicroUsd: input.perTransactionLimitUsd ?? null,
          dailyMicroUsd: input.dailyLimitUsd ?? null,
          monthlyMicroUsd: input.monthlyLimitUsd ?? null,
        },
        // An unknown scope is refused by the use case, which names it.
        scopes: (input.scopes ?? DEFAULT_SCOPES) as typeof DEFAULT_SCOPES,
        networks: input.networks ?? maker?.networks ?? [],
        allowedHosts: input.allowedHosts ?? maker?.allowedHosts ?? [],
        allowedPayees: input.allowedPayees ?? maker?.allowedPayees ?? [],
        expiresAt: input.expiresAt ?? null,
      });
    },
  }),
);

const RevokeApiTokenInput = builder.inputType("RevokeApiTokenInput", {
  description: "The token to revoke.",
  fields: (t) => ({
    id: t.globalID({ required: true, description: "The token's global id." }),
  }),
});

const RevokeApiTokenSuccess = builder.objectRef<{ token: ApiToken }>("RevokeApiTokenSuccess").implement({
  description: "The token is revoked: nothing more can be reserved with it.",
  fields: (t) => ({ token: t.expose("token", { type: ApiTokenNode, description: "The token as it now is." }) }),
});

builder.mutationField("revokeApiToken", (t) =>
  t.field({
    type: RevokeApiTokenSuccess,
    description: "Revokes an API token at once. Revoking twice changes nothing. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RevokeApiTokenResult", description: "The revoked token, or why it was not revoked." },
    },
    args: { input: t.arg({ type: RevokeApiTokenInput, required: true, description: "The token." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      return { token: await revokeApiToken(deps, viewer, idOf("ApiToken", id)) };
    },
  }),
);
