import type { Response } from "express";
import { html } from "../../mail/html.ts";
import type { Fault } from "../faults.ts";
import type { Attempt } from "../ledger.ts";
import { shownOf } from "../money.ts";
import { shopPage } from "../pages/layout.ts";
import type { CardBehaviour } from "../processor/cards.ts";
import type { Shop } from "../shop.ts";
import { type Checkout, type CheckoutDeps, checkoutPath } from "./checkouts.ts";
import { totalsOf } from "./totals.ts";

/** A payment was sent. The shop does not ask whether it has had one already: whoever sends two pays two. */
export function pay(
  deps: CheckoutDeps,
  shop: Shop,
  shopUrl: string,
  checkout: Checkout,
  token: string,
  response: Response,
) {
  const { checkouts, ledger, processor } = deps;
  const sent = { ...checkout, attempts: checkout.attempts + 1, notice: null };
  checkouts.put(sent);
  const { faults } = sent.cart;
  const note = (outcome: Attempt["outcome"]) => ledger.note({ shop: shop.name, cartId: sent.id, outcome });
  const refuse = (outcome: Attempt["outcome"], notice: string) => {
    note(outcome);
    checkouts.put({ ...sent, notice });
    response.redirect(303, checkoutPath(shop, sent, "payment"));
  };

  const { total } = totalsOf(shop, sent.cart);
  if (!total) return refuse("refused", "Say first where this goes. Nothing was charged.");
  if (faults.includes("crash_before_charge")) {
    note("dropped");
    return void response.socket?.destroy();
  }
  if (faults.includes("hang_before_charge")) return note("hung");
  const payment = {
    shopUrl,
    shopTitle: shop.title,
    amount: shownOf(total),
    isSilent: faults.includes("three_ds_abandon"),
  };
  const authorization = processor.authorize(token, payment, forcedBy(faults));
  if (authorization.outcome === "unknown-token")
    return refuse("refused", "Enter your card again. Nothing was charged.");
  if (authorization.outcome === "declined") return refuse("declined", "Your card was declined. Nothing was charged.");
  if (authorization.outcome === "asks-owner") {
    note("asked-owner");
    checkouts.put({ ...sent, paymentId: authorization.paymentId });
    return response.redirect(303, checkoutPath(shop, sent, "confirm"));
  }
  note("charged");
  charge(deps, shop, sent, authorization.last4, response);
}

/** The buyer is back from the bank. */
export function payAfterBank(deps: CheckoutDeps, shop: Shop, checkout: Checkout, response: Response) {
  const question = checkout.paymentId === null ? undefined : deps.processor.question(checkout.paymentId);
  if (question?.state === "open") return response.redirect(303, checkoutPath(shop, checkout, "confirm"));
  // The bank was asked once: what it said is used once.
  const answered = { ...checkout, paymentId: null };
  if (question?.state !== "confirmed") {
    const notice = question ? "Your bank did not confirm the payment. Nothing was charged." : null;
    deps.checkouts.put({ ...answered, notice });
    const [paid] = checkout.orderNumbers;
    return response.redirect(
      303,
      checkoutPath(shop, checkout, paid && !question ? `thank-you?order=${paid}` : "payment"),
    );
  }
  deps.ledger.note({ shop: shop.name, cartId: checkout.id, outcome: "charged" });
  charge(deps, shop, answered, question.last4, response);
}

function charge(
  { checkouts, ledger }: CheckoutDeps,
  shop: Shop,
  checkout: Checkout,
  cardLast4: string,
  response: Response,
) {
  const { faults } = checkout.cart;
  const { total } = totalsOf(shop, checkout.cart);
  if (!total) throw new Error("A checkout without a total was paid");
  const amountMinor = faults.includes("overcharge") ? Math.ceil(total.amountMinor * 1.1) : total.amountMinor;
  const { orderNumber } = ledger.charge({
    shop: shop.name,
    amountMinor,
    currency: total.currency,
    cardLast4,
    cartId: checkout.id,
    attempts: checkout.attempts,
  });
  checkouts.put({ ...checkout, orderNumbers: [...checkout.orderNumbers, orderNumber] });

  if (faults.includes("crash_after_charge")) return void response.socket?.destroy();
  if (faults.includes("hang_after_charge")) return;
  if (faults.includes("lost_confirmation")) {
    const content = html`<h1>Something went wrong</h1><p>We are looking into it.</p>`;
    return void response
      .status(500)
      .type("html")
      .send(shopPage(shop, "Error", content));
  }
  response.redirect(303, checkoutPath(shop, checkout, `thank-you?order=${orderNumber}`));
}

function forcedBy(faults: Fault[]): CardBehaviour | undefined {
  if (faults.includes("decline")) return "declined";
  return faults.includes("three_ds") || faults.includes("three_ds_abandon") ? "asks-owner" : undefined;
}
