/** Puts checkout together: what it takes, and the shops it may buy from. */
import type { FastifyInstance } from "fastify";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { expireApprovals } from "../checkout/approvals/decide.ts";
import { createCatalogue } from "../checkout/catalogue/catalogue.ts";
import type { ApprovalDeps, CheckoutSettings, MandateDeps, PricingDeps } from "../checkout/deps.ts";
import { refreshCatalogues } from "../checkout/explore/refresh-catalogues.ts";
import { type PoolShop, readPool, savePool } from "../checkout/merchants/pool.ts";
import { forgetOldQuotes } from "../checkout/quote/quoted-terms.ts";
import type { Config } from "../platform/config.ts";
import type { Database } from "../platform/database.ts";
import type { Egress } from "../platform/egress/egress.ts";
import { registerJwksRoute } from "../platform/http/jwks-route.ts";
import type { Jobs } from "../platform/jobs.ts";

const EXPIRE_INTERVAL_MS = 5_000;
const REFRESH_INTERVAL_MS = 300_000;

/** The parts of the service's dependencies that only checkout brings. */
export function createCheckoutDeps(parts: {
  readonly config: Config;
  readonly egress: Egress;
  readonly sandbox: SandboxEndpoints | null;
}): Pick<PricingDeps, "checkout"> {
  const { config, egress, sandbox } = parts;
  const url = config.CATALOG_URL ?? sandbox?.storeUrl ?? null;
  const checkout: CheckoutSettings = {
    catalogue: url === null ? null : createCatalogue({ url, apiKey: config.CATALOG_API_KEY, egress }),
    // PCI DSS lets nobody but issuers keep them once a payment was authorised (requirement 3.3.1).
    keepsSecurityCodes: (config.CARD_SECURITY_CODE ?? (config.SANDBOX ? "keep" : "ask")) === "keep",
    approvalMs: config.CHECKOUT_APPROVAL_MS,
  };
  return { checkout };
}

/** Ends orders that nobody approved in time, forgets what was quoted long ago, and reads old catalogues again. */
export async function startCheckoutJobs(
  jobs: Jobs,
  deps: Pick<ApprovalDeps & PricingDeps, "db" | "pubsub" | "egress">,
): Promise<void> {
  await jobs.repeat("expire-approvals", EXPIRE_INTERVAL_MS, async () => {
    await expireApprovals(deps);
    await forgetOldQuotes(deps.db);
  });
  await jobs.repeat("refresh-catalogues", REFRESH_INTERVAL_MS, async () => void (await refreshCatalogues(deps)));
}

/** `GET /.well-known/mandate-keys.json`: what mandates and evidence bundles are verified with. */
export function registerMandateKeys(app: FastifyInstance, { signingKeys }: Pick<MandateDeps, "signingKeys">): void {
  registerJwksRoute(app, signingKeys, "/.well-known/mandate-keys.json", "mandate");
}

/** Brings the configured shops, or the sandbox's, into the database. @throws {ConfigError} */
export async function saveConfiguredPool(
  db: Database,
  { config, sandbox }: { readonly config: Config; readonly sandbox: SandboxEndpoints | null },
): Promise<void> {
  const shops = config.CHECKOUT_POOL === undefined ? sandboxPool(sandbox) : readPool(config.CHECKOUT_POOL);
  await savePool(db, shops);
}

/** Its shops as an operator would write them. Those with the Storefront API can be bought from at once, but for the last. */
function sandboxPool(sandbox: SandboxEndpoints | null): PoolShop[] {
  const shopify = sandbox?.stores.filter(({ kind }) => kind === "shopify") ?? [];
  const unexplored = shopify.length > 1 ? shopify.at(-1) : undefined;
  return (sandbox?.stores ?? []).map((store) => ({
    url: store.url,
    name: store.title,
    country: store.country,
    currency: store.currency,
    rail: store.kind,
    isTest: true,
    shipsTo: store.shipsTo,
    supportsPickup: store.collects,
    taxPolicy: store.tax,
    logoUrl: null,
    onboarded: store.kind === "shopify" && store !== unexplored,
  }));
}
