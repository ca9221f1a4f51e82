/** Shared components of all domains. They are opened before the domains and closed after them. */
import { getCACertificates } from "node:tls";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import type { Config } from "../platform/config/load.ts";
import { claimKeys } from "../platform/crypto/sealing/key-canary.ts";
import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import { createSigningKeys, type SigningKeys } from "../platform/crypto/signing-keys.ts";
import { type Database, openDatabase } from "../platform/database/connection.ts";
import { convertDatabaseError, DatabaseUnavailableError } from "../platform/database/errors.ts";
import { migrate } from "../platform/database/migrate.ts";
import { createEgress, type Egress } from "../platform/egress/egress.ts";
import { UrlNotAllowedError } from "../platform/egress/errors.ts";
import { openEmailQueue, type QueueEmail } from "../platform/email/email-queue.ts";
import { createMailer, defaultSender, type Mailer } from "../platform/email/mailer.ts";
import { createParts, type Parts } from "../platform/health/parts.ts";
import { createSite, type Site } from "../platform/http/site.ts";
import { type Jobs, startJobs } from "../platform/jobs/queue.ts";
import { tracedDatabase, tracedEgress, tracedJobs } from "../platform/observability/instrumentation.ts";
import type { Logger } from "../platform/observability/logger.ts";
import { createMetrics, type Metrics } from "../platform/observability/metrics.ts";
import { createSecurityLog, type SecurityLog } from "../platform/observability/security-log.ts";
import { startTracing, type Tracing } from "../platform/observability/tracing.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { createPubSub, type PubSub } from "../platform/pubsub/pubsub.ts";
import { createRateLimiter, type RateLimiter } from "../platform/rate-limit.ts";
import { requireBoundRows } from "./bind-accounts.ts";
import { openKeys } from "./open-keys.ts";
import { SEALED_TABLES } from "./sealed-tables.ts";

export interface PlatformOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** The sandbox to use in place of external services. */
  readonly sandbox: SandboxEndpoints | null | Promise<SandboxEndpoints>;
  /** Receives messages about the progress of the start. */
  readonly onProgress?: (message: string) => void;
}

export interface Platform {
  readonly config: Config;
  readonly logger: Logger;
  readonly sandbox: SandboxEndpoints | null;
  readonly securityLog: SecurityLog;
  readonly db: Database;
  readonly tracing: Tracing | null;
  readonly metrics: Metrics;
  /** State of chains, mail server and other parts outside of this process. */
  readonly parts: Parts;
  readonly keks: KeyEncryptionKeys;
  readonly signingKeys: SigningKeys;
  readonly pubsub: PubSub;
  readonly rateLimiter: RateLimiter;
  readonly egress: Egress;
  /** Whether addresses given by users, such as merchants and webhooks, may be loopback addresses. */
  readonly allowLoopback: boolean;
  /** The server for outgoing mail; undefined if none is configured. */
  readonly smtpUrl: string | undefined;
  readonly mailer: Mailer;
  readonly jobs: Jobs;
  readonly queueEmail: QueueEmail;
  /** Its URLs are configured, or known only after the service listens. */
  readonly site: Site;
  readonly dashboardUrl: () => string;
  /** Closes all components in reverse order. Call it after all domains have stopped. */
  close(): Promise<void>;
}

/**
 * Opens and migrates the database and opens the other shared components.
 * @param later.baseUrl returns the base URL; called only after the service listens
 * @param later.onPublish called with each notification that this node publishes; must not throw
 * @throws {OperatorError} the keys do not open the database, or its rows are not bound to their accounts
 */
