import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Request, type RequestHandler, type Response, Router } from "express";
import { needsDelivery } from "../delivery.ts";
import type { Shop } from "../shop.ts";
import { basketCookie } from "./basket.ts";
import { type Checkout, type CheckoutDeps, checkoutPath } from "./checkouts.ts";
import { contactErrors, type Form, withForm } from "./fields.ts";
import { deliveryChoice, summary } from "./forms.ts";
import { confirmPage, informationPage, paymentPage, shippingPage, singlePage, thankYouPage } from "./pages.ts";
import { pay, payAfterBank } from "./pay.ts";
import { totalsOf } from "./totals.ts";
import { walls } from "./walls.ts";

const SCRIPT = readFileSync(join(import.meta.dirname, "checkout.js"), "utf8");

/** The till: every page from a basket to an order. `url` is the shop's origin. */
export function checkoutRoutes(deps: CheckoutDeps, shop: Shop, url: () => string): Router {
  const { checkouts, ledger, processor } = deps;
  const router = Router();
  const base = checkoutPath(shop, { id: ":id" });
  const isSingle = shop.checkout.pages === "single";
  const form = express.urlencoded({ extended: false, limit: "64kb" });
  router.get("/checkout.js", (_request, response) => void response.type("js").send(SCRIPT));
  router.use(base, walls(deps, shop));

  const on = (handle: (checkout: Checkout, request: Request, response: Response) => unknown): RequestHandler => {
    return (request, response) => {
      const checkout = checkouts.get(String(request.params["id"]));
      response.set("cache-control", "no-store");
      if (checkout) handle(checkout, request, response);
    };
  };
  /** A page before the order; whoever has ordered sees that instead. */
  const before = (handle: (checkout: Checkout, request: Request, response: Response) => unknown) =>
    on((checkout, request, response) => {
      const [order] = checkout.orderNumbers;
      if (order === undefined) handle(checkout, request, response);
      else goTo(response, checkout, `thank-you?order=${order}`);
    });
  const show = (response: Response, page: string) => void response.type("html").send(page);
  const filled = (checkout: Checkout, request: Request): Checkout => {
    const changed = withForm(shop, checkout, (request.body ?? {}) as Form);
    checkouts.put(changed);
    return changed;
  };
  const goTo = (response: Response, checkout: Checkout, page: string) =>
    response.redirect(303, checkoutPath(shop, checkout, page));

  if (isSingle) {
    router.get(
      [base, `${base}/payment`],
      before((checkout, request, response) => {
        const errors = request.path.endsWith("/payment") ? contactErrors(shop, checkout) : {};
        show(response, singlePage(shop, checkout, processor.frameUrl(), errors));
      }),
    );
    router.post(
      `${base}/update`,
      form,
      on((checkout, request, response) => {
        const changed = filled(checkout, request);
        const { total } = totalsOf(shop, changed.cart);
        const errors = contactErrors(shop, changed);
        const missing = total ? {} : { option: "Choose how you get it" };
        response.json({
          deliveryHtml: deliveryChoice(shop, changed).safeHtml,
          summaryHtml: summary(shop, changed).safeHtml,
          errors: { ...missing, ...errors },
        });
      }),
    );
  } else {
    router.get(
      base,
      before((checkout, _request, response) => goTo(response, checkout, "information")),
    );
    router.get(
      `${base}/information`,
      before((checkout, _request, response) => show(response, informationPage(shop, checkout, {}))),
    );
    router.post(
      `${base}/information`,
      form,
      on((checkout, request, response) => {
        const changed = filled(checkout, request);
        // The fields depend on how it is to be got: they are shown anew when that changed.
        if (request.query["again"] !== undefined) return goTo(response, changed, "information");
        const errors = contactErrors(shop, changed);
        if (Object.keys(errors).length > 0) return show(response, informationPage(shop, changed, errors));
        goTo(response, changed, needsDelivery(shop, changed.cart) ? "shipping" : "payment");
      }),
    );
    router.get(
      `${base}/shipping`,
      before((checkout, _request, response) => {
        if (Object.keys(contactErrors(shop, checkout)).length > 0) return goTo(response, checkout, "information");
        show(response, shippingPage(shop, checkout));
      }),
    );
    router.post(
      `${base}/shipping`,
      form,
      on((checkout, request, response) => {
        const changed = filled(checkout, request);
        goTo(response, changed, totalsOf(shop, changed.cart).option ? "payment" : "shipping");
      }),
    );
    router.get(
      `${base}/payment`,
      before((checkout, _request, response) => {
        if (!totalsOf(shop, checkout.cart).total) return goTo(response, checkout, "shipping");
        show(response, paymentPage(shop, checkout, processor.frameUrl()));
      }),
    );
  }

  router.post(
    `${base}/pay`,
    form,
    on((checkout, request, response) => {
      const token = String((request.body as Form | undefined)?.["payment_token"] ?? "");
      if (Object.keys(contactErrors(shop, checkout)).length > 0)
        return goTo(response, checkout, isSingle ? "payment" : "information");
      pay(deps, shop, url(), checkout, token, response);
    }),
  );
  router.get(
    `${base}/confirm`,
    on((checkout, _request, response) => {
      if (checkout.paymentId === null) return goTo(response, checkout, "payment");
      show(response, confirmPage(shop, checkout, processor.questionUrl(checkout.paymentId)));
    }),
  );
  router.get(
    `${base}/return`,
    on((checkout, _request, response) => payAfterBank(deps, shop, checkout, response)),
  );
  router.get(
    `${base}/thank-you`,
    on((checkout, request, response) => {
      const isOurs = ({ cartId, orderNumber }: { cartId: string; orderNumber: string }) =>
        cartId === checkout.id && orderNumber === request.query["order"];
      const charge = ledger.charges(shop.name).find(isOurs);
      if (!charge) return goTo(response, checkout, "");
      response.clearCookie(basketCookie(shop));
      show(response, thankYouPage(shop, checkout, charge));
    }),
  );
  return router;
}
