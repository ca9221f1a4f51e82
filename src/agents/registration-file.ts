/** Public registration file of an agent (ERC-8004, "Agent URI and Agent Registration File"). */
import type { Site } from "../platform/http/site.ts";
import { readAgentChoice } from "./agent-choice.ts";
import type { AgentDeps } from "./deps.ts";
import { chainIdOf, formatRegistryId } from "./registry.ts";

/** Format of agent record ids. Other ids are not looked up. */
export const AGENT_RECORD_ID = /^agt_\d{1,16}_\w{1,40}$/;

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

/**
 * Returns an agent's registration file, or null if there is no such agent. It contains no data about the account owner, and the
 * mailbox and the wallet only if the account owner publishes them. The file of a withdrawn, revoked or deleted agent states only the
 * registration.
 */
export async function createRegistrationFile(
  deps: Pick<AgentDeps, "db" | "site" | "wallets" | "agents">,
  agentRecordId: string,
): Promise<object | null> {
  const agent = await deps.db.prisma.agent.findUnique({
    where: { id: agentRecordId },
    include: { mailbox: { select: { address: true, displayName: true } } },
  });
  if (!agent) return null;
  const { agentId } = agent;
  const { wantsAgent, publishesMailbox, publishesWallet } = await readAgentChoice(deps, agent.accountId);
  const mailbox = publishesMailbox ? agent.mailbox : null;
  const name = agentId === null ? "Agent" : `Agent ${agentId}`;
  const baseUrl = deps.site.baseUrl();
  const registrations = agentId === null ? [] : [{ agentId: Number(agentId), agentRegistry: formatRegistryId(agent) }];
  // Also covers a deleted account, whose choice is erased.
  if (!wantsAgent || agent.status === "revoked") {
    const description = "This agent is no longer active.";
    const nothing = { services: [], x402Support: false, active: false, registrations, supportedTrust: [] };
    return { type: TYPE, name, description, image: baseUrl + IMAGE_PATH, ...nothing };
  }
  return {
    type: TYPE,
    name: mailbox?.displayName || name,
    description: "Acts for its owner: makes X402 payments within the owner's limits, and sends and receives email.",
    image: baseUrl + IMAGE_PATH,
    services: [
      { name: "web", endpoint: `${baseUrl}/` },
      ...(mailbox ? [{ name: "email", endpoint: mailbox.address }] : []),
      ...(publishesWallet ? [{ name: "DID", endpoint: await formatDid(deps, agent), version: "v1" }] : []),
    ],
    x402Support: true,
    active: agent.status === "active",
    registrations,
    supportedTrust: ["reputation"],
  };
}

async function formatDid(
  { wallets }: Pick<AgentDeps, "wallets">,
  { accountId, network }: { readonly accountId: string; readonly network: string },
): Promise<string> {
  return `did:pkh:eip155:${chainIdOf(network)}:${(await wallets.ofAccount(accountId)).evmAddress}`;
}
