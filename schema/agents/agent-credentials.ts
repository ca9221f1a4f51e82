import { CREDENTIAL_KINDS, CREDENTIAL_TYPES, type CredentialKind } from "../../src/agents/credentials/kinds.ts";
import { findCredential } from "../../src/agents/credentials/present.ts";
import { disclosableNames, readClaims } from "../../src/agents/credentials/sd-jwt.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { findVisible } from "../find-visible.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { PAGES, readPage } from "../paging.ts";
import { AgentNode } from "./agents.ts";

export const CredentialKindEnum = builder.enumType("AgentCredentialKind", {
  description: "What a credential of an agent is about.",
  values: Object.fromEntries(
    CREDENTIAL_KINDS.map((value) => [value.toUpperCase(), { value, description: CREDENTIAL_TYPES[value].description }]),
  ) as Record<"TRUST" | "DELEGATION", { value: CredentialKind; description: string }>,
});

export const AgentCredentialNode = builder.prismaNode("AgentCredential", {
  id: { field: "id", description: "The credential's global id." },
  findUnique: findVisible((ids, context) =>
    context.deps.db.prisma.agentCredential.findMany({
      select: { id: true },
      where: { id: { in: ids }, agent: { accountId: ownAccountIdWithin(context, "agent:read") } },
    }),
  ),
  nullable: true,
  description: "What this service vouches for about an agent: an SD-JWT VC, bound to the agent's key.",
  fields: (t) => ({
    credentialId: t.exposeID("id", { description: "The credential's own id: `crd_…`." }),
    kind: t.field({
      type: CredentialKindEnum,
      description: "What it is about.",
      resolve: ({ kind }) => kind as CredentialKind,
    }),
    sdJwt: t.exposeString("sdJwt", {
      description:
        "The credential with everything in it that can be disclosed. Whoever gets it whole sees all; `presentAgentCredential` shows a part, and proves who shows it.",
    }),
    claims: t.field({
      type: "JSON",
      description: "All that it says, disclosed or not, as an object.",
      resolve: ({ sdJwt }) => readClaims(sdJwt),
    }),
    disclosableClaims: t.stringList({
      description:
        "The names of the claims that can be shown one by one: what `presentAgentCredential` takes as `disclose`.",
      resolve: ({ sdJwt }) => disclosableNames(sdJwt),
    }),
    issuedAt: t.expose("issuedAt", { type: "DateTime", description: "When it was issued." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      description: "When it ends by itself; it is replaced a week before.",
    }),
    isRevoked: t.boolean({
      description: "Whether it was taken back, or replaced by a newer one. Its status list says so to anybody.",
      resolve: ({ revokedAt }) => revokedAt !== null,
    }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "Since when it is revoked." }),
  }),
});

const standing = (kind: CredentialKind, description: string) => ({
  type: AgentCredentialNode,
  nullable: true as const,
  description: `${description}; null until it is issued, and while the agent is revoked. Needs the scope \`agent:read\`.`,
  kind,
});

builder.prismaObjectFields(AgentNode, (t) => {
  const credential = ({ kind, ...options }: ReturnType<typeof standing>) =>
    t.field({
      ...options,
      resolve: (_agent, _args, context) =>
        findCredential(context.deps, ownAccountIdWithin(context, "agent:read"), kind),
    });
  return {
    trustCredential: credential(standing("trust", "Its trust credential: who it is, and how it has behaved")),
    delegationCredential: credential(standing("delegation", "Its delegation credential: what its person lets it do")),
  };
});

const AgentCredentialFilter = builder.inputType("AgentCredentialFilter", {
  description: "Which credentials; all that is given must hold.",
  fields: (t) => ({
    kind: t.field({ type: CredentialKindEnum, description: "What they are about." }),
    isRevoked: t.boolean({ description: "Whether they are revoked." }),
  }),
});

builder.objectField(ViewerType, "agentCredentials", (t) =>
  t.prismaConnection(
    {
      type: AgentCredentialNode,
      ...PAGES,
      description: "Every credential the account's agent ever had, newest first.",
      args: { filter: t.arg({ type: AgentCredentialFilter, description: "Which of them; default all." }) },
      resolve: async (query, _viewer, { filter }, context) => {
        const accountId = ownAccountIdWithin(context, "agent:read");
        const { agent, agentCredential } = context.deps.db.prisma;
        const own = await agent.findUnique({ where: { accountId }, select: { id: true } });
        // No credential is an agent's without an id.
        const owner = { agentId: own?.id ?? "" };
        const { kind, isRevoked } = filter ?? {};
        const revokedAt = isRevoked ? { not: null } : null;
        const where = { ...owner, ...(kind ? { kind } : {}), ...(typeof isRevoked === "boolean" ? { revokedAt } : {}) };
        return await readPage(
          query,
          owner,
          (page) =>
            agentCredential.findMany({
              ...page,
              where,
              orderBy: [{ issuedAt: "desc" }, { id: "desc" }],
            }),
          (where) => agentCredential.count({ where }),
        );
      },
    },
    { name: "AgentCredentialConnection", description: "A page of credentials." },
    { name: "AgentCredentialEdge", description: "A credential in a list." },
  ),
);
