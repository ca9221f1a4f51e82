import type { RequestListener } from "node:http";
import express, { type Express, type Router } from "express";
import type { SandboxEndpoints } from "../endpoints.ts";
import { storeAdmin } from "./admin.ts";
import type { Cart } from "./carts.ts";
import { cartRoutes } from "./checkout/cart.ts";
import type { Checkout, CheckoutDeps } from "./checkout/checkouts.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import type { Store } from "./definition.ts";
import { directoryApp, type OpenStore } from "./directory.ts";
import { createFaults, type ScheduledFault } from "./faults.ts";
import { type Attempt, type Charge, createLedger } from "./ledger.ts";
import { productRoutes } from "./pages/products.ts";
import { issuerApp } from "./processor/issuer.ts";
import { type BankChallenge, type CardToken, createProcessor } from "./processor/processor.ts";
import { processorApp } from "./processor/server.ts";
import { storefrontRoutes } from "./storefront/server.ts";
import { STORES } from "./stores.ts";
import { openTable } from "./table.ts";

/**
 * Starts every store on its own port, the directory, the payment processor and the card issuer.
 * @param serve starts a server for the app and returns its origin
 */
export async function startStores(
  dataDir: string,
  serve: (name: string, app: RequestListener) => Promise<string>,
): Promise<{
  endpoints: Pick<SandboxEndpoints, "storeUrl" | "stores" | "cardProcessorUrl" | "cardIssuerUrl">;
  admin: Router;
}> {
  const urls = { processor: "", issuer: "" };
  const deps: CheckoutDeps = {
    carts: openTable<Cart>(dataDir, "carts"),
    checkouts: openTable<Checkout>(dataDir, "checkouts"),
    faults: createFaults(openTable<ScheduledFault>(dataDir, "faults")),
    ledger: createLedger(
      openTable<Charge>(dataDir, "charges", Number.POSITIVE_INFINITY),
      openTable<Attempt>(dataDir, "attempts", Number.POSITIVE_INFINITY),
    ),
    processor: createProcessor(
      openTable<CardToken>(dataDir, "card-tokens"),
      openTable<BankChallenge>(dataDir, "questions"),
      {
        processor: () => urls.processor,
        issuer: () => urls.issuer,
      },
    ),
  };
  const open: OpenStore[] = [];
  const stores = () => open;

  // Started before the stores, which link to both. Each has its own site, as browsers define sites.
  urls.processor = onHost(await serve("store-processor", processorApp(deps.processor, stores)), "localhost");
  urls.issuer = onHost(await serve("store-issuer", issuerApp(deps.processor)), "bank.localhost");
  for (const store of STORES) {
    const at = { url: "" };
    at.url = await serve(
      `store-${store.name}`,
      storeApp(deps, store, () => at.url),
    );
    open.push({ store, url: at.url });
  }
  const storeUrl = await serve("stores", directoryApp(stores, deps.faults));
  return {
    endpoints: {
      ...{ storeUrl, cardProcessorUrl: urls.processor, cardIssuerUrl: urls.issuer },
      stores: open.map(describe),
    },
    admin: storeAdmin(stores, deps),
  };
}

function describe({ store, url }: OpenStore): SandboxEndpoints["stores"][number] {
  const { name, title, kind, country, currency, shipsTo, pickups, tax } = store;
  return { name, title, url, kind, country, currency, shipsTo, collects: pickups.length > 0, tax: tax.kind };
}

function storeApp(deps: CheckoutDeps, store: Store, url: () => string): Express {
  const app = express();
  app.disable("x-powered-by");
  if (store.kind === "shopify") app.use(storefrontRoutes(deps, store, url));
  app.use(cartRoutes(deps, store));
  app.use(checkoutRoutes(deps, store, url));
  app.use(productRoutes(store, url));
  return app;
}

/** Returns the same listener under another loopback host name, which browsers resolve without DNS. */
function onHost(origin: string, hostname: string): string {
  const url = new URL(origin);
  if (url.hostname === "127.0.0.1") url.hostname = hostname;
  return url.origin;
}
