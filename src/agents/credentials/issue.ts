/** Signs and stores a credential that replaces the active one of its kind. */
import type { AgentCredential } from "../../../generated/prisma/client.ts";
import type { EcPublicJwk } from "../../platform/crypto/sealing/sealed-private-key.ts";
import { newId } from "../../platform/ids.ts";
import type { CredentialDeps } from "./deps.ts";
import type { AgentFacts } from "./facts.ts";
import { type CredentialKind, credentialTypePath } from "./kinds.ts";
import { type DisclosableClaims, signCredential } from "./sd-jwt.ts";
import { findFreeStatusIndex } from "./status-index.ts";
import { statusListPath } from "./status-list.ts";

const DAY_SECONDS = 86_400;
/** Lifetime of a credential. Signing keys remain published for longer (signing-keys.ts). */
const LIFETIME_SECONDS = 30 * DAY_SECONDS;
const MAX_ATTEMPTS = 5;
/** Credentials of one kind issued in 24 hours. The limit prevents frequent changes of a spending limit from filling the status lists. */
const MAX_PER_DAY = 24;
const TRANSACTION_TIMEOUTS = { maxWait: 10_000, timeout: 20_000 };

/** A concurrent issue used the same index of the status list. */
class StatusIndexInUseError extends Error {}

/**
 * Issues a credential to an active agent and revokes `previous` in one transaction. Does nothing if the agent is no longer
 * active or another node replaced `previous` first. After 24 credentials of the kind in a day, it only revokes.
 * @param input.previous the unrevoked credential of that kind, or null
 */
export async function issueCredential(
  deps: CredentialDeps,
  input: {
    readonly agent: AgentFacts["agent"];
    readonly kind: CredentialKind;
    readonly claims: DisclosableClaims;
    readonly previous: AgentCredential | null;
  },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const row = await signRow(deps, input);
    try {
      await storeRow(deps, row, input.previous?.id ?? null);
      return;
    } catch (error) {
      if (!(error instanceof StatusIndexInUseError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

type NewCredential = Omit<AgentCredential, "revokedAt">;

async function signRow(deps: CredentialDeps, input: Parameters<typeof issueCredential>[1]): Promise<NewCredential> {
  const { agent, kind, claims } = input;
  const entry = await findFreeStatusIndex(deps.db);
  const iss = deps.site.baseUrl();
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + LIFETIME_SECONDS;
  const { kty, crv, x, y } = agent.holderPublicJwk as unknown as EcPublicJwk;
  const sdJwt = await signCredential(
    await deps.signingKeys.current("credential"),
    {
      iss,
      iat,
      exp,
      vct: iss + credentialTypePath(kind),
      cnf: { jwk: { kty, crv, x, y } },
      status: { status_list: { idx: entry.statusIndex, uri: iss + statusListPath(entry.statusListId) } },
    },
    claims,
  );
  const times = { issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) };
  return { id: newId("crd"), agentId: agent.id, kind, sdJwt, ...entry, ...times };
}

/** Locks the agent's row: the second of two concurrent issues finds the first one's credential, and a revocation either waits or is found. */
async function storeRow({ db }: CredentialDeps, row: NewCredential, previousId: string | null): Promise<void> {
  const { agentId, kind } = row;
  await db.prisma.$transaction(async (tx) => {
    const active = await tx.$queryRaw<object[]>`
      SELECT 1 FROM agents WHERE id = ${agentId} AND status = 'active' FOR NO KEY UPDATE`;
    if (active.length === 0) return;
    const current = await tx.agentCredential.findFirst({ where: { agentId, kind, revokedAt: null } });
    if ((current?.id ?? null) !== previousId) return;
    await tx.agentCredential.updateMany({ where: { agentId, kind, revokedAt: null }, data: { revokedAt: new Date() } });
    const since = new Date(row.issuedAt.getTime() - DAY_SECONDS * 1000);
    const issued = await tx.agentCredential.count({ where: { agentId, kind, issuedAt: { gt: since } } });
    // The previous credential is revoked regardless: no credential is better than an outdated one.
    if (issued >= MAX_PER_DAY) return;
    const { count } = await tx.agentCredential.createMany({ data: [row], skipDuplicates: true });
    if (count === 0) throw new StatusIndexInUseError("The index of the status list is in use.");
    await tx.agent.update({ where: { id: agentId }, data: { updatedAt: new Date() } });
  }, TRANSACTION_TIMEOUTS);
}
