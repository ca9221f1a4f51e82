/** DID documents of account owners and agents under this service's host (W3C DID 1.0; did:web, sections 2.3 and 2.5). */
import { formatSubject } from "../accounts/subject.ts";
import { NETWORKS } from "../wallet/networks.ts";
import type { AgentDeps } from "./deps.ts";
import { registrationUrl } from "./registration-file.ts";

type DocumentDeps = Pick<AgentDeps, "db" | "site" | "wallets" | "chains">;

const CONTEXT = "https://www.w3.org/ns/did/v1";
const JWK_CONTEXT = "https://w3id.org/security/suites/jws-2020/v1";

/** Returns `did:web:<host>:agents:<record id>`. */
export function formatAgentDid(baseUrl: string, agentRecordId: string): string {
  return `did:web:${encodeURIComponent(new URL(baseUrl).host)}:agents:${agentRecordId}`;
}

/**
 * Returns the document of an account owner's `sub`, or null if there is no such account, or it was deleted. It has no key, because
 * account owners hold none, and no data about the owner. It names the wallet only if the owner has chosen to publish it: the setting does not suffice.
 */
export async function createOwnerDocument(deps: DocumentDeps, accountId: string): Promise<object | null> {
  const [account, isGone] = await Promise.all([
    deps.db.prisma.account.findUnique({ where: { id: accountId }, select: { publishesWallet: true } }),
    isDeleted(deps, accountId),
  ]);
  if (!account || isGone) return null;
  const id = formatSubject(deps.site.baseUrl(), accountId);
  const aliases = account.publishesWallet ? await listWalletAliases(deps, accountId) : [];
  return { "@context": [CONTEXT], id, ...(aliases.length > 0 ? { alsoKnownAs: aliases } : {}) };
}

/**
 * Returns the document of an agent, or null if there is no such agent, or its account was deleted. Its key is the one to which its
 * credentials are bound. A revoked agent has none. The document does not name the owner.
 */
export async function createAgentDocument(deps: DocumentDeps, agentRecordId: string): Promise<object | null> {
  const agent = await deps.db.prisma.agent.findUnique({
    where: { id: agentRecordId },
    include: { account: { select: { publishesWallet: true } } },
  });
  if (!agent || (await isDeleted(deps, agent.accountId))) return null;
  const id = formatAgentDid(deps.site.baseUrl(), agentRecordId);
  if (agent.status === "revoked") return { "@context": [CONTEXT], id };
  const key = `${id}#holder`;
  const aliases = agent.account.publishesWallet ? await listWalletAliases(deps, agent.accountId) : [];
  return {
    "@context": [CONTEXT, JWK_CONTEXT],
    id,
    ...(aliases.length > 0 ? { alsoKnownAs: aliases } : {}),
    verificationMethod: [{ id: key, type: "JsonWebKey2020", controller: id, publicKeyJwk: agent.holderPublicJwk }],
    authentication: [key],
    assertionMethod: [key],
    service: [
      {
        id: `${id}#registration`,
        type: "AgentRegistration",
        serviceEndpoint: registrationUrl(deps.site, agentRecordId),
      },
    ],
  };
}

async function isDeleted({ db }: Pick<DocumentDeps, "db">, accountId: string): Promise<boolean> {
  const where = { accountId, cancelledAt: null, startedAt: { not: null } };
  return (await db.prisma.accountDeletion.count({ where })) > 0;
}

/** Returns `did:pkh:<CAIP-10>` of the wallet on each configured network. */
async function listWalletAliases({ wallets, chains }: DocumentDeps, accountId: string): Promise<string[]> {
  const { evmAddress, solanaAddress } = await wallets.ofAccount(accountId);
  return chains.networks.map((name) => {
    const { kind, caip2 } = NETWORKS[name];
    return `did:pkh:${caip2[0]}:${kind === "evm" ? evmAddress : solanaAddress}`;
  });
}
