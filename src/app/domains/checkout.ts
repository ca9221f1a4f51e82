/** Composition of checkout: dependencies, the worker protocol, live streams for viewers, and jobs. */
import type { FastifyInstance } from "fastify";
import type { AuthenticationDeps } from "../../accounts/authenticate.ts";
import { expireApprovals } from "../../checkout/approvals/decide.ts";
import { CARD_ISSUERS, CARD_PROCESSORS } from "../../checkout/card-processors.ts";
import { createCatalogue } from "../../checkout/catalogue/catalogue.ts";
import type { DispatchDeps, PricingDeps } from "../../checkout/deps.ts";
import { refreshCatalogues } from "../../checkout/explore/refresh-catalogues.ts";
import { serveLiveStreams } from "../../checkout/live/live-stream.ts";
import type { JobDeps } from "../../checkout/orders/deps.ts";
import { signEvidence } from "../../checkout/orders/evidence.ts";
import { sweepOrders } from "../../checkout/orders/sweep-orders.ts";
import { registerDocumentSchemas } from "../../checkout/signed-document-schemas.ts";
import { registerWorkerProtocol } from "../../checkout/worker-protocol/routes.ts";
import { createClientIp } from "../../platform/http/client-address.ts";
import { registerJwksRoute } from "../../platform/http/jwks-route.ts";
import { closeEndedSessions } from "../ended-sessions.ts";
import type { Platform } from "../platform.ts";
import { registerOrderArtifactRoute } from "../routes/order-artifact.ts";
import { readWorkerTokens } from "../worker-token.ts";

const EXPIRE_INTERVAL_MS = 5_000;
const REFRESH_INTERVAL_MS = 300_000;
const SWEEP_INTERVAL_MS = 5_000;

export function createCheckoutDeps({ config, egress, sandbox }: Platform): Pick<PricingDeps, "checkout"> {
  const url = config.CATALOG_URL ?? sandbox?.storeUrl ?? null;
  return {
    checkout: {
      catalogue: url === null ? null : createCatalogue({ url, apiKey: config.CATALOG_API_KEY, egress }),
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
  deps: DispatchDeps & AuthenticationDeps,
): Promise<void> {
  const { config, pubsub } = platform;
  const workerTokens = await readWorkerTokens(config);
  const [workerToken] = workerTokens;
  // The public keys that verify mandates and evidence bundles.
  registerJwksRoute(app, deps.signingKeys, "/.well-known/mandate-keys.json", "mandate");
  registerDocumentSchemas(app);
  registerWorkerProtocol(app, { ...createOrderDeps(platform), securityLog: platform.securityLog }, workerTokens);
  registerOrderArtifactRoute(app, deps);
  const streams = serveLiveStreams(app.server, { ...deps, workerToken, clientIp: createClientIp(config.TRUST_PROXY) });
  void closeEndedSessions(pubsub, streams.disconnect);
  app.addHook("preClose", () => streams.close());
}

export async function startCheckoutJobs(platform: Platform, deps: DispatchDeps): Promise<void> {
  const { jobs } = platform;
  const orders = createOrderDeps(platform);
  await jobs.repeat("expire-approvals", EXPIRE_INTERVAL_MS, async () => {
    await expireApprovals(deps);
  });
  await jobs.repeat("refresh-catalogues", REFRESH_INTERVAL_MS, async () => void (await refreshCatalogues(deps)));
  await jobs.repeat("sweep-checkout-orders", SWEEP_INTERVAL_MS, async () => {
    await sweepOrders(orders);
    await signEvidence(deps);
  });
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
