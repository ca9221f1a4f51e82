import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Request, type RequestHandler, type Response, Router } from "express";
import type { Store } from "../definition.ts";
import { needsDelivery } from "../delivery.ts";
import { cartCookieName } from "./cart.ts";
import { checkoutGuard } from "./checkout-guard.ts";
import { type Checkout, type CheckoutDeps, checkoutPath } from "./checkouts.ts";
import { contactErrors, type Form, withForm } from "./fields.ts";
import { deliveryChoice, summary } from "./forms.ts";
import { confirmPage, informationPage, paymentPage, shippingPage, singlePage, thankYouPage } from "./pages.ts";
import { pay, payAfterBank } from "./pay.ts";
import { totalsOf } from "./totals.ts";

const SCRIPT = readFileSync(join(import.meta.dirname, "checkout.js"), "utf8");

/** Returns the router of all checkout pages, including the order confirmation. `url` returns the store's origin. */
export function checkoutRoutes(deps: CheckoutDeps, store: Store, url: () => string): Router {
  const { checkouts, ledger, processor } = deps;
  const router = Router();
  const base = checkoutPath(store, { id: ":id" });
  const isSingle = store.checkout.pages === "single";
  const form = express.urlencoded({ extended: false, limit: "64kb" });
  router.get("/checkout.js", (_request, response) => void response.type("js").send(SCRIPT));
  router.use(base, checkoutGuard(deps, store));

  const withCheckout = (
    handle: (checkout: Checkout, request: Request, response: Response) => unknown,
  ): RequestHandler => {
    return (request, response) => {
      const checkout = checkouts.get(String(request.params["id"]));
      response.set("cache-control", "no-store");
      if (checkout) handle(checkout, request, response);
    };
  };
  /** Handles requests until an order is placed. Afterwards redirects to the confirmation page. */
  const beforeOrder = (handle: (checkout: Checkout, request: Request, response: Response) => unknown) =>
    withCheckout((checkout, request, response) => {
      const [order] = checkout.orderNumbers;
      if (order === undefined) handle(checkout, request, response);
      else redirectTo(response, checkout, `thank-you?order=${order}`);
    });
  const sendPage = (response: Response, page: string) => void response.type("html").send(page);
  const applyForm = (checkout: Checkout, request: Request): Checkout => {
    const changed = withForm(store, checkout, (request.body ?? {}) as Form);
    checkouts.put(changed);
    return changed;
  };
  const redirectTo = (response: Response, checkout: Checkout, page: string) =>
    response.redirect(303, checkoutPath(store, checkout, page));

  if (isSingle) {
    router.get(
      [base, `${base}/payment`],
      beforeOrder((checkout, request, response) => {
        const errors = request.path.endsWith("/payment") ? contactErrors(store, checkout) : {};
        sendPage(response, singlePage(store, checkout, processor.frameUrl(), errors));
      }),
    );
    router.post(
      `${base}/update`,
      form,
      withCheckout((checkout, request, response) => {
        const changed = applyForm(checkout, request);
        const { total } = totalsOf(store, changed.cart);
        const errors = contactErrors(store, changed);
        const missing = total ? {} : { option: "Choose how you get it" };
        response.json({
          deliveryHtml: deliveryChoice(store, changed).safeHtml,
          summaryHtml: summary(store, changed).safeHtml,
          errors: { ...missing, ...errors },
        });
      }),
    );
  } else {
    router.get(
      base,
      beforeOrder((checkout, _request, response) => redirectTo(response, checkout, "information")),
    );
    router.get(
      `${base}/information`,
      beforeOrder((checkout, _request, response) => sendPage(response, informationPage(store, checkout, {}))),
    );
    router.post(
      `${base}/information`,
      form,
      withCheckout((checkout, request, response) => {
        const changed = applyForm(checkout, request);
        // The fields depend on the delivery method, so the form is shown again after a change.
        if (request.query["again"] !== undefined) return redirectTo(response, changed, "information");
        const errors = contactErrors(store, changed);
        if (Object.keys(errors).length > 0) return sendPage(response, informationPage(store, changed, errors));
        redirectTo(response, changed, needsDelivery(store, changed.cart) ? "shipping" : "payment");
      }),
    );
    router.get(
      `${base}/shipping`,
      beforeOrder((checkout, _request, response) => {
        if (Object.keys(contactErrors(store, checkout)).length > 0)
          return redirectTo(response, checkout, "information");
        sendPage(response, shippingPage(store, checkout));
      }),
    );
    router.post(
      `${base}/shipping`,
      form,
      withCheckout((checkout, request, response) => {
        const changed = applyForm(checkout, request);
        redirectTo(response, changed, totalsOf(store, changed.cart).option ? "payment" : "shipping");
      }),
    );
    router.get(
      `${base}/payment`,
      beforeOrder((checkout, _request, response) => {
        if (!totalsOf(store, checkout.cart).total) return redirectTo(response, checkout, "shipping");
        sendPage(response, paymentPage(store, checkout, processor.frameUrl()));
      }),
    );
  }

  router.post(
    `${base}/pay`,
    form,
    withCheckout((checkout, request, response) => {
      const token = String((request.body as Form | undefined)?.["payment_token"] ?? "");
      if (Object.keys(contactErrors(store, checkout)).length > 0)
        return redirectTo(response, checkout, isSingle ? "payment" : "information");
      pay(deps, store, url(), checkout, token, response);
    }),
  );
  router.get(
    `${base}/confirm`,
    withCheckout((checkout, _request, response) => {
      if (checkout.paymentId === null) return redirectTo(response, checkout, "payment");
      sendPage(response, confirmPage(store, checkout, processor.challengeUrl(checkout.paymentId)));
    }),
  );
  router.get(
    `${base}/return`,
    withCheckout((checkout, _request, response) => payAfterBank(deps, store, checkout, response)),
  );
  router.get(
    `${base}/thank-you`,
    withCheckout((checkout, request, response) => {
      const isRequestedOrder = ({ cartId, orderNumber }: { cartId: string; orderNumber: string }) =>
        cartId === checkout.id && orderNumber === request.query["order"];
      const charge = ledger.charges(store.name).find(isRequestedOrder);
      if (!charge) return redirectTo(response, checkout, "");
      response.clearCookie(cartCookieName(store));
      sendPage(response, thankYouPage(store, checkout, charge));
    }),
  );
  return router;
}
