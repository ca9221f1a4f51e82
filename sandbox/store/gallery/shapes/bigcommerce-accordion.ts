import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { onPress, payButton } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

const NEXT = (from: string, to: string, path: string) => `
  const step = document.getElementById("${from}");
  const controls = [...step.querySelectorAll("input, select")];
  if (!controls.every((control) => control.reportValidity())) return;
  const { ok } = await gallery.send("${path}", gallery.fieldsOf(step));
  if (!ok) throw new Error("Please try again.");
  step.classList.add("done"); step.querySelector(".content").hidden = true;
  document.querySelector("#${to} .content").hidden = false;`;

export const shape: Shape = {
  title: "BigCommerce's optimized one-page checkout: customer, shipping and payment open one after the other.",
  source: "https://github.com/bigcommerce/checkout-js/blob/master/packages/core/src/app/checkout/Checkout.tsx",
  cartPath: "/cart.php",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`
        <section id="customer"><h2>Customer</h2><div class="content">${address(view, { only: ["email"] })}
          ${checkbox("newsletter", "Subscribe to our newsletter.", "checked")}<button type="button" id="to-shipping">Continue as guest</button></div></section>
        <section id="shipping"><h2>Shipping</h2><div class="content" hidden>${address(view, { without: ["email"], names: { address1: "addressLine1", address2: "addressLine2", postcode: "postCode" } })}
          ${checkbox("billingSameAsShipping", "My billing address is the same as my shipping address.", "checked")}
          ${deliveryRadios(view, false)}<button type="button" id="to-payment">Continue</button></div></section>
        <section id="payment"><h2>Payment</h2><div class="content" hidden>${cardFields()} ${payButton(
          "Place Order",
          `const { ok, json } = await gallery.send("/api/public/v1/orders/payments", { payment: gallery.fieldsOf(document.getElementById("payment")) });
           if (!ok) throw new Error(json.title);
           location.href = "/thanks";`,
        )}</div></section>
        <aside>${totals(view)}</aside>
        ${onPress("#to-shipping", NEXT("customer", "shipping", "/api/storefront/checkouts/billing-address"))}
        ${onPress("#to-payment", NEXT("shipping", "payment", "/api/storefront/checkouts/consignments"))}`,
    },
  ],
  endpoints: [
    endpoint(
      "POST",
      "/api/storefront/checkouts/billing-address",
      "address",
      ({ response }) => void response.json({ id: "1" }),
    ),
    endpoint(
      "POST",
      "/api/storefront/checkouts/consignments",
      "delivery",
      ({ response }) => void response.json({ id: "1" }),
    ),
    endpoint("POST", "/api/public/v1/orders/payments", "payment", ({ view, body, response, pay }) => {
      const paid = pay(typedCard(view, body.payment));
      if ("error" in paid) response.status(400).json({ type: "provider_error", title: paid.error });
      else response.json({ status: "ok" });
    }),
  ],
};
