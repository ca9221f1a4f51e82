import type { Prisma } from "../../generated/prisma/client.ts";
import { CREDENTIAL_TYPES, type CredentialKind, credentialTypePath } from "../../src/agents/credentials/kinds.ts";
import { findCredential } from "../../src/agents/credentials/present.ts";
import { disclosableNames, readClaims } from "../../src/agents/credentials/sd-jwt.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import { selectedOf } from "../filters.ts";
import { requireScopedAccountId } from "../owner.ts";
import { PAGES } from "../paging.ts";
import { createVisibleFinder } from "../visible-finder.ts";
import { wireEnum } from "../wire-enum.ts";
import { AgentNode } from "./agents.ts";

export const CredentialKindEnum = wireEnum<CredentialKind>("AgentCredentialKind", "The kind of an agent credential.", {
  trust: CREDENTIAL_TYPES.trust.description,
  delegation: CREDENTIAL_TYPES.delegation.description,
});

export const AgentCredentialNode = builder.prismaNode("AgentCredential", {
  id: { field: "id", description: "The credential's global id." },
  findUnique: createVisibleFinder((ids, context) =>
    context.deps.db.prisma.agentCredential.findMany({
      select: { id: true },
      where: { id: { in: ids }, agent: { accountId: requireScopedAccountId(context, "agent:read") } },
    }),
  ),
  nullable: true,
  description: "A credential that Satchel issued about an agent: an SD-JWT VC, bound to the agent's key.",
  fields: (t) => ({
    credentialId: t.exposeID("id", { description: "The id of the credential: `crd_…`." }),
    kind: t.field({
      type: CredentialKindEnum,
      description: "The kind of the credential.",
      resolve: ({ kind }) => kind as CredentialKind,
    }),
    sdJwt: t.exposeString("sdJwt", {
      description:
        "The credential with all its disclosures. A recipient of this string can read every claim. `presentAgentCredential` discloses selected claims and proves possession of the agent's key.",
    }),
    typeMetadataUrl: t.field({
      type: "Url",
      description: "The URL of the type's metadata (SD-JWT VC), which lists and describes each claim.",
      resolve: ({ kind }, _args, { deps }) => deps.site.baseUrl() + credentialTypePath(kind as CredentialKind),
    }),
    claims: t.field({
      type: "JSON",
      description: "All claims of the credential, disclosed or not, as an object. `typeMetadataUrl` describes them.",
      resolve: ({ sdJwt }) => readClaims(sdJwt),
    }),
    disclosableClaims: t.stringList({
      description:
        "The names of the claims that can be disclosed selectively. Pass them to `presentAgentCredential` as `disclose`.",
      resolve: ({ sdJwt }) => disclosableNames(sdJwt),
    }),
    issuedAt: t.expose("issuedAt", { type: "DateTime", description: "Timestamp when the credential was issued." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      description: "Timestamp when the credential expires. Satchel replaces the credential 7 days earlier.",
    }),
    isRevoked: t.boolean({
      description: "Whether the credential was revoked or replaced. Its public status list contains the same status.",
      resolve: ({ revokedAt }) => revokedAt !== null,
    }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the credential was revoked or replaced. Null if it was not.",
    }),
  }),
});

lookUpById("agentCredential", "AgentCredential", AgentCredentialNode, "the credential");

const activeCredentialField = (kind: CredentialKind, description: string) => ({
  type: AgentCredentialNode,
  nullable: true as const,
  description: `${description} Null until it is issued and while the agent is revoked. Requires the scope \`agent:read\`.`,
  kind,
});

builder.prismaObjectFields(AgentNode, (t) => {
  const credential = ({ kind, ...options }: ReturnType<typeof activeCredentialField>) =>
    t.field({
      ...options,
      resolve: (_agent, _args, context) =>
        findCredential(context.deps, requireScopedAccountId(context, "agent:read"), kind),
    });
  return {
    trustCredential: credential(
      activeCredentialField("trust", "The trust credential: the agent's identity on chain and its trust score."),
    ),
    delegationCredential: credential(
      activeCredentialField(
        "delegation",
        "The delegation credential: the limits and scopes the account owner granted.",
      ),
    ),
  };
});

const AgentCredentialFilter = builder.inputType("AgentCredentialFilter", {
  description: "Filters for credentials. All given filters must match.",
  fields: (t) => ({
    kinds: t.field({ type: [CredentialKindEnum], description: "The kinds of the credentials. Default: all." }),
    isRevoked: t.boolean({ description: "Whether the credentials are revoked or replaced." }),
  }),
});

const credentialsOf = createConnectionReader(
  { table: "agent_credentials", parentColumn: "agent_id", timeColumn: "issued_at", order: "newest first" },
  ({ deps }, selection: Prisma.AgentCredentialDefaultArgs, ids) =>
    deps.db.prisma.agentCredential.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, agentId) => deps.db.prisma.agentCredential.count({ where: { id, agentId } }),
);

builder.objectField(ViewerType, "agentCredentials", (t) =>
  t.connection(
    {
      type: AgentCredentialNode,
      ...PAGES,
      description: "All credentials of the account's agent, revoked and expired ones included, newest first.",
      args: { filter: t.arg({ type: AgentCredentialFilter, description: "Filters. Default: all credentials." }) },
      resolve: async (_viewer, args, context, info) => {
        const accountId = requireScopedAccountId(context, "agent:read");
        const agent = await context.deps.db.prisma.agent.findUnique({ where: { accountId }, select: { id: true } });
        const { kinds, isRevoked } = args.filter ?? {};
        const selected = selectedOf(kinds);
        const conditions = [
          ...(selected ? [{ sql: "child.kind = ANY(?::text[])", values: [selected] }] : []),
          ...(typeof isRevoked === "boolean"
            ? [{ sql: `child.revoked_at IS ${isRevoked ? "NOT NULL" : "NULL"}` }]
            : []),
        ];
        // No credential has an empty agent id, so an account without an agent gets an empty list.
        return await resolveConnection(args, context, info, credentialsOf(context, agent?.id ?? "", { conditions }));
      },
    },
    { name: "AgentCredentialConnection", description: "A page of credentials." },
    { name: "AgentCredentialEdge", description: "A credential in a list." },
  ),
);
