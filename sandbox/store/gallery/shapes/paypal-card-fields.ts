import { html } from "../../../mail/html.ts";
import { separateFrames } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { expressButtons } from "../markup/deviations.ts";
import { address } from "../markup/fields.ts";
import { payButton, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "PayPal card fields: create the order, confirm it in the processor's frames, capture it at the merchant.",
  source: "https://developer.paypal.com/expanded/card-fields.md",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`${expressButtons("PayPal", "Pay Later")}<div id="form">${section("Shipping", address(view), deliveryRadios(view))}
        ${section("Card", separateFrames(view, ["name", "number", "expiry", "code"]))} ${totals(view)}
        ${payButton(
          "Pay now with Card",
          `if (![...document.querySelectorAll("#form input, #form select")].every((control) => control.reportValidity())) return;
           const { json: order } = await gallery.send("/api/orders", gallery.fieldsOf());
           await gallery.askFrame("confirm", { intent: order.id });
           const { ok } = await gallery.send("/api/orders/" + order.id + "/capture", {});
           if (!ok) throw new Error("Sorry, your transaction could not be processed.");
           location.href = "/thanks";`,
        )}</div>`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/orders", "payment", ({ view, response, pay }) => {
      // Confirmation approves the order; only the capture charges.
      const confirm: typeof pay = (card) => {
        view.order.card = card;
        return { orderNumber: "approved" };
      };
      const { id } = view.processor.createIntent({
        amount: view.money(view.totalMinor),
        returnUrl: `${view.url}/thanks`,
        confirm,
      });
      response.json({ id });
    }),
    endpoint("POST", "/api/orders/:id/capture", "payment", ({ view, response, pay }) => {
      const paid = pay(view.order.card);
      response.status("error" in paid ? 422 : 201).json(paid);
    }),
  ],
};
