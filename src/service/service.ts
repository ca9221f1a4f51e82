/** The composition root: builds every part once and connects them. */
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { registerRestRoutes } from "../../rest-compat/register.ts";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { createContextFactory, type SchemaDeps } from "../../schema/context.ts";
import { buildSchema } from "../../schema/schema.ts";
import { PATHS } from "../../web/app/paths.ts";
import { apiTokenKind } from "../accounts/api-token-kind.ts";
import { authenticate, credentialOf, isStillValid } from "../accounts/authenticate.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { overhear } from "../events/overhear.ts";
import { endLostCalls } from "../gateway/end-lost-calls.ts";
import { createGateway } from "../gateway/gateway.ts";
import { accessTokenKind } from "../oauth/access-token-kind.ts";
import { sendReviewLetters } from "../oauth/clients/notify.ts";
import { createOriginCheck } from "../oauth/clients/origins.ts";
import { ensureCommandLineClient } from "../oauth/command-line-client.ts";
import { deleteOldAuthorizations } from "../oauth/delete-old.ts";
import { registerPaymentMetrics } from "../payments/payment-metrics.ts";
import { purchaseTokenKind } from "../payments/purchase-tokens/purchase-token-kind.ts";
import { reconcileAllDue } from "../payments/reconcile.ts";
import { createReconciler, type Reconciler } from "../payments/reconciler.ts";
import { createRecorder } from "../payments/recorder.ts";
import type { Config } from "../platform/config.ts";
import { type Database, openDatabase } from "../platform/database.ts";
import { deleteOldAnswers } from "../platform/delete-old-answers.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { registerGraphql } from "../platform/graphql/register.ts";
import { createClientIp } from "../platform/http/client-ip.ts";
import { type Health, registerHealth } from "../platform/http/health.ts";
import { registerMetricsRoute } from "../platform/http/metrics-route.ts";
import { createHttpServer } from "../platform/http/server.ts";
import { createWebApp, registerWebApp, type WebAppOptions } from "../platform/http/web-app.ts";
import { startJobs } from "../platform/jobs.ts";
import { openLetterQueue } from "../platform/letter-queue.ts";
import type { Logger } from "../platform/logger.ts";
import { createMailer, defaultSender } from "../platform/mailer.ts";
import { createMetrics, type Metrics } from "../platform/metrics.ts";
import { migrate } from "../platform/migrate.ts";
import { createPubSub } from "../platform/pubsub.ts";
import { createRateLimiter } from "../platform/rate-limit.ts";
import { createKeyEncryptionKeys } from "../platform/sealing/key-encryption.ts";
import { startTracing } from "../platform/tracing.ts";
import { resumeTrades } from "../trade/resume-trades.ts";
import { createTrading } from "../trade/trading.ts";
import { createChains } from "../wallet/chains.ts";
import { createVault } from "../wallet/sealed-vault.ts";
import { createWallets } from "../wallet/wallets.ts";
import { createAgentDeps, registerAgents, startAgentJobs } from "./agents.ts";
import { createCheckoutDeps, registerMandateKeys, saveConfiguredPool, startCheckoutJobs } from "./checkout.ts";
import { registerCredentials, startCredentialJobs } from "./credentials.ts";
import { createEvents } from "./events.ts";
import { createIncomingMail, type IncomingMail } from "./incoming-mail.ts";
import { registerLiveView } from "./live-view.ts";
import { createMailRoomDeps, startMailJobs } from "./mail.ts";
import { registerMailAttachmentRoutes } from "./mail-attachment-routes.ts";
import { registerMailDocumentRoute } from "./mail-document-route.ts";
import { registerOrderArtifactRoute } from "./order-artifact-route.ts";
import { registerOrders, startOrderJobs } from "./orders.ts";
import {
  closeEndedSessions,
  createPeopleDeps,
  registerPeopleRoutes,
  sessionKindOf,
  startPeopleJobs,
} from "./people.ts";
import { asAskedNow, tokenHeadersOf } from "./socket-callers.ts";

