import { html, type SafeHtml } from "../../mail/html.ts";
import type { Store } from "../definition.ts";

/** Renders a store page in the store's colour. */
export function storePage(store: Store, title: string, content: SafeHtml): string {
  const paths = pathsOf(store);
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} – ${store.title}</title>
    <link rel="stylesheet" href="/store.css">
    <link rel="icon" href="data:,">
    <style>:root { --brand: ${store.colour}; }</style>
  </head>
  <body>
    <header class="shop">
      <a class="name" href="/">${store.title}</a>
      <nav aria-label="Store"><a href="${paths.all}">Everything</a> <a href="${paths.cart}">Basket</a> <a href="${paths.delivery}">Delivery</a></nav>
    </header>
    <main>
    ${content}
    </main>
    <footer>${store.title} is a sandbox store of Satchel: no real money, no real goods.</footer>
  </body>
</html>
`.safeHtml;
}

/** Paths of a store's pages. Stores with the Storefront API use Shopify's paths. */
export function pathsOf({ kind }: Store) {
  return kind === "shopify"
    ? {
        all: "/collections/all",
        product: "/products/",
        cart: "/cart",
        add: "/cart/add",
        delivery: "/policies/shipping-policy",
      }
    : { all: "/catalogue", product: "/item/", cart: "/basket", add: "/basket/put", delivery: "/delivery" };
}
