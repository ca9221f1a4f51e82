/** Composition of checkout: dependencies, the worker protocol, live streams for viewers, and jobs. */
import type { FastifyInstance } from "fastify";
import { expireApprovals } from "../../checkout/approvals/decide.ts";
import { CARD_ISSUERS, CARD_PROCESSORS } from "../../checkout/card-processors.ts";
import { createRemoteCatalogue } from "../../checkout/catalogue/remote-catalogue.ts";
import type { DispatchDeps, PricingDeps } from "../../checkout/deps.ts";
import { refreshCatalogues } from "../../checkout/explore/refresh-catalogues.ts";
import { serveLiveStreams } from "../../checkout/live/live-stream.ts";
import type { JobDeps } from "../../checkout/orders/deps.ts";
import { signEvidence } from "../../checkout/orders/evidence.ts";
import { sweepOrders } from "../../checkout/orders/sweep-orders.ts";
import { matchIndexesToMerchants, removeUnusedWords } from "../../checkout/product-index/claim-indexes.ts";
import { type IndexingSettings, indexCatalogues } from "../../checkout/product-index/index-catalogues.ts";
import { registerIndexMetrics } from "../../checkout/product-index/index-metrics.ts";
import { createSearchIndex } from "../../checkout/product-index/search-index.ts";
import { registerDocumentSchemas } from "../../checkout/signed-document-schemas.ts";
import { registerWorkerProtocol } from "../../checkout/worker-protocol/routes.ts";
import { createClientIp } from "../../platform/http/client-address.ts";
import { registerJwksRoute } from "../../platform/http/jwks-route.ts";
import { closeEndedSessions } from "../ended-sessions.ts";
import type { Platform } from "../platform.ts";
import type { FileRouteDeps } from "../routes/file-route.ts";
import { registerOrderArtifactRoute } from "../routes/order-artifact.ts";
import { readWorkerTokens } from "../worker-token.ts";

const EXPIRE_INTERVAL_MS = 5_000;
const REFRESH_INTERVAL_MS = 300_000;
const SWEEP_INTERVAL_MS = 5_000;
/** Also the time until the first catalogue is read after a start. */
const INDEX_INTERVAL_MS = 1_000;
const MATCH_INTERVAL_MS = 10_000;
const WORDS_INTERVAL_MS = 60_000;

export function createCheckoutDeps({ config, db, egress, sandbox }: Platform): Pick<PricingDeps, "checkout"> {
  const { CATALOG_URL: url, CATALOG_API_KEY: apiKey, CATALOG_MAX_AGE_MS: maxAgeMs } = config;
  return {
    checkout: {
      catalogue:
        url === undefined ? createSearchIndex({ db, maxAgeMs }) : createRemoteCatalogue({ url, apiKey, egress }),
      // PCI DSS requirement 3.3.1: only issuers may store security codes after authorisation.
      storesSecurityCodes: (config.CARD_SECURITY_CODE ?? (config.SANDBOX ? "keep" : "ask")) === "keep",
      approvalMs: config.CHECKOUT_APPROVAL_MS,
      processorOrigins: listProcessors({ config, sandbox }),
    },
  };
}

export async function registerCheckoutRoutes(
  app: FastifyInstance,
  platform: Platform,
  deps: DispatchDeps & FileRouteDeps,
): Promise<void> {
  const { config, pubsub } = platform;
  const workerTokens = await readWorkerTokens(config);
  const [workerToken] = workerTokens;
  // The public keys that verify mandates and evidence bundles.
  registerJwksRoute(app, deps.signingKeys, "/.well-known/mandate-keys.json", "mandate");
  registerDocumentSchemas(app);
  const { securityLog, queueEmail, site, logger } = platform;
  const questions = { queueEmail, site, logger, questionMs: config.CHECKOUT_QUESTION_MS };
  registerWorkerProtocol(app, { ...createOrderDeps(platform), securityLog, ...questions }, workerTokens);
  registerOrderArtifactRoute(app, deps);
  const streams = serveLiveStreams(app.server, { ...deps, workerToken, clientIp: createClientIp(config.TRUST_PROXY) });
  void closeEndedSessions(pubsub, streams.disconnect);
  app.addHook("preClose", () => streams.close());
}

export async function startCheckoutJobs(platform: Platform, deps: DispatchDeps): Promise<void> {
  const { jobs, config, db, metrics } = platform;
  const orders = createOrderDeps(platform);
  await jobs.repeat("expire-approvals", EXPIRE_INTERVAL_MS, async () => {
    await expireApprovals(deps);
  });
  await jobs.repeat("refresh-catalogues", REFRESH_INTERVAL_MS, async () => void (await refreshCatalogues(deps)));
  if (config.CATALOG_URL === undefined) {
    registerIndexMetrics(metrics, db);
    const settings = readIndexingSettings(platform);
    await matchIndexesToMerchants(db);
    await jobs.repeat("match-catalogue-indexes", MATCH_INTERVAL_MS, () => matchIndexesToMerchants(db));
    let lastWord = "";
    await jobs.repeat("remove-unused-product-words", WORDS_INTERVAL_MS, async () => {
      lastWord = await removeUnusedWords(db, lastWord);
    });
    await jobs.repeat("index-catalogues", INDEX_INTERVAL_MS, async () => void (await indexCatalogues(deps, settings)));
  }
  await jobs.repeat("sweep-checkout-orders", SWEEP_INTERVAL_MS, async () => {
    await sweepOrders(orders);
    await signEvidence(deps);
  });
}

function readIndexingSettings({ config }: Pick<Platform, "config">): IndexingSettings {
  return {
    // The sandbox's stores are on this machine.
    delayMs: config.CATALOG_DELAY_MS ?? (config.SANDBOX ? 0 : 1_000),
    refreshMs: config.CATALOG_REFRESH_MS,
    maxProducts: config.CATALOG_MAX_PRODUCTS,
    concurrency: config.CATALOG_CONCURRENCY,
  };
}

function createOrderDeps({ config, sandbox, db, pubsub, keks }: Platform): JobDeps {
  const { CHECKOUT_TIMEOUT_MS: checkoutTimeoutMs, CHECKOUT_ISSUERS } = config;
  return {
    ...{ db, pubsub, keks, checkoutTimeoutMs },
    processorOrigins: listProcessors({ config, sandbox }),
    issuerOrigins: [...CARD_ISSUERS, ...CHECKOUT_ISSUERS, ...(sandbox ? [sandbox.cardIssuerUrl] : [])],
  };
}

function listProcessors({ config, sandbox }: Pick<Platform, "config" | "sandbox">): string[] {
  return [...CARD_PROCESSORS, ...config.CHECKOUT_PROCESSORS, ...(sandbox ? [sandbox.cardProcessorUrl] : [])];
}
