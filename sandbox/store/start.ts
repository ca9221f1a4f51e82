import type { RequestListener } from "node:http";
import express, { type Express, type Router } from "express";
import type { SandboxEndpoints } from "../endpoints.ts";
import { storeAdmin } from "./admin.ts";
import type { Cart } from "./carts.ts";
import { directoryApp, type OpenShop } from "./directory.ts";
import { createFaults, type FaultOrder } from "./faults.ts";
import { productRoutes } from "./pages/products.ts";
import type { Shop } from "./shop.ts";
import { SHOPS } from "./shops.ts";
import type { CartDeps } from "./storefront/cart.ts";
import { storefrontRoutes } from "./storefront/server.ts";
import { openTable } from "./table.ts";

/** Opens every shop at a port of its own, and the directory of them. @param serve listens and answers the origin */
export async function startStores(
  dataDir: string,
  serve: (name: string, app: RequestListener) => Promise<string>,
): Promise<{ endpoints: Pick<SandboxEndpoints, "storeUrl" | "stores">; admin: Router }> {
  const carts = openTable<Cart>(dataDir, "carts");
  const faults = createFaults(openTable<FaultOrder>(dataDir, "faults"));
  const open: OpenShop[] = [];
  for (const shop of SHOPS) {
    const urls = { shop: "" };
    urls.shop = await serve(
      `store-${shop.name}`,
      shopApp({ carts, faults }, shop, () => urls.shop),
    );
    open.push({ shop, url: urls.shop });
  }
  const storeUrl = await serve(
    "stores",
    directoryApp(() => open, faults),
  );
  return {
    endpoints: { storeUrl, stores: open.map(({ shop: { name, kind }, url }) => ({ name, url, kind })) },
    admin: storeAdmin(() => open, carts, faults),
  };
}

function shopApp(deps: CartDeps, shop: Shop, url: () => string): Express {
  const app = express();
  app.disable("x-powered-by");
  if (shop.kind === "shopify") app.use(storefrontRoutes(deps, shop, url));
  app.use(productRoutes(shop, url));
  return app;
}
