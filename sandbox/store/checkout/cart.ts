import express, { type Request, type Response, Router } from "express";
import { html, type SafeHtml } from "../../mail/html.ts";
import { type Cart, findCart, findVariant, isAvailable, newCart } from "../carts.ts";
import type { Store } from "../definition.ts";
import { shownOf } from "../money.ts";
import { pathsOf, storePage } from "../pages/layout.ts";
import { moneyIn, pricedLines, subtotalOf } from "../pricing.ts";
import { beginCheckout, type CheckoutDeps, checkoutPath } from "./checkouts.ts";

const MAX_QUANTITY = 99;

/**
 * The browser's cart and the start of the checkout. Stores with the Storefront API also accept cart permalinks,
 * `/cart/<variant>:<quantity>,…`, and the `checkoutUrl` of a cart.
 */
export function cartRoutes(deps: CheckoutDeps, store: Store): Router {
  const { carts } = deps;
  const router = Router();
  const paths = pathsOf(store);
  const cookieName = cartCookieName(store);
  const form = express.urlencoded({ extended: false, limit: "16kb" });

  function cartOf(request: Request): Cart | undefined {
    const found = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)\\.(\\w+)`).exec(request.get("cookie") ?? "");
    return found ? findCart(carts, store, found[1] ?? "", found[2]) : undefined;
  }
  function saveCart(response: Response, cart: Cart): void {
    carts.put(cart);
    response.cookie(cookieName, `${cart.id}.${cart.key}`, { httpOnly: true, sameSite: "lax" });
  }
  const parseLine = (id: unknown, quantity: unknown) => {
    const found = findVariant(store, Number(id));
    const count = Math.min(Math.trunc(Number(quantity ?? 1)), MAX_QUANTITY);
    return found && isAvailable(found.variant) && count >= 1
      ? { variantId: found.variant.id, quantity: count }
      : undefined;
  };

  router.get(paths.cart, (request, response) => {
    response.set("cache-control", "no-store");
    response.type("html").send(storePage(store, "Basket", cartContent(store, cartOf(request))));
  });
  router.post(paths.add, form, (request, response) => {
    const line = parseLine(request.body?.id, request.body?.quantity);
    if (!line)
      return void response
        .status(422)
        .type("html")
        .send(storePage(store, "Sold out", SOLD_OUT));
    const current = cartOf(request);
    const present = current?.lines.find(({ variantId }) => variantId === line.variantId);
    const others = (current?.lines ?? []).filter((one) => one !== present);
    // A started checkout has its own copy of the cart, so a change creates a new cart.
    saveCart(response, newCart(store, [...others, { ...line, quantity: line.quantity + (present?.quantity ?? 0) }]));
    response.redirect(303, paths.cart);
  });
  router.post(`${paths.cart}/checkout`, (request, response) => {
    const current = cartOf(request);
    if (!current || pricedLines(store, current).length === 0 || isBelowMinimum(store, current)) {
      return response.redirect(303, paths.cart);
    }
    response.redirect(303, checkoutPath(store, beginCheckout(deps, store, current)));
  });

  if (store.kind === "shopify") {
    router.get("/cart/c/:id", (request, response) => {
      const cart = findCart(carts, store, request.params.id, request.query["key"]);
      if (!cart || cart.lines.length === 0) return response.redirect(303, paths.cart);
      response.redirect(303, checkoutPath(store, beginCheckout(deps, store, cart)));
    });
    router.get("/cart/:permalink", (request, response, next) => {
      const { permalink } = request.params;
      if (!/^\d+:\d+(,\d+:\d+)*$/.test(permalink)) return next();
      const lines = permalink.split(",").map((part) => parseLine(...(part.split(":") as [string, string])));
      if (lines.some((line) => line === undefined)) {
        return void response
          .status(404)
          .type("html")
          .send(storePage(store, "Sold out", SOLD_OUT));
      }
      saveCart(
        response,
        newCart(
          store,
          lines.filter((line) => line !== undefined),
        ),
      );
      response.redirect(303, paths.cart);
    });
  }
  return router;
}

/** Returns a cookie name with the store's name, because cookies ignore ports and all stores share a host. */
export function cartCookieName({ name }: Store): string {
  return `basket_${name}`;
}

const SOLD_OUT = html`<h1>Sold out</h1><p>This item is not available.</p>`;

function isBelowMinimum(store: Store, cart: Cart): boolean {
  return subtotalOf(store, cart).amountMinor < moneyIn(store, cart.countryCode, store.minimumMinor ?? 0).amountMinor;
}

function cartContent(store: Store, cart: Cart | undefined): SafeHtml {
  const { all, cart: cartPath } = pathsOf(store);
  if (!cart || cart.lines.length === 0)
    return html`<h1>Your basket is empty</h1><p><a href="${all}">See everything we have</a></p>`;
  const rows = pricedLines(store, cart).map(
    ({ product, variant, quantity, total }) => html`
        <tr><td>${product.title}${variant.title === "Default Title" ? "" : `, ${variant.title}`}</td><td>${quantity}</td><td class="money">${shownOf(total)}</td></tr>`,
  );
  const minimum = moneyIn(store, cart.countryCode, store.minimumMinor ?? 0);
  return html`<h1>Basket</h1>
    <table>
      <thead><tr><th scope="col">Item</th><th scope="col">Quantity</th><th scope="col" class="money">Price</th></tr></thead>
      <tbody>${rows}
        <tr class="total"><td>Subtotal</td><td></td><td class="money">${shownOf(subtotalOf(store, cart))}</td></tr>
      </tbody>
    </table>
    <p class="muted">${store.tax.kind === "included" ? "Tax included. Delivery is added at checkout." : "Tax and delivery are added at checkout."}</p>
    ${
      isBelowMinimum(store, cart)
        ? html`<p class="error" role="alert">Orders start at ${shownOf(minimum)}.</p>`
        : html`<form method="post" action="${cartPath}/checkout"><button>Check out</button></form>`
    }`;
}
