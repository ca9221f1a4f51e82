import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryCards } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { payButton, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Medusa's storefront: steps by query parameter without page loads, delivery cards with role radio, review last.",
  source: "https://github.com/medusajs/nextjs-starter-medusa/tree/main/src/modules/checkout",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`<div id="address" class="step"><h2>Shipping Address</h2>${address(view, { names: { address1: "shipping_address.address_1", postcode: "shipping_address.postal_code", city: "shipping_address.city" } })}<button type="button" data-to="delivery">Continue to delivery</button></div>
        <div id="delivery" class="step" hidden><h2>Delivery</h2>${deliveryCards(view)}<button type="button" data-to="payment">Continue to payment</button></div>
        <div id="payment" class="step" hidden><h2>Payment</h2><div role="radiogroup"><div role="radio" aria-checked="true" tabindex="0">Credit card</div><div role="radio" aria-checked="false" tabindex="0">Manual payment</div></div>${oneFrame(view)}<button type="button" data-to="review">Continue to review</button></div>
        <div id="review" class="step" hidden><h2>Review</h2><p>By clicking the Place Order button, you confirm that you have read, understand and accept our Terms of Use.</p>
        ${payButton(
          "Place order",
          `const payment_token = await gallery.askFrame("tokenise");
           const { ok, json } = await gallery.send("/store/carts/" + gallery.settings.orderId + "/complete", { ...gallery.fieldsOf(), payment_token });
           if (!ok) throw new Error(json.message);
           location.href = "/thanks";`,
        )}</div>${totals(view)}
        ${script(`document.querySelectorAll("[data-to]").forEach((next) => next.addEventListener("click", () => {
          const step = next.closest(".step");
          if (![...step.querySelectorAll("input, select")].every((control) => control.reportValidity())) return;
          if (step.id === "delivery" && !document.querySelector("[name=delivery]").value) return;
          step.querySelectorAll("button").forEach((one) => { one.hidden = true; });
          const following = document.getElementById(next.dataset.to);
          following.hidden = false;
          history.pushState(null, "", "?step=" + next.dataset.to);
        }));`)}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/store/carts/:id/complete", "payment", ({ view, body, response, pay }) => {
      const paid = pay(tokenCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ type: "order" });
    }),
  ],
};
