import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { promoBanner } from "../markup/deviations.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Texts with amounts near the word total: free delivery from 100, a struck-out total, instalments.",
  source: "https://docs.klarna.com/on-site-messaging/",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`${promoBanner(`Free express delivery on orders with a total above ${view.money(10_000)}.`)} ${section("Delivery address", address(view), deliveryRadios(view))} ${section("Payment", cardFields())}
        <p>Total before discount: <s>${view.money(view.totalMinor + 1_500)}</s></p>${totals(view)}<p>Total to pay in 3 instalments of ${view.money(Math.round(view.totalMinor / 3))} with Klarna.</p> ${button("Pay now")}`),
    },
  ],
};
