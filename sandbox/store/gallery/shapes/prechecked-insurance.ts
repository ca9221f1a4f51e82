import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Order protection is ticked in advance and raises the total; it can be unticked.",
  source: "https://help.route.com",
  isHeldBack: true,
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: (view, body) => {
        // An unticked checkbox is absent from the body.
        if (body["insurance"] === undefined) view.order.extrasMinor = 0;
        return typedCard(view, body);
      },
      content: (view) =>
        form(html`${section("Shipping", address(view), deliveryRadios(view))} ${checkbox("insurance", `Route package protection, ${view.money(999)}`, "checked")} ${section("Payment", cardFields())}
        <table><tr><td>Subtotal</td><td>${view.money(view.subtotalMinor)}</td></tr><tr><td>Shipping</td><td>${view.money(view.deliveryMinor)}</td></tr><tr id="protection"><td>Protection</td><td>${view.money(999)}</td></tr><tr><th>Total</th><th id="sum">${view.money(view.totalMinor - view.order.extrasMinor + 999)}</th></tr></table> ${button("Pay now")}
        ${script(`const sums = ${JSON.stringify([view.money(view.totalMinor - view.order.extrasMinor), view.money(view.totalMinor - view.order.extrasMinor + 999)])};
          document.querySelector("[name=insurance]").addEventListener("change", ({ target }) => { document.getElementById("sum").textContent = sums[target.checked ? 1 : 0]; document.getElementById("protection").hidden = !target.checked; });`)}`),
    },
  ],
};
