import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Response, Router } from "express";
import { html, type SafeHtml } from "../../mail/html.ts";
import { isAvailable } from "../carts.ts";
import type { Product, Store } from "../definition.ts";
import { fixedOf, shownOf } from "../money.ts";
import { imageUrl, matches } from "../storefront/catalogue.ts";
import { pathsOf, storePage } from "./layout.ts";
import { productJson } from "./product-json.ts";

const STYLE = readFileSync(join(import.meta.dirname, "store.css"), "utf8");

/** Product pages, product lists and delivery terms. Stores with the Storefront API also serve `/products/<handle>.js`. */
export function productRoutes(store: Store, url: () => string): Router {
  const router = Router();
  const paths = pathsOf(store);
  const isShopify = store.kind === "shopify";
  const page = (response: Response, title: string, content: SafeHtml) =>
    void response.type("html").send(storePage(store, title, content));
  const byHandle = (handle: string) => store.products.find((product) => product.handle === handle);
  const missing = (response: Response) => {
    response.status(404);
    page(
      response,
      "Not found",
      html`<h1>There is nothing here</h1><p><a href="${paths.all}">See everything we have</a></p>`,
    );
  };

  if (isShopify) {
    router.use((_request, response, next) => {
      response.set("powered-by", "Shopify");
      next();
    });
  }
  router.get("/store.css", (_request, response) => void response.type("css").send(STYLE));
  router.get("/robots.txt", (_request, response) => {
    response.type("text").send(`User-agent: *\nDisallow: /checkouts/\nSitemap: ${url()}/sitemap.xml\n`);
  });
  router.get("/sitemap.xml", (_request, response) => {
    const locations = store.products.map(({ handle }) => html`<url><loc>${url() + paths.product + handle}</loc></url>`);
    response
      .type("application/xml")
      .send(html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations}</urlset>`.safeHtml);
  });
  router.get("/images/:file", (request, response) => {
    const product = byHandle(request.params.file.replace(/\.svg$/, ""));
    if (!product) return missing(response);
    response.type("svg").send(picture(store, product));
  });

  router.get("/", (_request, response) =>
    page(response, store.slogan, html`<h1>${store.slogan}</h1>${productList(store, store.products)}`),
  );
  router.get(["/collections/all", "/catalogue"], (request, response) => {
    if (request.path !== paths.all) return missing(response);
    page(response, "Everything", html`<h1>Everything</h1>${productList(store, store.products)}`);
  });
  router.get("/search", (request, response) => {
    const query = typeof request.query["q"] === "string" ? request.query["q"] : "";
    const found = store.products.filter((product) => matches(product, query));
    page(response, "Search", html`<h1>${found.length} found for “${query}”</h1>${productList(store, found)}`);
  });
  router.get(paths.delivery, (_request, response) => page(response, "Delivery", deliveryText(store)));
  if (isShopify) {
    router.get("/collections/:type", (request, response) => {
      const found = store.products.filter(({ productType }) => slug(productType) === request.params.type);
      if (found.length === 0) return missing(response);
      const title = found[0]?.productType ?? "";
      page(response, title, html`<h1>${title}</h1>${productList(store, found)}`);
    });
    router.get("/products.json", (_request, response) => {
      response.json({ products: store.products.map((product) => productJson(store, product, url())) });
    });
  }
  router.get(["/products/:handle", "/collections/:type/products/:handle", "/item/:handle"], (request, response) => {
    const isHere = request.path.startsWith("/item/") !== isShopify;
    const { handle = "" } = request.params as { handle?: string };
    const product = byHandle(handle.replace(/\.js$/, ""));
    if (!isHere || !product) return missing(response);
    if (isShopify && handle.endsWith(".js")) return void response.json(productJson(store, product, url()));
    page(response, product.title, productText(store, product, url(), Number(request.query["variant"])));
  });
  return router;
}

const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function productList(store: Store, products: readonly Product[]): SafeHtml {
  const { product: path } = pathsOf(store);
  return html`<ul class="products">${products.map((product) => {
    const amountMinor = Math.min(...product.variants.map(({ priceMinor }) => priceMinor));
    return html`
      <li><a href="${path}${product.handle}"><img src="/images/${product.handle}.svg" alt="" width="320" height="240">${product.title}</a>
        <p class="price">${product.variants.length > 1 ? "from " : ""}${shownOf({ amountMinor, currency: store.currency })}</p></li>`;
  })}</ul>`;
}

/** @param chosen the variant in the URL; NaN without one */
function productText(store: Store, product: Product, url: string, chosen: number): SafeHtml {
  const { add } = pathsOf(store);
  const variants = product.variants.map((variant) => {
    const price = shownOf({ amountMinor: variant.priceMinor, currency: store.currency });
    const name = variant.title === "Default Title" ? price : `${variant.title}, ${price}`;
    const state = isAvailable(variant) ? html`` : html` disabled`;
    const selected = variant.id === chosen ? html` selected` : html``;
    return html`<option value="${variant.id}"${state}${selected}>${name}${isAvailable(variant) ? "" : " (sold out)"}</option>`;
  });
  const isSoldOut = !product.variants.some(isAvailable);
  return html`<article class="product">
      <h1>${product.title}</h1>
      <img src="/images/${product.handle}.svg" alt="" width="320" height="240">
      <p>${product.description}</p>
      <p class="muted">${store.tax.kind === "included" ? "Tax included." : "Tax is added at checkout."}</p>
      <form method="post" action="${add}">
        <label for="id">${product.variants.length > 1 ? (product.variants[0]?.options.map(({ name }) => name).join(" / ") ?? "") : "Price"}</label>
        <select id="id" name="id">${variants}</select>
        <label for="quantity">Quantity</label>
        <input id="quantity" name="quantity" type="number" min="1" max="99" value="1" inputmode="numeric">
        <button${isSoldOut ? html` disabled` : html``}>${isSoldOut ? "Sold out" : "Add to basket"}</button>
      </form>
      <script type="application/ld+json">${{ safeHtml: linkedData(store, product, url) }}</script>
    </article>`;
}

/** schema.org data, as most merchants publish it for search engines. */
function linkedData(store: Store, product: Product, url: string): string {
  const page = url + pathsOf(store).product + product.handle;
  const data = {
    "@context": "https://schema.org/",
    "@type": "Product",
    name: product.title,
    description: product.description,
    image: imageUrl(url, product),
    brand: { "@type": "Brand", name: product.vendor },
    offers: product.variants.map((variant) => ({
      "@type": "Offer",
      ...(variant.title === "Default Title" ? {} : { name: variant.title }),
      sku: variant.sku,
      url: `${page}?variant=${variant.id}`,
      price: fixedOf({ amountMinor: variant.priceMinor, currency: store.currency }),
      priceCurrency: store.currency,
      availability: `https://schema.org/${isAvailable(variant) ? "InStock" : "OutOfStock"}`,
    })),
  };
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function deliveryText(store: Store): SafeHtml {
  const money = (amountMinor: number) => shownOf({ amountMinor, currency: store.currency });
  const rates = store.rates.map(
    ({ title, description, countries, amountMinor, freeFromMinor }) =>
      html`<li>${title} (${countries.join(", ")}): ${money(amountMinor)}${freeFromMinor ? `, free from ${money(freeFromMinor)}` : ""}. ${description}.</li>`,
  );
  const pickups = store.pickups.map(({ name, address }) => html`<li>${name}, ${address}: free</li>`);
  return html`<h1>Delivery</h1>
    ${rates.length > 0 ? html`<h2>Shipping</h2><ul>${rates}</ul>` : html`<p>We do not ship. Please collect your order.</p>`}
    ${pickups.length > 0 ? html`<h2>Pickup</h2><ul>${pickups}</ul>` : ""}
    ${store.minimumMinor ? html`<p>Orders start at ${money(store.minimumMinor)}.</p>` : ""}
    <p>${store.tax.kind === "included" ? "All prices include tax." : "Sales tax is added at checkout."}</p>`;
}

function picture({ colour }: Store, { id, title }: Product): string {
  const rotation = (id * 37) % 90;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240" role="img" aria-label="${title}"><rect width="320" height="240" fill="#f3f1ec"/><rect x="100" y="60" width="120" height="120" rx="16" fill="${colour}" transform="rotate(${rotation} 160 120)"/></svg>`
    .safeHtml;
}
