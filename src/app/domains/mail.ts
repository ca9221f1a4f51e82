/** Composition of agents' mail: dependencies, routes and jobs. */
import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { FastifyInstance } from "fastify";
import type { DeriveIdentifier } from "../../mail/deliveries/return-path.ts";
import type { AgentMailDeps } from "../../mail/deps.ts";
import { createMailVault } from "../../mail/mail-vault.ts";
import { createRelay } from "../../mail/outgoing/relay.ts";
import { sendDueMail } from "../../mail/outgoing/send-due.ts";
import { ConfigError } from "../../platform/config/load.ts";
import type { Platform } from "../platform.ts";
import type { FileRouteDeps } from "../routes/file-route.ts";
import { registerMailAttachmentRoutes } from "../routes/mail-attachments.ts";
import { registerMailDocumentRoute } from "../routes/mail-document.ts";

const SEND_INTERVAL_MS = 1_000;

/** @throws {ConfigError} if the DKIM key file cannot be read */
export async function createMailDeps(
  platform: Platform,
  deriveIdentifier: DeriveIdentifier,
): Promise<Pick<AgentMailDeps, "agentMail" | "mailVault">> {
  const { config, smtpUrl, site, db, keks } = platform;
  const { MAIL_DKIM_SELECTOR: keySelector, MAIL_DKIM_KEY_FILE: keyFile } = config;
  const domain = () => config.AGENT_MAIL_DOMAIN ?? defaultDomain(site.baseUrl());
  const privateKey = keyFile === undefined ? null : await readKey(keyFile);
  const dkim = () =>
    keySelector === undefined || privateKey === null ? null : { domainName: domain(), keySelector, privateKey };
  const relay = createRelay({ smtpUrl, dkim });
  const agentMail = { domain, mailsPerDay: config.AGENT_MAILS_PER_DAY, relay, deriveIdentifier };
  return { agentMail, mailVault: createMailVault(db, keks) };
}

export function registerMailRoutes(app: FastifyInstance, deps: AgentMailDeps & FileRouteDeps): void {
  registerMailAttachmentRoutes(app, deps);
  registerMailDocumentRoute(app, deps);
}

export async function startMailJobs({ jobs }: Platform, deps: AgentMailDeps): Promise<void> {
  await jobs.repeat("send-due-mail", SEND_INTERVAL_MS, () => sendDueMail(deps));
}

async function readKey(file: string): Promise<string> {
  try {
    const pem = await readFile(file, "utf8");
    createPrivateKey(pem);
    return pem;
  } catch {
    throw new ConfigError([`MAIL_DKIM_KEY_FILE: ${file} does not contain a readable private key in PEM`]);
  }
}

/**
 * Returns `agents.` and the host of `baseUrl`. Falls back to a local name for an IP address, which cannot receive mail.
 */
function defaultDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const isName = !hostname.startsWith("[") && isIP(hostname) === 0;
  return `agents.${isName ? hostname : "satchel.localhost"}`;
}
