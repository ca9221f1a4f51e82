import { html, type SafeHtml } from "../../mail/html.ts";
import type { Store } from "../definition.ts";
import type { Charge } from "../ledger.ts";
import { shownOf } from "../money.ts";
import { storePage } from "../pages/layout.ts";
import { type Checkout, checkoutPath } from "./checkouts.ts";
import type { contactErrors } from "./fields.ts";
import { cardFields, contactFields, deliveryChoice, summary } from "./forms.ts";

type Errors = ReturnType<typeof contactErrors>;

/** Single-page checkout. Its script requests new delivery rates when the address changes. */
export function singlePage(store: Store, checkout: Checkout, frameUrl: string, errors: Errors): string {
  const path = checkoutPath(store, checkout);
  return storePage(
    store,
    "Checkout",
    html`<h1>Checkout</h1>
    ${notice(checkout)}
    <div id="problems" role="alert"></div>
    <form id="checkout" method="post" action="${path}/pay" data-update="${path}/update"${sendAttribute(checkout, "fetch")} novalidate>
      ${contactFields(store, checkout, errors)}
      <div id="delivery">${deliveryChoice(store, checkout)}</div>
      ${cardFields(store, checkout, frameUrl)}
      <div id="summary">${summary(store, checkout)}</div>
      <input type="hidden" name="payment_token">
      <button id="pay">Pay now</button>
    </form>
    <script src="/checkout.js"></script>`,
  );
}

/** Step 1 of 3: contact and address. */
export function informationPage(store: Store, checkout: Checkout, errors: Errors): string {
  return storePage(
    store,
    "Information",
    html`${steps("Information")}
    ${notice(checkout)}
    <form id="information" method="post" action="${checkoutPath(store, checkout, "information")}" novalidate>
      ${contactFields(store, checkout, errors)}
      <button>Continue to delivery</button>
    </form>
    ${summary(store, checkout)}
    <script src="/checkout.js"></script>`,
  );
}

/** Step 2 of 3: delivery option. */
export function shippingPage(store: Store, checkout: Checkout): string {
  return storePage(
    store,
    "Delivery",
    html`${steps("Delivery")}
    ${notice(checkout)}
    <form method="post" action="${checkoutPath(store, checkout, "shipping")}">
      ${deliveryChoice(store, checkout)}
      <button>Continue to payment</button>
    </form>
    <p><a href="${checkoutPath(store, checkout, "information")}">Change the address</a></p>
    ${summary(store, checkout)}`,
  );
}

/** Step 3 of 3: card. */
export function paymentPage(store: Store, checkout: Checkout, frameUrl: string): string {
  return storePage(
    store,
    "Payment",
    html`${steps("Payment")}
    ${notice(checkout)}
    <div id="problems" role="alert"></div>
    <form id="checkout" method="post" action="${checkoutPath(store, checkout, "pay")}"${sendAttribute(checkout, "form")}>
      ${cardFields(store, checkout, frameUrl)}
      ${summary(store, checkout)}
      <input type="hidden" name="payment_token">
      <button id="pay">Pay now</button>
    </form>
    <script src="/checkout.js"></script>`,
  );
}

/** Shows the bank's 3-D Secure challenge in a third-party frame. */
export function confirmPage(store: Store, checkout: Checkout, challengeUrl: string): string {
  return storePage(
    store,
    "Confirm your payment",
    html`<h1>Your bank requires confirmation</h1>
    <dialog open class="bank" aria-label="Your bank" data-bank="${new URL(challengeUrl).origin}" data-return="${checkoutPath(store, checkout, "return")}">
      <iframe title="3-D Secure: confirmation by your bank" src="${challengeUrl}"></iframe>
    </dialog>
    <script src="/checkout.js"></script>`,
  );
}

/** Confirmation page of the order. */
export function thankYouPage(store: Store, { cart }: Checkout, charge: Charge): string {
  const name = cart.address?.firstName ? `, ${cart.address.firstName}` : "";
  if (cart.faults.includes("no_order_number")) {
    return storePage(
      store,
      "Thank you",
      html`<h1>Thank you${name}</h1><p>We are looking at your order and will write to you.</p>`,
    );
  }
  return storePage(
    store,
    `Order ${charge.orderNumber}`,
    html`<p>Order <strong>#${charge.orderNumber}</strong></p>
    <h1>Thank you${name}</h1>
    <p>Your order is confirmed. We have sent a receipt to ${cart.email ?? ""}.</p>
    <table>
      <tbody>
        <tr class="total"><td>Total</td><td class="money">${shownOf(charge)}</td></tr>
        <tr><td>Paid with</td><td>Card ending in ${charge.cardLast4}</td></tr>
      </tbody>
    </table>
    <p><a href="/">Continue shopping</a></p>`,
  );
}

/** How the page's script sends the payment: as a form, with `fetch`, or with three concurrent `fetch` calls. */
function sendAttribute({ cart }: Checkout, usual: "fetch" | "form"): SafeHtml {
  return html` data-send="${cart.faults.includes("double_submit") ? "thrice" : usual}"`;
}

function steps(current: string): SafeHtml {
  const names = ["Information", "Delivery", "Payment"];
  return html`<p class="muted">${names.map((name, index) => html`${index > 0 ? " › " : ""}${name === current ? html`<strong aria-current="step">${name}</strong>` : name}`)}</p>
    <h1>${current}</h1>`;
}

function notice(checkout: Checkout): SafeHtml {
  return checkout.notice ? html`<p class="error" role="alert">${checkout.notice}</p>` : html``;
}
