/** Composition of incoming mail: spool, parser, SMTP listener and inbound webhook. */
import { hostname } from "node:os";
import type { FastifyInstance } from "fastify";
import type { SandboxEndpoints } from "../../../sandbox/endpoints.ts";
import type { IncomingMailDeps } from "../../mail/incoming/deps.ts";
import { registerInboundRoute } from "../../mail/incoming/inbound-route.ts";
import { createIncomingMetrics } from "../../mail/incoming/incoming-metrics.ts";
import { type MailListener, startMailListener } from "../../mail/incoming/listener.ts";
import { createMessageReader } from "../../mail/incoming/message-reader.ts";
import { openSpool } from "../../mail/incoming/spool.ts";
import type { Platform } from "../platform.ts";

export interface IncomingMail {
  registerRoutes(app: FastifyInstance): void;
  /**
   * Starts the SMTP listener if it is configured or in the sandbox. Registers its address with the sandbox, in place of
   * an MX record.
   * @param domain the domain of agents' addresses
   * @returns null if no listener was started
   */
  listen(domain: string): Promise<{ readonly host: string; readonly port: number } | null>;
  /** Stops accepting messages, waits for messages in flight, and closes all resources. */
  stop(): Promise<void>;
}

export function createIncomingMail(platform: Platform): IncomingMail {
  const { config, sandbox, metrics, db, pubsub, logger, rateLimiter, securityLog } = platform;
  const { MAIL_TLS_CERT_FILE: certFile, MAIL_TLS_KEY_FILE: keyFile } = config;
  const ownName = config.BASE_URL ? new URL(config.BASE_URL).hostname : hostname();
  const port = config.MAIL_LISTEN_PORT ?? (sandbox ? 0 : null);
  const configuredServers = config.MAIL_DNS_SERVERS;
  const dnsServers = configuredServers.length > 0 || !sandbox ? configuredServers : [sandbox.dnsServer];
  const deps: IncomingMailDeps = {
    ...{ db, pubsub, logger, rateLimiter },
    spool: openSpool(config.DATA_DIR),
    reader: createMessageReader({ dnsServers, hostname: ownName, logger }),
    metrics: createIncomingMetrics(metrics),
    limits: {
      maxMessageBytes: config.MAIL_MAX_MESSAGE_BYTES,
      perSenderPerMinute: config.MAIL_PER_SENDER_PER_MINUTE,
      perHostPerMinute: config.MAIL_PER_HOST_PER_MINUTE,
    },
  };
  let listener: MailListener | null = null;

  return {
    registerRoutes: (app) => registerInboundRoute(app, { ...deps, securityLog }, config.MAIL_INBOUND_SECRET),
    async listen(domain) {
      if (port === null) return null;
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
    async stop() {
      await listener?.close();
      await deps.reader.close();
      await deps.spool.close();
    },
  };
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
