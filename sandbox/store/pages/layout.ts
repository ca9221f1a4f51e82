import { html, type SafeHtml } from "../../mail/html.ts";
import type { Shop } from "../shop.ts";

/** A page of a shop, in its own colour. */
export function shopPage(shop: Shop, title: string, content: SafeHtml): string {
  const paths = pathsOf(shop);
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} – ${shop.title}</title>
    <link rel="stylesheet" href="/shop.css">
    <link rel="icon" href="data:,">
    <style>:root { --brand: ${shop.colour}; }</style>
  </head>
  <body>
    <header class="shop">
      <a class="name" href="/">${shop.title}</a>
      <nav aria-label="Shop"><a href="${paths.all}">Everything</a> <a href="${paths.basket}">Basket</a> <a href="${paths.delivery}">Delivery</a></nav>
    </header>
    <main>
    ${content}
    </main>
    <footer>${shop.title} is a shop of Satchel's sandbox: no real money, no real goods.</footer>
  </body>
</html>
`.safeHtml;
}

/** Where a shop keeps things: those with the Storefront API as Shopify does, the others as they like. */
export function pathsOf({ kind }: Shop) {
  return kind === "shopify"
    ? {
        all: "/collections/all",
        product: "/products/",
        basket: "/cart",
        add: "/cart/add",
        delivery: "/policies/shipping-policy",
      }
    : { all: "/catalogue", product: "/item/", basket: "/basket", add: "/basket/put", delivery: "/delivery" };
}
