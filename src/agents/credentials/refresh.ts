/** Brings an agent's credentials to what is so: the first ones, others before they end or when they no longer hold, none once it is revoked. */
import type { AgentCredential } from "../../../generated/prisma/client.ts";
import { publishAgent } from "../agent-events.ts";
import { claimsOf, isOutdated } from "./claims.ts";
import type { CredentialDeps } from "./deps.ts";
import { type AgentFacts, gatherFacts } from "./facts.ts";
import { issueCredential } from "./issue.ts";
import { CREDENTIAL_KINDS } from "./kinds.ts";
import { revokeCredentials } from "./revoke.ts";
import { type DisclosableClaims, readClaims } from "./sd-jwt.ts";

const DAY_MS = 86_400_000;
/** Replaced this long before it ends, so that whoever was given one need not hurry. */
const RENEWED_BEFORE_MS = 7 * DAY_MS;

/** Issues and revokes what has to be; asked twice at once it does so once. */
export async function refreshCredentials(deps: CredentialDeps, agentRecordId: string): Promise<void> {
  const agent = await deps.db.prisma.agent.findUnique({
    where: { id: agentRecordId },
    include: { account: true, credentials: { where: { revokedAt: null } } },
  });
  if (!agent || agent.status === "pending" || agent.agentId === null) return;
  if (agent.status !== "active") {
    if (agent.credentials.length > 0) await revokeCredentials(deps.db.prisma, agent.id);
    return;
  }
  const registered = { ...agent, agentId: agent.agentId };
  const outdated = await findOutdated(deps, await gatherFacts(deps, registered), agent.credentials);
  for (const { kind, claims, standing } of outdated) {
    await issueCredential(deps, { agent: registered, kind, claims, standing });
  }
  if (outdated.length > 0) publishAgent(deps.pubsub, agent.accountId, agent.id);
}

async function findOutdated(deps: CredentialDeps, facts: AgentFacts, credentials: readonly AgentCredential[]) {
  const baseUrl = deps.site.baseUrl();
  const all = CREDENTIAL_KINDS.map(async (kind) => {
    const claims: DisclosableClaims = claimsOf(kind, baseUrl, facts);
    const standing = credentials.find((credential) => credential.kind === kind) ?? null;
    if (standing && standing.expiresAt.getTime() - Date.now() > RENEWED_BEFORE_MS) {
      const stated = await readClaims(standing.sdJwt);
      // After a move to another address what it names (issuer, status list) is not where it says any more.
      if (stated["iss"] === baseUrl && !isOutdated(claims, stated)) return [];
    }
    return [{ kind, claims, standing }];
  });
  return (await Promise.all(all)).flat();
}
