import type { Response } from "express";
import { html } from "../../mail/html.ts";
import type { Store } from "../definition.ts";
import type { Fault } from "../faults.ts";
import type { Attempt } from "../ledger.ts";
import { shownOf } from "../money.ts";
import { storePage } from "../pages/layout.ts";
import type { CardBehaviour } from "../processor/cards.ts";
import { type Checkout, type CheckoutDeps, checkoutPath } from "./checkouts.ts";
import { totalsOf } from "./totals.ts";

/** Accepts a payment. There is no protection against duplicates: two payments are charged twice. */
export function pay(
  deps: CheckoutDeps,
  store: Store,
  storeUrl: string,
  checkout: Checkout,
  token: string,
  response: Response,
) {
  const { checkouts, ledger, processor } = deps;
  const updated = { ...checkout, attempts: checkout.attempts + 1, notice: null };
  checkouts.put(updated);
  const { faults } = updated.cart;
  const recordAttempt = (outcome: Attempt["outcome"]) =>
    ledger.recordAttempt({ shop: store.name, cartId: updated.id, outcome });
  const reject = (outcome: Attempt["outcome"], notice: string) => {
    recordAttempt(outcome);
    checkouts.put({ ...updated, notice });
    response.redirect(303, checkoutPath(store, updated, "payment"));
  };

  const { total } = totalsOf(store, updated.cart);
  if (!total) return reject("refused", "Select a delivery option first. Nothing was charged.");
  if (faults.includes("crash_before_charge")) {
    recordAttempt("dropped");
    return void response.socket?.destroy();
  }
  if (faults.includes("hang_before_charge")) return recordAttempt("hung");
  const payment = {
    shopUrl: storeUrl,
    storeTitle: store.title,
    amount: shownOf(total),
    isSilent: faults.includes("three_ds_abandon"),
  };
  const authorization = processor.authorize(token, payment, forcedBehaviour(faults));
  if (authorization.outcome === "unknown-token")
    return reject("refused", "Enter your card again. Nothing was charged.");
  if (authorization.outcome === "declined") return reject("declined", "Your card was declined. Nothing was charged.");
  if (authorization.outcome === "asks-owner") {
    recordAttempt("asked-owner");
    checkouts.put({ ...updated, paymentId: authorization.paymentId });
    return response.redirect(303, checkoutPath(store, updated, "confirm"));
  }
  recordAttempt("charged");
  charge(deps, store, updated, authorization.last4, response);
}

/** Completes the payment after the bank's challenge. */
export function payAfterBank(deps: CheckoutDeps, store: Store, checkout: Checkout, response: Response) {
  const challenge = checkout.paymentId === null ? undefined : deps.processor.challenge(checkout.paymentId);
  if (challenge?.state === "open") return response.redirect(303, checkoutPath(store, checkout, "confirm"));
  // The result of a challenge is valid for one payment.
  const cleared = { ...checkout, paymentId: null };
  if (challenge?.state !== "confirmed") {
    const notice = challenge ? "Your bank did not confirm the payment. Nothing was charged." : null;
    deps.checkouts.put({ ...cleared, notice });
    const [paid] = checkout.orderNumbers;
    return response.redirect(
      303,
      checkoutPath(store, checkout, paid && !challenge ? `thank-you?order=${paid}` : "payment"),
    );
  }
  deps.ledger.recordAttempt({ shop: store.name, cartId: checkout.id, outcome: "charged" });
  charge(deps, store, cleared, challenge.last4, response);
}

function charge(
  { checkouts, ledger }: CheckoutDeps,
  store: Store,
  checkout: Checkout,
  cardLast4: string,
  response: Response,
) {
  const { faults } = checkout.cart;
  const { total } = totalsOf(store, checkout.cart);
  if (!total) throw new Error("A checkout without a total was paid");
  const amountMinor = faults.includes("overcharge") ? Math.ceil(total.amountMinor * 1.1) : total.amountMinor;
  const { orderNumber } = ledger.charge({
    shop: store.name,
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
    const content = html`<h1>Something went wrong</h1><p>We are investigating the problem.</p>`;
    return void response
      .status(500)
      .type("html")
      .send(storePage(store, "Error", content));
  }
  response.redirect(303, checkoutPath(store, checkout, `thank-you?order=${orderNumber}`));
}

function forcedBehaviour(faults: Fault[]): CardBehaviour | undefined {
  if (faults.includes("decline")) return "declined";
  return faults.includes("three_ds") || faults.includes("three_ds_abandon") ? "asks-owner" : undefined;
}
