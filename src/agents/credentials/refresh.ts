/** Refreshes an agent's credentials: issues the first ones when its registration has ended, replaces expiring or outdated ones, and revokes those of a revoked agent. */
import type { AgentCredential } from "../../../generated/prisma/client.ts";
import { publishAgent } from "../agent-events.ts";
import { createClaims, isOutdated } from "./claims.ts";
import type { CredentialDeps } from "./deps.ts";
import { type AgentFacts, readAgentFacts } from "./facts.ts";
import { issueCredential } from "./issue.ts";
import { CREDENTIAL_KINDS } from "./kinds.ts";
import { revokeCredentials } from "./revoke.ts";
import { type DisclosableClaims, readClaims } from "./sd-jwt.ts";

const DAY_MS = 86_400_000;
/** Time before expiry at which a credential is replaced, so a presented credential never expires shortly afterwards. */
const RENEWAL_MARGIN_MS = 7 * DAY_MS;

/** Issues and revokes an agent's credentials as required. Concurrent calls issue each credential once. */
export async function refreshCredentials(deps: CredentialDeps, agentRecordId: string): Promise<void> {
  const agent = await deps.db.prisma.agent.findUnique({
    where: { id: agentRecordId },
    include: {
      account: true,
      credentials: { where: { revokedAt: null } },
      _count: { select: { credentials: true } },
    },
  });
  if (!agent || agent.status === "pending" || agent.agentId === null) return;
  if (agent.status !== "active") {
    if (agent.credentials.length > 0) await revokeCredentials(deps.db.prisma, agent.id);
    return;
  }
  // The first credentials state whether the wallet is linked, so they wait for the end of the registration, unless a step failed. Those
  // of a reinstated agent are issued at once. Both are issued again when the wallet is linked.
  if (agent.nextCheckAt !== null && agent.failureReason === null && agent._count.credentials === 0) return;
  const registered = { ...agent, agentId: agent.agentId };
  const outdated = await findOutdated(deps, await readAgentFacts(deps, registered), agent.credentials);
  for (const { kind, claims, previous } of outdated) {
    await issueCredential(deps, { agent: registered, kind, claims, previous });
  }
  if (outdated.length > 0) publishAgent(deps.pubsub, agent.accountId, agent.id);
}

async function findOutdated(deps: CredentialDeps, facts: AgentFacts, credentials: readonly AgentCredential[]) {
  const baseUrl = deps.site.baseUrl();
  const all = CREDENTIAL_KINDS.map(async (kind) => {
    const claims: DisclosableClaims = createClaims(kind, baseUrl, facts);
    const previous = credentials.find((credential) => credential.kind === kind) ?? null;
    if (previous && previous.expiresAt.getTime() - Date.now() > RENEWAL_MARGIN_MS) {
      const issued = await readClaims(previous.sdJwt);
      // If the service's base URL changed, the issuer and status list named in the credential are no longer there.
      if (issued["iss"] === baseUrl && !isOutdated(claims, issued)) return [];
    }
    return [{ kind, claims, previous }];
  });
  return (await Promise.all(all)).flat();
}
