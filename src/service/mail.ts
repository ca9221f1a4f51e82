/** Puts agents' mail together: what it takes, its routes and its jobs. */
import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { deleteUnsentUploads } from "../mail/attachments.ts";
import type { AgentMail, AgentMailDeps } from "../mail/deps.ts";
import { createRelay } from "../mail/outgoing/relay.ts";
import { sendDueMail } from "../mail/outgoing/send-due.ts";
import { type Config, ConfigError } from "../platform/config.ts";
import type { Jobs } from "../platform/jobs.ts";

const SEND_INTERVAL_MS = 1_000;
const CLEANING_INTERVAL_MS = 3_600_000;

/** The parts of the service's dependencies that only agents' mail brings. */
export interface MailRoomDeps {
  readonly agentMail: AgentMail;
}

/**
 * @param parts.smtpUrl the server that mail leaves through; undefined: none
 * @param parts.baseUrl asked once the service listens
 * @throws {ConfigError} when the key that mail is signed with cannot be read
 */
export async function createMailRoomDeps(parts: {
  readonly config: Config;
  readonly smtpUrl: string | undefined;
  readonly baseUrl: () => string;
}): Promise<MailRoomDeps> {
  const { config, smtpUrl, baseUrl } = parts;
  const { MAIL_DKIM_SELECTOR: keySelector, MAIL_DKIM_KEY_FILE: keyFile } = config;
  const domain = () => config.AGENT_MAIL_DOMAIN ?? defaultDomain(baseUrl());
  const privateKey = keyFile === undefined ? null : await readKey(keyFile);
  const dkim = () =>
    keySelector === undefined || privateKey === null ? null : { domainName: domain(), keySelector, privateKey };
  return { agentMail: { domain, mailsPerDay: config.AGENT_MAILS_PER_DAY, relay: createRelay({ smtpUrl, dkim }) } };
}

export async function startMailJobs(jobs: Jobs, deps: AgentMailDeps): Promise<void> {
  await jobs.repeat("send-due-mail", SEND_INTERVAL_MS, () => sendDueMail(deps));
  await jobs.repeat("delete-unsent-uploads", CLEANING_INTERVAL_MS, () => deleteUnsentUploads(deps.db));
}

async function readKey(file: string): Promise<string> {
  try {
    const pem = await readFile(file, "utf8");
    createPrivateKey(pem);
    return pem;
  } catch {
    throw new ConfigError([`MAIL_DKIM_KEY_FILE: ${file} holds no private key in PEM that can be read`]);
  }
}

/** `agents.` before the host of `baseUrl` where that is a name; addresses at an IP address take nobody's mail. */
function defaultDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const isName = !hostname.startsWith("[") && isIP(hostname) === 0;
  return `agents.${isName ? hostname : "satchel.localhost"}`;
}