export async function openPlatform(
  options: PlatformOptions,
  later: {
    readonly baseUrl: () => string;
    readonly onPublish: (channel: string, payload: string) => void;
  },
): Promise<Platform> {
  await using opened = new AsyncDisposableStack();
  const { config, logger, onProgress = () => {} } = options;
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  const tracing = endpoint ? await startTracing({ endpoint, serviceName: "satchel" }) : null;
  opened.defer(() => tracing?.close());
  onProgress(databaseUrl ? "Opening the database" : "Opening the embedded database");
  const opening = openSealedDatabase(config, onProgress);
  opened.defer(async () => (await opening.catch(() => null))?.db.close());
  // The sandbox may still be starting. Both are awaited concurrently.
  const [{ db: untraced, keks }, sandbox] = await Promise.all([opening, options.sandbox]);
  const db = tracedDatabase(untraced);
  for (const { table, unopenable } of await requireBoundRows({ db, keks, dataDir: config.DATA_DIR }, onProgress)) {
    if (unopenable.length > 0) logger.error({ table, ids: unopenable }, "Rows do not open; restore them from a backup");
  }
  const securityLog = createSecurityLog(config, logger);
  const pubsub = opened.adopt(createPubSub({ redisUrl, databaseUrl, logger }), (it) => it.close());
  const rateLimiter = opened.adopt(createRateLimiter({ redisUrl, databaseUrl, logger }), (it) => it.close());
  const allowLoopback = config.EGRESS_ALLOW_LOOPBACK ?? config.SANDBOX;
  const egress = opened.adopt(
    logRefusals(tracedEgress(createEgress({ allowLoopback, ...trustSandbox(sandbox) })), securityLog),
    (it) => it.close(),
  );
  const smtpUrl = config.SMTP_URL ?? sandboxSmtpUrl(sandbox);
  const from = config.MAIL_FROM ?? defaultSender(config.BASE_URL);
  const mailer = opened.adopt(createMailer({ smtpUrl, from, logger }), (it) => it.close());
  onProgress("Starting the job queue");
  const jobs = opened.adopt(tracedJobs(await startJobs(db, logger)), (it) => it.stop());
  const queueEmail = await openEmailQueue({ jobs, mailer, logger });
  const site = createSite(later.baseUrl, config.BASE_URL?.startsWith("https://") ?? false);
  const metrics = createMetrics();
  const parts = opened.adopt(createParts({ logger, metrics }), (it) => it.stop());
  const all = opened.move();
  return {
    ...{
      config,
      logger,
      securityLog,
      sandbox,
      db,
      tracing,
      keks,
      rateLimiter,
      egress,
      allowLoopback,
      smtpUrl,
      mailer,
      jobs,
    },
    ...{ queueEmail, site },
    ...{ metrics, parts },
    signingKeys: createSigningKeys({ db, ...keks }),
    pubsub: observePublish(pubsub, later.onPublish),
    dashboardUrl: () => config.DASHBOARD_URL ?? `${site.browserUrl()}/dashboard`,
    close: () => all.disposeAsync(),
  };
}

/** Trusts the certificate of the sandbox's application, beside those that Node.js trusts. */
function trustSandbox(sandbox: SandboxEndpoints | null): { trustedCa?: string } {
  return sandbox ? { trustedCa: [...getCACertificates(), sandbox.app.certificate].join("\n") } : {};
}

/** PostgreSQL does not respond at the start. */
export class UnreachableDatabaseError extends OperatorError {
  constructor() {
    super("The PostgreSQL server in DATABASE_URL does not respond. Start it, or correct the setting.");
  }
}

/** Opens the database with its keys. A database with other keys is not migrated. */
async function openSealedDatabase(
  config: Config,
  onProgress: (message: string) => void,
): Promise<{ readonly db: Database; readonly keks: Required<KeyEncryptionKeys> }> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATABASE_POOL_SIZE: poolSize } = config;
  const db = await openDatabase({ databaseUrl, dataDir, poolSize, timeoutMs: config.DATABASE_TIMEOUT_MS });
  try {
    const keks = await openKeys(config, db);
    const applied = await migrate(db);
    if (applied.length > 0) onProgress("Migrated the database");
    await claimKeys(db, keks, SEALED_TABLES, { isProduction: config.NODE_ENV === "production" });
    return { db, keks };
  } catch (error) {
    await db.close();
    throw convertDatabaseError(error) instanceof DatabaseUnavailableError ? new UnreachableDatabaseError() : error;
  }
}

/** Returns the same pub/sub, which also calls `onPublish` for each notification of this node. */
function observePublish(pubsub: PubSub, onPublish: (channel: string, payload: string) => void): PubSub {
  return {
    ...pubsub,
    publish(channel, payload) {
      pubsub.publish(channel, payload);
      onPublish(channel, payload);
    },
  };
}

/** Returns the same egress, which also logs URLs that are not allowed. */
function logRefusals(egress: Egress, securityLog: SecurityLog): Egress {
  return {
    ...egress,
    async request(input) {
      try {
        return await egress.request(input);
      } catch (error) {
        if (error instanceof UrlNotAllowedError) {
          const host = URL.parse(input.url)?.hostname.slice(0, 253);
          securityLog("egress.refused", { outcome: "failure", code: error.code, details: { host } });
        }
        throw error;
      }
    },
  };
}

function sandboxSmtpUrl(sandbox: SandboxEndpoints | null): string | undefined {
  if (!sandbox) return undefined;
  const { host, port } = sandbox.smtp;
  return `smtp://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
