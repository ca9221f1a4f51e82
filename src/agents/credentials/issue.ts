/** Signs and stores a credential, in place of the one that stood. */
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
/** How long a credential is good for. Signing keys stay published for longer (signing-keys.ts). */
const LIFETIME_SECONDS = 30 * DAY_SECONDS;
const ATTEMPTS = 5;
/** Of one kind, in 24 hours: whoever turns a limit up and down all day does not fill the status lists. */
const MOST_A_DAY = 24;
const PATIENTLY = { maxWait: 10_000, timeout: 20_000 };

/** Another issue took the place in the status list. */
class PlaceTakenError extends Error {}

/**
 * Issues a credential to an agent that is active, and revokes `standing`, at one instant. Does nothing when the agent is
 * no longer active, or when another node was quicker; only revokes when there were 24 of the kind in a day.
 * @param standing the credential of that kind that is not revoked; null when there is none
 */
export async function issueCredential(
  deps: CredentialDeps,
  input: {
    readonly agent: AgentFacts["agent"];
    readonly kind: CredentialKind;
    readonly claims: DisclosableClaims;
    readonly standing: AgentCredential | null;
  },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const row = await sign(deps, input);
    try {
      await store(deps, row, input.standing?.id ?? null);
      return;
    } catch (error) {
      if (!(error instanceof PlaceTakenError) || attempt === ATTEMPTS) throw error;
    }
  }
}

type NewCredential = Omit<AgentCredential, "revokedAt">;

async function sign(deps: CredentialDeps, input: Parameters<typeof issueCredential>[1]): Promise<NewCredential> {
  const { agent, kind, claims } = input;
  const place = await findFreeStatusIndex(deps.db);
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
      status: { status_list: { idx: place.statusIndex, uri: iss + statusListPath(place.statusListId) } },
    },
    claims,
  );
  const times = { issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) };
  return { id: newId("crd"), agentId: agent.id, kind, sdJwt, ...place, ...times };
}

/** The agent's row is held meanwhile: of two who issue one finds that the other did, and a revocation waits or is seen. */
async function store({ db }: CredentialDeps, row: NewCredential, standingId: string | null): Promise<void> {
  const { agentId, kind } = row;
  await db.prisma.$transaction(async (tx) => {
    const active = await tx.$queryRaw<object[]>`
      SELECT 1 FROM agents WHERE id = ${agentId} AND status = 'active' FOR NO KEY UPDATE`;
    if (active.length === 0) return;
    const standing = await tx.agentCredential.findFirst({ where: { agentId, kind, revokedAt: null } });
    if ((standing?.id ?? null) !== standingId) return;
    await tx.agentCredential.updateMany({ where: { agentId, kind, revokedAt: null }, data: { revokedAt: new Date() } });
    const since = new Date(row.issuedAt.getTime() - DAY_SECONDS * 1000);
    const issued = await tx.agentCredential.count({ where: { agentId, kind, issuedAt: { gt: since } } });
    // What stood is revoked all the same: better none than one that says what is not so.
    if (issued >= MOST_A_DAY) return;
    const { count } = await tx.agentCredential.createMany({ data: [row], skipDuplicates: true });
    if (count === 0) throw new PlaceTakenError("The place in the status list was taken.");
    await tx.agent.update({ where: { id: agentId }, data: { updatedAt: new Date() } });
  }, PATIENTLY);
}
