import express, { type Request, type Response, Router } from "express";
import { html, type SafeHtml } from "../../mail/html.ts";
import { type Cart, findCart, findVariant, isAvailable, newCart } from "../carts.ts";
import { shownOf } from "../money.ts";
import { pathsOf, shopPage } from "../pages/layout.ts";
import { moneyIn, pricedLines, subtotalOf } from "../pricing.ts";
import type { Shop } from "../shop.ts";
import { beginCheckout, type CheckoutDeps, checkoutPath } from "./checkouts.ts";

const MOST_OF_ONE = 99;

/**
 * The basket of a browser, and the way from it to the till. Shops with the Storefront API also take
 * `/cart/<variant>:<quantity>,…` and the `checkoutUrl` of a cart.
 */
export function basketRoutes(deps: CheckoutDeps, shop: Shop): Router {
  const { carts } = deps;
  const router = Router();
  const paths = pathsOf(shop);
  const cookieName = basketCookie(shop);
  const form = express.urlencoded({ extended: false, limit: "16kb" });

  function basketOf(request: Request): Cart | undefined {
    const found = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)\\.(\\w+)`).exec(request.get("cookie") ?? "");
    return found ? findCart(carts, shop, found[1] ?? "", found[2]) : undefined;
  }
  function keep(response: Response, cart: Cart): void {
    carts.put(cart);
    response.cookie(cookieName, `${cart.id}.${cart.key}`, { httpOnly: true, sameSite: "lax" });
  }
  const wanted = (id: unknown, quantity: unknown) => {
    const found = findVariant(shop, Number(id));
    const count = Math.min(Math.trunc(Number(quantity ?? 1)), MOST_OF_ONE);
    return found && isAvailable(found.variant) && count >= 1
      ? { variantId: found.variant.id, quantity: count }
      : undefined;
  };

  router.get(paths.basket, (request, response) => {
    response.set("cache-control", "no-store");
    response.type("html").send(shopPage(shop, "Basket", basketText(shop, basketOf(request))));
  });
  router.post(paths.add, form, (request, response) => {
    const line = wanted(request.body?.id, request.body?.quantity);
    if (!line)
      return void response
        .status(422)
        .type("html")
        .send(shopPage(shop, "Sold out", SOLD_OUT));
    const basket = basketOf(request);
    const present = basket?.lines.find(({ variantId }) => variantId === line.variantId);
    const others = (basket?.lines ?? []).filter((one) => one !== present);
    // A checkout that began keeps its own copy: whoever adds something begins anew.
    keep(response, newCart(shop, [...others, { ...line, quantity: line.quantity + (present?.quantity ?? 0) }]));
    response.redirect(303, paths.basket);
  });
  router.post(`${paths.basket}/checkout`, (request, response) => {
    const basket = basketOf(request);
    if (!basket || pricedLines(shop, basket).length === 0 || isBelowMinimum(shop, basket)) {
      return response.redirect(303, paths.basket);
    }
    response.redirect(303, checkoutPath(shop, beginCheckout(deps, shop, basket)));
  });

  if (shop.kind === "shopify") {
    router.get("/cart/c/:id", (request, response) => {
      const cart = findCart(carts, shop, request.params.id, request.query["key"]);
      if (!cart || cart.lines.length === 0) return response.redirect(303, paths.basket);
      response.redirect(303, checkoutPath(shop, beginCheckout(deps, shop, cart)));
    });
    router.get("/cart/:permalink", (request, response, next) => {
      const { permalink } = request.params;
      if (!/^\d+:\d+(,\d+:\d+)*$/.test(permalink)) return next();
      const lines = permalink.split(",").map((part) => wanted(...(part.split(":") as [string, string])));
      if (lines.some((line) => line === undefined)) {
        return void response
          .status(404)
          .type("html")
          .send(shopPage(shop, "Sold out", SOLD_OUT));
      }
      keep(
        response,
        newCart(
          shop,
          lines.filter((line) => line !== undefined),
        ),
      );
      response.redirect(303, paths.basket);
    });
  }
  return router;
}

/** Cookies do not tell ports apart, and the shops share a host. */
export function basketCookie({ name }: Shop): string {
  return `basket_${name}`;
}

const SOLD_OUT = html`<h1>Sold out</h1><p>What you want is not to be had.</p>`;

function isBelowMinimum(shop: Shop, cart: Cart): boolean {
  return subtotalOf(shop, cart).amountMinor < moneyIn(shop, cart.countryCode, shop.minimumMinor ?? 0).amountMinor;
}

function basketText(shop: Shop, cart: Cart | undefined): SafeHtml {
  const { all, basket } = pathsOf(shop);
  if (!cart || cart.lines.length === 0)
    return html`<h1>Your basket is empty</h1><p><a href="${all}">See everything we have</a></p>`;
  const rows = pricedLines(shop, cart).map(
    ({ product, variant, quantity, total }) => html`
        <tr><td>${product.title}${variant.title === "Default Title" ? "" : `, ${variant.title}`}</td><td>${quantity}</td><td class="money">${shownOf(total)}</td></tr>`,
  );
  const minimum = moneyIn(shop, cart.countryCode, shop.minimumMinor ?? 0);
  return html`<h1>Basket</h1>
    <table>
      <thead><tr><th scope="col">Item</th><th scope="col">Quantity</th><th scope="col" class="money">Price</th></tr></thead>
      <tbody>${rows}
        <tr class="total"><td>Subtotal</td><td></td><td class="money">${shownOf(subtotalOf(shop, cart))}</td></tr>
      </tbody>
    </table>
    <p class="muted">${shop.tax.kind === "included" ? "Tax included. Delivery is added at checkout." : "Tax and delivery are added at checkout."}</p>
    ${
      isBelowMinimum(shop, cart)
        ? html`<p class="error" role="alert">Orders start at ${shownOf(minimum)}.</p>`
        : html`<form method="post" action="${basket}/checkout"><button>Check out</button></form>`
    }`;
}
