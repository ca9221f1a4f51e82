/** Composition of incoming mail: spool, parser, SMTP listener, and the webhooks for messages and delivery events. */
import { hostname } from "node:os";
import type { FastifyInstance } from "fastify";
import type { SandboxEndpoints } from "../../../sandbox/endpoints.ts";
import { createProviderEventMetrics } from "../../mail/deliveries/provider-event-metrics.ts";
import { registerProviderEventRoute } from "../../mail/deliveries/provider-event-route.ts";
import type { DeriveIdentifier } from "../../mail/deliveries/return-path.ts";
import type { AgentMailDeps } from "../../mail/deps.ts";
import type { IncomingMailDeps } from "../../mail/incoming/deps.ts";
import { registerInboundRoute } from "../../mail/incoming/inbound-route.ts";
import { createIncomingMetrics } from "../../mail/incoming/incoming-metrics.ts";
import { type MailListener, startMailListener } from "../../mail/incoming/listener.ts";
import { createMessageReader } from "../../mail/incoming/message-reader.ts";
import { createOperatorMail } from "../../mail/incoming/operator-mail.ts";
import { reparseMessages } from "../../mail/incoming/reparse-messages.ts";
import { openSpool } from "../../mail/incoming/spool.ts";
import type { MailVault } from "../../mail/mail-vault.ts";
import type { Jobs } from "../../platform/jobs/queue.ts";
import type { Platform } from "../platform.ts";

const REPARSE_INTERVAL_MS = 10_000;
const SANDBOX_OPERATOR = "operator@satchel.localhost";

export interface IncomingMail {
  registerRoutes(app: FastifyInstance): void;
  /**
   * Starts the SMTP listener if it is configured or in the sandbox. Registers its address with the sandbox, in place of
   * an MX record.
   * @param domain the domain of agents' addresses
   * @returns null if no listener was started
   */
  listen(domain: string): Promise<{ readonly host: string; readonly port: number } | null>;
  /** Starts the job that parses stored messages again after the parser has changed. */
  startJobs(jobs: Jobs): Promise<void>;
  /** Stops accepting messages, waits for messages in flight, and closes all resources. */
  stop(): Promise<void>;
}

export function createIncomingMail(
  platform: Platform,
  {
    deriveIdentifier,
    mailVault,
    agentMail,
  }: {
    readonly deriveIdentifier: DeriveIdentifier;
    readonly mailVault: MailVault;
    readonly agentMail: Pick<AgentMailDeps["agentMail"], "domain">;
  },
): IncomingMail {
  const { config, sandbox, metrics, db, pubsub, logger, rateLimiter, securityLog } = platform;
  const { MAIL_TLS_CERT_FILE: certFile, MAIL_TLS_KEY_FILE: keyFile } = config;
  const ownName = config.BASE_URL ? new URL(config.BASE_URL).hostname : hostname();
  const port = config.MAIL_LISTEN_PORT ?? (sandbox ? 0 : null);
  const configuredServers = config.MAIL_DNS_SERVERS;
  const dnsServers = configuredServers.length > 0 || !sandbox ? configuredServers : [sandbox.dnsServer];
  const deps: IncomingMailDeps = {
    ...{ db, pubsub, logger, rateLimiter, deriveIdentifier, mailVault },
    spool: openSpool(config.DATA_DIR),
    reader: createMessageReader({ dnsServers, hostname: ownName, logger }),
    metrics: createIncomingMetrics(metrics),
    operatorMail: createOperatorMail({
      domain: agentMail.domain,
      address: getOperatorAddress(platform),
      smtpUrl: platform.smtpUrl,
      hostname: ownName,
    }),
    limits: {
      maxMessageBytes: config.MAIL_MAX_MESSAGE_BYTES,
      maxUnprovenBytes: config.MAIL_MAX_UNPROVEN_BYTES,
      mailboxQuotaBytes: config.MAIL_MAILBOX_QUOTA_BYTES,
      hostQuotaBytes: config.MAIL_HOST_QUOTA_BYTES,
      perSenderPerMinute: config.MAIL_PER_SENDER_PER_MINUTE,
      perHostPerMinute: config.MAIL_PER_HOST_PER_MINUTE,
    },
  };
  const eventDeps = { db, pubsub, deriveIdentifier, securityLog, metrics: createProviderEventMetrics(metrics) };
  let listener: MailListener | null = null;

  return {
    registerRoutes(app) {
      registerInboundRoute(app, { ...deps, securityLog }, config.MAIL_INBOUND_SECRET);
      registerProviderEventRoute(app, eventDeps, config.MAIL_EVENTS_SECRET);
    },
    async listen(domain) {
      if (port === null) return null;
      if (!deps.operatorMail.handles(`postmaster@${domain}`)) {
        logger.warn("Mail to postmaster and abuse is refused. Set MAIL_OPERATOR_ADDRESS and SMTP_URL");
      }
      const tls = certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : null;
      const closeTimeoutMs = config.SHUTDOWN_TIMEOUT_MS;
      listener = await startMailListener(deps, {
        host: config.MAIL_LISTEN_HOST,
        port,
        hostname: ownName,
        tls,
        closeTimeoutMs,
      });
      if (sandbox) await registerMailRoute(sandbox, domain, listener);
      return { host: listener.host, port: listener.port };
    },
    startJobs: (jobs) =>
      jobs.repeat("reparse-mail", REPARSE_INTERVAL_MS, async () => {
        await reparseMessages(deps);
      }),
    async stop() {
      await listener?.close();
      deps.operatorMail.close();
      await deps.reader.close();
      await deps.spool.close();
    },
  };
}

/** Returns the configured address, else the first one of the security contacts, else the sandbox's. */
function getOperatorAddress({ config, sandbox }: Platform): string | undefined {
  const contact = config.SECURITY_CONTACTS.find((uri) => uri.startsWith("mailto:"))?.slice("mailto:".length);
  const isSandboxMail = sandbox !== null && config.SMTP_URL === undefined;
  return config.MAIL_OPERATOR_ADDRESS ?? contact ?? (isSandboxMail ? SANDBOX_OPERATOR : undefined);
}

async function registerMailRoute(
  { adminUrl }: SandboxEndpoints,
  domain: string,
  listener: MailListener,
): Promise<void> {
  const response = await fetch(`${adminUrl}/mail/routes`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ domain, host: listener.host, port: listener.port }),
  });
  if (!response.ok) throw new Error(`The sandbox rejected the route for agents' mail: ${await response.text()}`);
}
