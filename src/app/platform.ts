/** What every domain is built from: opened once, before any of them, and closed after all of them. */
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import type { Config } from "../platform/config/load.ts";
import { createKeyEncryptionKeys } from "../platform/crypto/sealing/key-encryption.ts";
import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import { createSigningKeys, type SigningKeys } from "../platform/crypto/signing-keys.ts";
import { type Database, openDatabase } from "../platform/database/connection.ts";
import { migrate } from "../platform/database/migrate.ts";
import { createEgress, type Egress } from "../platform/egress/egress.ts";
import { openEmailQueue, type QueueEmail } from "../platform/email/email-queue.ts";
import { createMailer, defaultSender, type Mailer } from "../platform/email/mailer.ts";
import { createSite, type Site } from "../platform/http/site.ts";
import { type Jobs, startJobs } from "../platform/jobs/queue.ts";
import { tracedDatabase, tracedEgress, tracedJobs } from "../platform/observability/instrumentation.ts";
import type { Logger } from "../platform/observability/logger.ts";
import { createMetrics, type Metrics } from "../platform/observability/metrics.ts";
import { startTracing, type Tracing } from "../platform/observability/tracing.ts";
import { createPubSub, type PubSub } from "../platform/pubsub/pubsub.ts";
import { createRateLimiter, type RateLimiter } from "../platform/rate-limit.ts";

export interface PlatformOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** The sandbox this service is to use in place of the outside world. */
  readonly sandbox: SandboxEndpoints | null | Promise<SandboxEndpoints>;
  /** Told, in words for a person, what it is doing. */
  readonly onProgress?: (message: string) => void;
}

export interface Platform {
  readonly config: Config;
  readonly logger: Logger;
  readonly sandbox: SandboxEndpoints | null;
  readonly db: Database;
  readonly tracing: Tracing | null;
  readonly metrics: Metrics;
  readonly keks: KeyEncryptionKeys;
  readonly signingKeys: SigningKeys;
  readonly pubsub: PubSub;
  readonly rateLimiter: RateLimiter;
  readonly egress: Egress;
  /** Whether what people name, such as shops and webhooks, may be on this machine. */
  readonly allowLoopback: boolean;
  /** The server that mail leaves through; undefined: none. */
  readonly smtpUrl: string | undefined;
  readonly mailer: Mailer;
  readonly jobs: Jobs;
  readonly queueEmail: QueueEmail;
  /** Its addresses are known once the service listens, where none are configured. */
  readonly site: Site;
  readonly dashboardUrl: () => string;
  /** Closes all of it, in the opposite order, once no domain uses it any more. */
  close(): Promise<void>;
}

/**
 * Opens the database, brings it up to date, and opens all else that is shared.
 * @param later.baseUrl asked once the service listens
 * @param later.overhear hears all that this node announces; must not throw
 */
export async function openPlatform(
  options: PlatformOptions,
  later: {
    readonly baseUrl: () => string;
    readonly overhear: (channel: string, payload: string) => void;
  },
): Promise<Platform> {
  await using opened = new AsyncDisposableStack();
  const { config, logger, onProgress = () => {} } = options;
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  const tracing = endpoint ? await startTracing({ endpoint, serviceName: "satchel" }) : null;
  opened.defer(() => tracing?.close());
  onProgress(databaseUrl ? "Opening the database" : "Opening the embedded database");
  const opening = openMigrated(config, onProgress);
  opened.defer(async () => (await opening.catch(() => null))?.close());
  // The sandbox may still be starting: neither waits for the other.
  const [untraced, sandbox] = await Promise.all([opening, options.sandbox]);
  const db = tracedDatabase(untraced);
  const keks = await createKeyEncryptionKeys(config);
  const pubsub = opened.adopt(createPubSub({ redisUrl, databaseUrl, logger }), (it) => it.close());
  const rateLimiter = opened.adopt(createRateLimiter({ redisUrl, databaseUrl, logger }), (it) => it.close());
  const allowLoopback = config.EGRESS_ALLOW_LOOPBACK ?? config.SANDBOX;
  const egress = opened.adopt(tracedEgress(createEgress({ allowLoopback })), (it) => it.close());
  const smtpUrl = config.SMTP_URL ?? smtpUrlOf(sandbox);
  const from = config.MAIL_FROM ?? defaultSender(config.BASE_URL);
  const mailer = opened.adopt(createMailer({ smtpUrl, from, logger }), (it) => it.close());
  onProgress("Starting the job queue");
  const jobs = opened.adopt(tracedJobs(await startJobs(db, logger)), (it) => it.stop());
  const queueEmail = await openEmailQueue({ jobs, mailer, logger });
  const site = createSite(later.baseUrl, config.BASE_URL?.startsWith("https://") ?? false);
  const all = opened.move();
  return {
    ...{ config, logger, sandbox, db, tracing, keks, rateLimiter, egress, allowLoopback, smtpUrl, mailer, jobs },
    ...{ queueEmail, site },
    metrics: createMetrics(),
    signingKeys: createSigningKeys({ db, ...keks }),
    pubsub: overhear(pubsub, later.overhear),
    dashboardUrl: () => config.DASHBOARD_URL ?? `${site.browserUrl()}/dashboard`,
    close: () => all.disposeAsync(),
  };
}

async function openMigrated(config: Config, onProgress: (message: string) => void): Promise<Database> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATABASE_POOL_SIZE: poolSize } = config;
  const db = await openDatabase({ databaseUrl, dataDir, poolSize });
  try {
    const applied = await migrate(db);
    if (applied.length > 0) onProgress("Brought the database up to date");
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The same pub/sub, with somebody who hears all that this node announces. */
function overhear(pubsub: PubSub, onPublish: (channel: string, payload: string) => void): PubSub {
  return {
    ...pubsub,
    publish(channel, payload) {
      pubsub.publish(channel, payload);
      onPublish(channel, payload);
    },
  };
}

function smtpUrlOf(sandbox: SandboxEndpoints | null): string | undefined {
  if (!sandbox) return undefined;
  const { host, port } = sandbox.smtp;
  return `smtp://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
