/** Public registration file of an agent (ERC-8004, "Agent URI and Agent Registration File"). */
import type { Database } from "../platform/database/connection.ts";
import type { Site } from "../platform/http/site.ts";
import type { Wallets } from "../wallet/wallets.ts";
import { chainIdOf, formatRegistryId } from "./registry.ts";

/** Returns the path of the file. Registrations are recognised by it, because the service's base URL may change. */
export function registrationPath(agentRecordId: string): string {
  return `/agents/${agentRecordId}/registration.json`;
}

/** Returns the URL of the file, as stored in the registry. */
export function registrationUrl(site: Site, agentRecordId: string): string {
  return site.baseUrl() + registrationPath(agentRecordId);
}

export const IMAGE_PATH = "/agents/mark.svg";
const TYPE = "https://eips.ethereum.org/EIPS/eip-8004#registration-v1";

/** Returns an agent's registration file, or null if there is no such agent. It contains no data about the account owner. */
export async function createRegistrationFile(
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
    description: "Acts for its owner: makes X402 payments within the owner's limits, and sends and receives email.",
    image: baseUrl + IMAGE_PATH,
    services: [
      { name: "web", endpoint: `${baseUrl}/` },
      ...(mailbox ? [{ name: "email", endpoint: mailbox.address }] : []),
      { name: "DID", endpoint: `did:pkh:eip155:${chainIdOf(network)}:${evmAddress}`, version: "v1" },
    ],
    x402Support: true,
    active: agent.status === "active",
    registrations: agentId === null ? [] : [{ agentId: Number(agentId), agentRegistry: formatRegistryId(agent) }],
    supportedTrust: ["reputation"],
  };
}
