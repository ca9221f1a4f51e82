import express, { type Express } from "express";
import { z } from "zod";
import { html } from "../mail/html.ts";
import { isAvailable } from "./carts.ts";
import { COUNTRY_CODES } from "./countries.ts";
import type { Store } from "./definition.ts";
import type { Faults } from "./faults.ts";
import { decimalOf } from "./money.ts";
import { moneyIn } from "./pricing.ts";
import { gid, imageUrl, matches } from "./storefront/catalogue.ts";
import { applyFaults } from "./storefront/server.ts";

/** A running store. */
export interface OpenStore {
  store: Store;
  url: string;
}

const MAX_STORES_PER_CALL = 1_000;
const searchBody = z.object({
  query: z.string().min(1).max(500),
  country: z.enum(COUNTRY_CODES),
  /** Host names with port, as in product URLs. */
  shops: z.array(z.string().max(255)).min(1),
  limit: z.int().min(1).max(250).default(50),
});

/** Name of the catalogue among the stores' faults. */
export const CATALOGUE = "catalogue";

/**
 * The store directory. `GET /` lists the stores as a page. `POST /catalogue/search` finds products of up to 1,000 stores per
 * call, as sold to one country. It covers only stores with the Storefront API. `shops_searched` counts the requested stores
 * that exist and sell to the country.
 */
export function directoryApp(stores: () => OpenStore[], faults: Faults): Express {
  const app = express();
  app.disable("x-powered-by");

  app.get("/", (_request, response) => {
    const rows = stores().map(
      ({ store, url }) =>
        html`<li><a href="${url}">${store.title}</a>: ${store.slogan}. ${store.country}, ${store.currency}. ${store.kind === "shopify" ? "Storefront API" : "Pages only"}.</li>`,
    );
    const cards = [
      ["4242 4242 4242 4242", "is accepted"],
      ["4000 0000 0000 0002", "is declined"],
      ["4000 0027 6000 3184", "requires 3-D Secure; the code is 1234"],
    ].map(([number = "", says = ""]) => html`<li><code>${number}</code> ${says}</li>`);
    response.type("html").send(
      html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox stores of Satchel</title><link rel="icon" href="data:,"></head>
  <body>
    <main>
      <h1>Sandbox stores of Satchel</h1>
      <p>These stores use no real money. Test cards, with any future expiry date and any security code:</p>
      <ul>${cards}</ul>
      <h2>Stores</h2>
      <ul>${rows}</ul>
    </main>
  </body>
</html>
`.safeHtml,
    );
  });

  app.post("/catalogue/search", express.json({ limit: "1mb" }), async (request, response) => {
    if (await applyFaults(faults.consume(CATALOGUE, "request", null), response)) return;
    const { success, data, error } = searchBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: "invalid_request", message: z.prettifyError(error) });
    if (data.shops.length > MAX_STORES_PER_CALL) {
      return void response.status(400).json({ error: "too_many_shops", limit: MAX_STORES_PER_CALL });
    }
    const { query, country, limit } = data;
    const requestedHosts = new Set(data.shops.map((host) => host.toLowerCase()));
    const searched = stores().filter(
      ({ store, url }) =>
        store.kind === "shopify" &&
        store.shipsTo.includes(country) &&
        requestedHosts.has(new URL(url).host.toLowerCase()),
    );
    const found = searched.flatMap((open) => productsIn(open, query, country));
    response.json({ products: found.slice(0, limit), total: found.length, shops_searched: searched.length });
  });
  return app;
}

function productsIn({ store, url }: OpenStore, query: string, country: string) {
  return store.products
    .filter((product) => matches(product, query))
    .map((product) => {
      const money = (amountMinor: number) => decimalOf(moneyIn(store, country, amountMinor));
      return {
        shop: new URL(url).host,
        shop_name: store.title,
        product_id: gid("Product", product.id),
        title: product.title,
        vendor: product.vendor,
        product_url: `${url}/products/${product.handle}`,
        image_url: imageUrl(url, product),
        currency: moneyIn(store, country, 0).currency,
        variants: product.variants.map((variant) => ({
          id: gid("ProductVariant", variant.id),
          sku: variant.sku,
          title: variant.title,
          price: money(variant.priceMinor),
          compare_at_price: variant.compareAtMinor === null ? null : money(variant.compareAtMinor),
          available: isAvailable(variant),
        })),
      };
    });
}
