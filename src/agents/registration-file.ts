/** The file a registration points to (ERC-8004, "Agent URI and Agent Registration File"): public, and the same for everybody. */
import type { Database } from "../platform/database/connection.ts";
import type { Site } from "../platform/http/site.ts";
import type { Wallets } from "../wallet/wallets.ts";
import { chainIdOf, registryName } from "./registry.ts";

/** Where a path of the file begins and ends: addresses change, so registrations are recognised by it. */
export function registrationPath(agentRecordId: string): string {
  return `/agents/${agentRecordId}/registration.json`;
}

/** Where the file is, as the registry is told. */
export function registrationUrl(site: Site, agentRecordId: string): string {
  return site.baseUrl() + registrationPath(agentRecordId);
}

export const PICTURE_PATH = "/agents/mark.svg";
const TYPE = "https://eips.ethereum.org/EIPS/eip-8004#registration-v1";

/** The registration file of an agent; null when there is no such agent. Says nothing of the person behind it. */
export async function registrationFile(
  deps: { readonly db: Database; readonly site: Site; readonly wallets: Wallets },
  agentRecordId: string,
): Promise<object | null> {
  const agent = await deps.db.prisma.agent.findUnique({
    where: { id: agentRecordId },
    include: { mailbox: { select: { address: true, displayName: true } } },
  });
  if (!agent) return null;
  const { mailbox, network, agentId } = agent;
  const { evmAddress } = await deps.wallets.ofAccount(agent.accountId);
  const baseUrl = deps.site.baseUrl();
  return {
    type: TYPE,
    name: mailbox?.displayName || (agentId === null ? "Agent" : `Agent ${agentId}`),
    description: "Acts on a person's behalf: pays over X402 within the person's limits, and reads and writes mail.",
    image: baseUrl + PICTURE_PATH,
    services: [
      { name: "web", endpoint: `${baseUrl}/` },
      ...(mailbox ? [{ name: "email", endpoint: mailbox.address }] : []),
      { name: "DID", endpoint: `did:pkh:eip155:${chainIdOf(network)}:${evmAddress}`, version: "v1" },
    ],
    x402Support: true,
    active: agent.status === "active",
    registrations: agentId === null ? [] : [{ agentId: Number(agentId), agentRegistry: registryName(agent) }],
    supportedTrust: ["reputation"],
  };
}