/** Where `npm install` and `npm start` build the pages. */
const WEB_DIST = join(import.meta.dirname, "../../web/dist");

/** What pages of approved applications' origins may call. */
const CROSS_ORIGIN_PATHS =
  /^\/(?:graphql(?:$|[/?])|api\/|v1\/|oauth\/(?:token|revoke|introspect|userinfo)(?:$|\?)|\.well-known\/)/;
/** A node that ended between a decision and its letters left them behind: looked for this often. */
const REVIEW_LETTERS_INTERVAL_MS = 60_000;

const CLEANING_INTERVAL_MS = 600_000;

export interface Service {
  readonly app: FastifyInstance;
  readonly deps: SchemaDeps;
  readonly baseUrl: string;
  /** Where it listens, for processes of this machine. */
  readonly localUrl: string;
  /** Where it takes agents' mail by SMTP; null where it does not. */
  readonly incomingMail: { readonly host: string; readonly port: number } | null;
  /** Lets requests under way finish, then closes everything in the order in which it depends on each other. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** The sandbox this service is to use in place of the outside world. */
  readonly sandbox: SandboxEndpoints | null | Promise<SandboxEndpoints>;
  /** Told, in words for a person, what it is doing. */
  readonly onProgress?: (message: string) => void;
}

/** Opens the database, migrates it, and serves. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, logger, onProgress = () => {} } = options;
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = config;
  onProgress(databaseUrl ? "Opening the database" : "Opening the embedded database");
  // The sandbox may still be starting: neither waits for the other.
  const [db, sandbox] = await Promise.all([openMigrated(options), options.sandbox]);

  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT
    ? await startTracing({ endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: "satchel" })
    : null;
  const metrics = createMetrics();
  const keks = await createKeyEncryptionKeys(config);
  const vault = createVault(keks);
  const baseUrl = () => config.BASE_URL ?? listeningAt(app);
  const pubsub = overhear(createPubSub({ redisUrl, databaseUrl, logger }), (...heard) => events.overhear(...heard));
  const rateLimiter = createRateLimiter({ redisUrl, databaseUrl, logger });
  const allowLoopback = config.EGRESS_ALLOW_LOOPBACK ?? config.SANDBOX;
  const egress = createEgress({ allowLoopback });
  const from = config.MAIL_FROM ?? defaultSender(config.BASE_URL);
  const smtpUrl = config.SMTP_URL ?? smtpUrlOf(sandbox);
  const mailer = createMailer({ smtpUrl, from, logger });
  onProgress("Starting the job queue");
  const jobs = await startJobs(db, logger);
  const queueLetter = await openLetterQueue({ jobs, mailer, logger });
  const dashboardUrl = () => config.DASHBOARD_URL ?? `${deps.site.browserUrl()}/dashboard`;
  const events = createEvents({ db, pubsub, logger, queueLetter, dashboardUrl, egress, metrics, keks, allowLoopback });
  const reconciler: Reconciler = createReconciler(() => reconcileAllDue(deps));
  const deps: SchemaDeps = {
    db,
    vault,
    wallets: createWallets(db, vault),
    chains: createChains({ rpcUrls: rpcUrlsOf(config, sandbox) }),
    egress,
    recorder: createRecorder(db),
    reconciler,
    pubsub,
    logger,
    rateLimiter,
    mailer,
    queueLetter,
    events,
    ...createPeopleDeps({ config, db, vault, keks, baseUrl }),
    ...(await createMailRoomDeps({ config, smtpUrl, baseUrl })),
    ...createAgentDeps({ config, keks, db, pubsub, logger }),
    trading: createTrading(config, sandbox?.dexUrl ?? null),
    gateway: createGateway(config, sandbox?.llmUrl ?? null, { db, egress, pubsub, logger, metrics }),
    ...createCheckoutDeps({ config, egress, sandbox }),
    adminToken: config.ADMIN_TOKEN,
    tokenKinds: [apiTokenKind, accessTokenKind, sessionKindOf(config), purchaseTokenKind],
    settings: {
      defaultNetwork: config.DEFAULT_NETWORK ?? (config.SANDBOX ? "base-sepolia" : "base"),
      // Known once the service listens, where no address is configured.
      get dashboardUrl() {
        return dashboardUrl();
      },
      freeCreditMicroUsd: config.FREE_CREDIT_USD,
      unexploredNetworks: Object.keys(sandbox?.networks ?? {}),
      uptoSpenders: [...config.UPTO_SPENDERS, ...Object.values(sandbox?.uptoSpenders ?? {})],
    },
  };

  await jobs.repeat("reconcile-payments", config.RECONCILE_INTERVAL_MS, () => reconciler.run());
  await jobs.repeat("resume-trades", config.RECONCILE_INTERVAL_MS, () => resumeTrades(deps));
  await jobs.repeat("end-lost-gateway-calls", CLEANING_INTERVAL_MS, () => endLostCalls(deps));
  await startPeopleJobs(jobs, db);
  await startAgentJobs(jobs, config, deps);
  await startMailJobs(jobs, deps);
  await startCheckoutJobs(jobs, deps);
  await events.start(jobs);
  const incoming = createIncomingMail({ config, db, pubsub, logger, rateLimiter, metrics, sandbox });
  await incoming.startJobs(jobs);
  await ensureCommandLineClient(db);
  await saveConfiguredPool(db, { config, sandbox });
  await jobs.repeat("delete-old-authorizations", CLEANING_INTERVAL_MS, () => deleteOldAuthorizations(db));
  await jobs.repeat("delete-old-answers", CLEANING_INTERVAL_MS, () => deleteOldAnswers(db));
  await jobs.repeat("send-review-letters", REVIEW_LETTERS_INTERVAL_MS, () => sendReviewLetters(deps));

  const pages: WebAppOptions = {
    dist: WEB_DIST,
    pages: Object.values(PATHS),
    popupPages: [PATHS.consent, PATHS.signIn],
    site: deps.site,
  };
  const webApp = createWebApp(pages);
  const isClientOrigin = createOriginCheck(db);
  const app: FastifyInstance = createHttpServer({
    config,
    logger,
    metrics,
    webApp,
    apiOrigins: { isAllowed: isClientOrigin, paths: CROSS_ORIGIN_PATHS },
  });
  registerWebApp(app, webApp, pages);
  const health = await registerRoutes(app, { config, deps, metrics, isClientOrigin, incoming });
  health.addCheck({ name: "database", check: () => db.query({ name: "ping", text: "SELECT 1" }, []) });
  health.addCheck({ name: "pubsub", check: async () => pubsub.isConnected() || Promise.reject(new Error("away")) });
  await pubsub.ready();
  await app.listen({ host: config.HOST, port: config.PORT });
  // Credentials and evidence name the address their keys are published at.
  await startCredentialJobs(jobs, config, deps);
  await startOrderJobs(jobs, config, deps);
  const incomingMail = await incoming.listen(deps.agentMail.domain());
  health.setPhase("ready");

  return {
    app,
    deps,
    baseUrl: baseUrl(),
    localUrl: listeningAt(app),
    incomingMail,
    async stop() {
      health.setPhase("stopping");
      await Promise.all([app.close(), incoming.stop()]);
      await deps.gateway.calls.flush();
      await jobs.stop();
      await events.stop();
      mailer.close();
      deps.agentMail.relay.close();
      await egress.close();
      await Promise.all([pubsub.close(), rateLimiter.close()]);
      await db.close();
      await tracing?.close();
    },
  };
}

async function openMigrated({ config, onProgress = () => {} }: ServiceOptions): Promise<Database> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATABASE_POOL_SIZE: poolSize } = config;
  const db = await openDatabase({ databaseUrl, dataDir, poolSize });
  const applied = await migrate(db);
  if (applied.length > 0) onProgress("Brought the database up to date");
  return db;
}

async function registerRoutes(
  app: FastifyInstance,
  parts: {
    config: Config;
    deps: SchemaDeps;
    metrics: Metrics;
    isClientOrigin(origin: string): Promise<boolean>;
    incoming: IncomingMail;
  },
): Promise<Health> {
  const { config, deps, metrics, isClientOrigin, incoming } = parts;
  const schema = buildSchema();
  const createContext = createContextFactory(deps);
  const isOpen = config.GRAPHQL_INTROSPECTION ?? config.NODE_ENV !== "production";
  const operations = metrics.histogram("satchel_graphql_operation_seconds", "Duration of GraphQL operations.", [
    "kind",
  ]);
  const graphql = await registerGraphql<Awaited<ReturnType<typeof createContext>>, Viewer>(app, {
    schema,
    createContext: (request) => createContext(asAskedNow(request)),
    viewerOf: ({ viewer }) => viewer,
    authenticate: (params, { headers }) =>
      authenticate(deps, credentialOf({ ...headers, ...tokenHeadersOf(params) }, "same-origin", deps.site.isHttps)),
    isStillValid: (viewer) => isStillValid(deps, viewer),
    credentialKey: (viewer) => (viewer.kind === "account" ? viewer.credentialId : viewer.kind),
    accountKey: (viewer) => (viewer.kind === "account" ? viewer.accountId : viewer.kind),
    // By credential, not by account: whoever joins is not asked for scopes again. A purchase token watches nothing.
    groupingKey: ({ viewer }) =>
      viewer?.kind === "account" && viewer.credentialKind !== "purchase_token" ? viewer.credentialId : undefined,
    introspection: isOpen,
    suggestions: isOpen,
    graphiql: isOpen,
    // 9 MB of editor, read only when somebody opens it: it needs no network.
    renderGraphiql: async (options) => (await import("@graphql-yoga/render-graphiql")).renderGraphiQL(options ?? {}),
    isOriginAllowed: (origin) => config.CORS_ORIGINS.includes(origin) || isClientOrigin(origin),
    clientIp: createClientIp(config.TRUST_PROXY),
    onOperation: ({ kind, durationNs }) => operations.observe({ kind }, durationNs / 1e9),
    onUnexpectedError: (error, requestId) => deps.logger.error({ err: error, requestId }, "unexpected error"),
  });
  void closeEndedSessions(deps.pubsub, graphql.disconnect);
  registerPeopleRoutes(app, deps);
  registerMailAttachmentRoutes(app, deps);
  registerMailDocumentRoute(app, deps);
  registerCredentials(app, deps);
  registerMandateKeys(app, deps);
  await registerOrders(app, config, deps);
  await registerLiveView(app, config, deps);
  registerOrderArtifactRoute(app, deps);
  incoming.registerRoutes(app);
  registerRestRoutes(app, { schema, createContext, site: deps.site });
  registerAgents(app, metrics, deps);
  registerPaymentMetrics(metrics, deps.db);
  registerMetricsRoute(app, metrics, config.METRICS_TOKEN);
  return registerHealth(app);
}

function rpcUrlsOf(config: Config, sandbox: SandboxEndpoints | null) {
  const configured = {
    base: config.RPC_URL_BASE,
    "base-sepolia": config.RPC_URL_BASE_SEPOLIA,
    solana: config.RPC_URL_SOLANA,
    "solana-devnet": config.RPC_URL_SOLANA_DEVNET,
    avalanche: config.RPC_URL_AVALANCHE,
  };
  const ofSandbox = Object.entries(sandbox?.networks ?? {}).map(([name, { rpcUrl }]) => [name, rpcUrl]);
  const given = Object.entries(configured).filter(([, url]) => url !== undefined);
  return Object.fromEntries([...ofSandbox, ...given]) as Record<string, string>;
}

function smtpUrlOf(sandbox: SandboxEndpoints | null): string | undefined {
  if (!sandbox) return undefined;
  const { host, port } = sandbox.smtp;
  return `smtp://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function listeningAt(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port.");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host === "0.0.0.0" || host === "[::]" ? "127.0.0.1" : host}:${address.port}`;
}
