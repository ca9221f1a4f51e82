import { html } from "../../../mail/html.ts";
import { separateFrames, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { expressButtons } from "../markup/deviations.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { subtotals, totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Shopify with three pages: information, shipping, payment, as before 2023 and on request since.",
  source: "https://help.shopify.com/en/manual/checkout-settings/checkout-style",
  market: "CA",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        html`${expressButtons()}${form(html`${section("Contact", address(view, { only: ["email"], names: { email: "checkout[email]" }, labels: { email: "Email or mobile phone number" } }))}
        ${section("Shipping address", address(view, { without: ["email"], labels: { state: "Province", postcode: "Postal code" } }))}
        ${subtotals(view)} ${button("Continue to shipping")}`)}`,
    },
    {
      path: "/checkout/shipping",
      step: "delivery",
      content: (view) =>
        form(html`<p>Ship to ${view.order.fields["address1"] ?? ""} <a href="/checkout">Change</a></p>
        ${section("Shipping method", deliveryRadios(view))} ${totals(view)} ${button("Continue to payment")}`),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      readCard: tokenCard,
      content: (view) =>
        form(html`${section("Payment", separateFrames(view, ["number", "name", "expiry", "code"]))}
        ${section("Billing address", html`<p><label><input type="radio" name="billing" value="same" checked> Same as shipping address</label></p><p><label><input type="radio" name="billing" value="other"> Use a different billing address</label></p>`)}
        ${totals(view)} ${button("Pay now")}`),
    },
  ],
};
