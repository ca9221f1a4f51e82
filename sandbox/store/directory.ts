import express, { type Express } from "express";
import { z } from "zod";
import { html } from "../mail/html.ts";
import { isAvailable } from "./carts.ts";
import { COUNTRY_CODES } from "./countries.ts";
import type { Faults } from "./faults.ts";
import { decimalOf } from "./money.ts";
import { moneyIn } from "./pricing.ts";
import type { Shop } from "./shop.ts";
import { gid, imageUrl, matches } from "./storefront/catalogue.ts";
import { spoil } from "./storefront/server.ts";

/** A shop that has been opened. */
export interface OpenShop {
  shop: Shop;
  url: string;
}

const SHOPS_A_CALL = 1_000;
const searchBody = z.object({
  query: z.string().min(1).max(500),
  country: z.enum(COUNTRY_CODES),
  /** Hosts with their port, as in a product's URL. */
  shops: z.array(z.string().max(255)).min(1),
  limit: z.int().min(1).max(250).default(50),
});

/** What the fault book calls the catalogue. */
export const CATALOGUE = "catalogue";

/**
 * The street: `GET /` lists the shops for people; `POST /catalogue/search` finds products of many shops at once, up to
 * 1,000 of them a call, as they are sold to one country. Only shops with the Storefront API are in it. `shops_searched`
 * counts those that it knows and that sell to the country.
 */
export function directoryApp(shops: () => OpenShop[], faults: Faults): Express {
  const app = express();
  app.disable("x-powered-by");

  app.get("/", (_request, response) => {
    const rows = shops().map(
      ({ shop, url }) =>
        html`<li><a href="${url}">${shop.title}</a>: ${shop.slogan}. ${shop.country}, ${shop.currency}. ${shop.kind === "shopify" ? "Storefront API" : "Pages only"}.</li>`,
    );
    const cards = [
      ["4242 4242 4242 4242", "is taken"],
      ["4000 0000 0000 0002", "is declined"],
      ["4000 0027 6000 3184", "asks its owner: the code is 1234"],
    ].map(([number = "", says = ""]) => html`<li><code>${number}</code> ${says}</li>`);
    response.type("html").send(
      html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shops of Satchel's sandbox</title><link rel="icon" href="data:,"></head>
  <body>
    <main>
      <h1>Shops of Satchel's sandbox</h1>
      <p>Real shops with worthless money. Cards, with any date to come and any code:</p>
      <ul>${cards}</ul>
      <h2>Shops</h2>
      <ul>${rows}</ul>
    </main>
  </body>
</html>
`.safeHtml,
    );
  });

  app.post("/catalogue/search", express.json({ limit: "1mb" }), async (request, response) => {
    if (await spoil(faults.take(CATALOGUE, "request", null), response)) return;
    const { success, data, error } = searchBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: "invalid_request", message: z.prettifyError(error) });
    if (data.shops.length > SHOPS_A_CALL) {
      return void response.status(400).json({ error: "too_many_shops", limit: SHOPS_A_CALL });
    }
    const { query, country, limit } = data;
    const wanted = new Set(data.shops.map((host) => host.toLowerCase()));
    const searched = shops().filter(
      ({ shop, url }) =>
        shop.kind === "shopify" && shop.shipsTo.includes(country) && wanted.has(new URL(url).host.toLowerCase()),
    );
    const found = searched.flatMap((open) => productsIn(open, query, country));
    response.json({ products: found.slice(0, limit), total: found.length, shops_searched: searched.length });
  });
  return app;
}

function productsIn({ shop, url }: OpenShop, query: string, country: string) {
  return shop.products
    .filter((product) => matches(product, query))
    .map((product) => {
      const money = (amountMinor: number) => decimalOf(moneyIn(shop, country, amountMinor));
      return {
        shop: new URL(url).host,
        shop_name: shop.title,
        product_id: gid("Product", product.id),
        title: product.title,
        vendor: product.vendor,
        product_url: `${url}/products/${product.handle}`,
        image_url: imageUrl(url, product),
        currency: moneyIn(shop, country, 0).currency,
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
