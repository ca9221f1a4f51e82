import type { RequestListener } from "node:http";
import express, { type Express, type Router } from "express";
import type { SandboxEndpoints } from "../endpoints.ts";
import { storeAdmin } from "./admin.ts";
import type { Cart } from "./carts.ts";
import { basketRoutes } from "./checkout/basket.ts";
import type { Checkout, CheckoutDeps } from "./checkout/checkouts.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import { directoryApp, type OpenShop } from "./directory.ts";
import { createFaults, type FaultOrder } from "./faults.ts";
import { type Attempt, type Charge, createLedger } from "./ledger.ts";
import { productRoutes } from "./pages/products.ts";
import { issuerApp } from "./processor/issuer.ts";
import { type BankQuestion, type CardToken, createProcessor } from "./processor/processor.ts";
import { processorApp } from "./processor/server.ts";
import type { Shop } from "./shop.ts";
import { SHOPS } from "./shops.ts";
import { storefrontRoutes } from "./storefront/server.ts";
import { openTable } from "./table.ts";

/**
 * Opens every shop at a port of its own, the directory of them, the processor that takes their cards and the bank that
 * asks the cards' owners. @param serve listens and answers the origin
 */
export async function startStores(
  dataDir: string,
  serve: (name: string, app: RequestListener) => Promise<string>,
): Promise<{ endpoints: Pick<SandboxEndpoints, "storeUrl" | "stores">; admin: Router }> {
  const urls = { processor: "", issuer: "" };
  const deps: CheckoutDeps = {
    carts: openTable<Cart>(dataDir, "carts"),
    checkouts: openTable<Checkout>(dataDir, "checkouts"),
    faults: createFaults(openTable<FaultOrder>(dataDir, "faults")),
    ledger: createLedger(
      openTable<Charge>(dataDir, "charges", Number.POSITIVE_INFINITY),
      openTable<Attempt>(dataDir, "attempts", Number.POSITIVE_INFINITY),
    ),
    processor: createProcessor(
      openTable<CardToken>(dataDir, "card-tokens"),
      openTable<BankQuestion>(dataDir, "questions"),
      {
        processor: () => urls.processor,
        issuer: () => urls.issuer,
      },
    ),
  };
  const open: OpenShop[] = [];
  const shops = () => open;

  // Before the shops: what they hand out leads there. Each on a site of its own, as browsers count sites.
  urls.processor = onHost(await serve("store-processor", processorApp(deps.processor, shops)), "localhost");
  urls.issuer = onHost(await serve("store-issuer", issuerApp(deps.processor)), "bank.localhost");
  for (const shop of SHOPS) {
    const at = { url: "" };
    at.url = await serve(
      `store-${shop.name}`,
      shopApp(deps, shop, () => at.url),
    );
    open.push({ shop, url: at.url });
  }
  const storeUrl = await serve("stores", directoryApp(shops, deps.faults));
  return {
    endpoints: { storeUrl, stores: open.map(describe) },
    admin: storeAdmin(shops, deps),
  };
}

function describe({ shop, url }: OpenShop): SandboxEndpoints["stores"][number] {
  const { name, title, kind, country, currency, shipsTo, pickups, tax } = shop;
  return { name, title, url, kind, country, currency, shipsTo, collects: pickups.length > 0, tax: tax.kind };
}

function shopApp(deps: CheckoutDeps, shop: Shop, url: () => string): Express {
  const app = express();
  app.disable("x-powered-by");
  if (shop.kind === "shopify") app.use(storefrontRoutes(deps, shop, url));
  app.use(basketRoutes(deps, shop));
  app.use(checkoutRoutes(deps, shop, url));
  app.use(productRoutes(shop, url));
  return app;
}

/** The same listener under another name of this machine, which browsers know without asking anyone. */
function onHost(origin: string, hostname: string): string {
  const url = new URL(origin);
  if (url.hostname === "127.0.0.1") url.hostname = hostname;
  return url.origin;
}
