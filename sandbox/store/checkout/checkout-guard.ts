import type { NextFunction, Request, RequestHandler, Response } from "express";
import { html, type SafeHtml } from "../../mail/html.ts";
import type { Store } from "../definition.ts";
import { SLOW_MS } from "../faults.ts";
import { storePage } from "../pages/layout.ts";
import { pricedLines } from "../pricing.ts";
import type { Checkout, CheckoutDeps } from "./checkouts.ts";

/** Middleware for all checkout pages: rejects unknown checkouts and applies faults such as captchas and errors. */
export function checkoutGuard({ checkouts, processor }: CheckoutDeps, store: Store): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    const { id } = request.params as { id?: string };
    const checkout = checkouts.get(id ?? "");
    if (!checkout || checkout.cart.shop !== store.name) {
      const content = html`<h1>This checkout does not exist</h1><p>Nothing was charged. <a href="/">Back to the store</a></p>`;
      return void response
        .status(404)
        .type("html")
        .send(storePage(store, "Not found", content));
    }
    const { faults } = checkout.cart;
    if (faults.includes("hangs")) return;
    if (faults.includes("slow")) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    if (faults.includes("server_error")) return void response.status(503).type("text").send("Service Unavailable");
    const faultPage = faultPageOf(store, checkout, new URL("/captcha", processor.frameUrl()).href);
    if (!faultPage) return next();
    response
      .status(faultPage.status)
      .type("html")
      .send(storePage(store, faultPage.title, faultPage.content));
  };
}

function faultPageOf(
  store: Store,
  { cart }: Checkout,
  captchaUrl: string,
): { status: number; title: string; content: SafeHtml } | null {
  const { faults } = cart;
  if (faults.includes("bot_wall")) {
    const content = html`<h1>Checking your browser</h1><p>Verify you are human by waiting. This browser looks automated and was not let in.</p>`;
    return { status: 403, title: "Just a moment…", content };
  }
  if (faults.includes("captcha")) {
    const content = html`<h1>Are you a person?</h1>
      <p>Complete the check to continue to checkout.</p>
      <div class="g-recaptcha"><iframe title="reCAPTCHA" src="${captchaUrl}" width="304" height="90"></iframe></div>`;
    return { status: 200, title: "Verification", content };
  }
  if (faults.includes("no_guest_checkout")) {
    const content = html`<h1>Sign in to check out</h1>
      <p>You need an account to order.</p>
      <form method="post" action="/account/login">
        <label for="account">Email</label><input id="account" name="customer[email]" type="email" autocomplete="username">
        <label for="password">Password</label><input id="password" name="customer[password]" type="password" autocomplete="current-password">
        <button>Sign in</button>
      </form>`;
    return { status: 200, title: "Sign in", content };
  }
  if (faults.includes("stock_out")) {
    const gone = pricedLines(store, cart).map(({ product }) => html`<li>${product.title}: sold out</li>`);
    const content = html`<h1>Out of stock</h1>
      <p class="error" role="alert">Some items in your basket are no longer available and were removed.</p>
      <ul>${gone}</ul><p><a href="/">Back to the store</a></p>`;
    return { status: 200, title: "Out of stock", content };
  }
  return null;
}
