/** Puts agents' mail together: what it takes, its routes and its jobs. */
import { isIP } from "node:net";
import type { AgentMail } from "./mail/deps.ts";
import type { Config } from "./platform/config.ts";

/** The parts of the service's dependencies that only agents' mail brings. */
export interface MailRoomDeps {
  readonly agentMail: AgentMail;
}

/** @param parts.baseUrl asked once the service listens */
export function createMailRoomDeps(parts: { readonly config: Config; readonly baseUrl: () => string }): MailRoomDeps {
  const { config, baseUrl } = parts;
  return { agentMail: { domain: () => config.AGENT_MAIL_DOMAIN ?? defaultDomain(baseUrl()) } };
}

/** `agents.` before the host of `baseUrl` where that is a name; addresses at an IP address take nobody's mail. */
function defaultDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const isName = !hostname.startsWith("[") && isIP(hostname) === 0;
  return `agents.${isName ? hostname : "satchel.localhost"}`;
}
