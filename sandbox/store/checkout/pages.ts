import { html, type SafeHtml } from "../../mail/html.ts";
import type { Charge } from "../ledger.ts";
import { shownOf } from "../money.ts";
import { shopPage } from "../pages/layout.ts";
import type { Shop } from "../shop.ts";
import { type Checkout, checkoutPath } from "./checkouts.ts";
import type { contactErrors } from "./fields.ts";
import { cardFields, contactFields, deliveryChoice, summary } from "./forms.ts";

type Errors = ReturnType<typeof contactErrors>;

/** Everything on one page; its script asks anew what delivery costs whenever the address changes. */
export function singlePage(shop: Shop, checkout: Checkout, frameUrl: string, errors: Errors): string {
  const path = checkoutPath(shop, checkout);
  return shopPage(
    shop,
    "Checkout",
    html`<h1>Checkout</h1>
    ${notice(checkout)}
    <div id="problems" role="alert"></div>
    <form id="checkout" method="post" action="${path}/pay" data-update="${path}/update"${sending(checkout, "fetch")} novalidate>
      ${contactFields(shop, checkout, errors)}
      <div id="delivery">${deliveryChoice(shop, checkout)}</div>
      ${cardFields(shop, checkout, frameUrl)}
      <div id="summary">${summary(shop, checkout)}</div>
      <input type="hidden" name="payment_token">
      <button id="pay">Pay now</button>
    </form>
    <script src="/checkout.js"></script>`,
  );
}

/** First of three: who and where. */
export function informationPage(shop: Shop, checkout: Checkout, errors: Errors): string {
  return shopPage(
    shop,
    "Information",
    html`${steps("Information")}
    ${notice(checkout)}
    <form id="information" method="post" action="${checkoutPath(shop, checkout, "information")}" novalidate>
      ${contactFields(shop, checkout, errors)}
      <button>Continue to delivery</button>
    </form>
    ${summary(shop, checkout)}
    <script src="/checkout.js"></script>`,
  );
}

/** Second of three: how. */
export function shippingPage(shop: Shop, checkout: Checkout): string {
  return shopPage(
    shop,
    "Delivery",
    html`${steps("Delivery")}
    ${notice(checkout)}
    <form method="post" action="${checkoutPath(shop, checkout, "shipping")}">
      ${deliveryChoice(shop, checkout)}
      <button>Continue to payment</button>
    </form>
    <p><a href="${checkoutPath(shop, checkout, "information")}">Change the address</a></p>
    ${summary(shop, checkout)}`,
  );
}

/** Third of three: the card. */
export function paymentPage(shop: Shop, checkout: Checkout, frameUrl: string): string {
  return shopPage(
    shop,
    "Payment",
    html`${steps("Payment")}
    ${notice(checkout)}
    <div id="problems" role="alert"></div>
    <form id="checkout" method="post" action="${checkoutPath(shop, checkout, "pay")}"${sending(checkout, "form")}>
      ${cardFields(shop, checkout, frameUrl)}
      ${summary(shop, checkout)}
      <input type="hidden" name="payment_token">
      <button id="pay">Pay now</button>
    </form>
    <script src="/checkout.js"></script>`,
  );
}

/** The bank asks, in a frame of a third origin. */
export function confirmPage(shop: Shop, checkout: Checkout, questionUrl: string): string {
  return shopPage(
    shop,
    "Confirm your payment",
    html`<h1>Your bank asks you to confirm</h1>
    <dialog open class="bank" aria-label="Your bank" data-bank="${new URL(questionUrl).origin}" data-return="${checkoutPath(shop, checkout, "return")}">
      <iframe title="3-D Secure: confirmation by your bank" src="${questionUrl}"></iframe>
    </dialog>
    <script src="/checkout.js"></script>`,
  );
}

/** The order stands. */
export function thankYouPage(shop: Shop, { cart }: Checkout, charge: Charge): string {
  const name = cart.address?.firstName ? `, ${cart.address.firstName}` : "";
  if (cart.faults.includes("no_order_number")) {
    return shopPage(
      shop,
      "Thank you",
      html`<h1>Thank you${name}</h1><p>We are looking at your order and will write to you.</p>`,
    );
  }
  return shopPage(
    shop,
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

/** How the page's script sends the payment: as a form, in the background, or in the background three times. */
function sending({ cart }: Checkout, usual: "fetch" | "form"): SafeHtml {
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
