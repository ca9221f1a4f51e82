import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { chatWidget, stickyBar } from "../markup/deviations.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "A sticky bar covers the pay button at the end of the page; a chat frame has an email field of its own.",
  source: "https://www.nngroup.com/articles/sticky-headers/",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`${section("Delivery address", address(view), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}`,
        ),
    },
  ],
  deviations: [() => stickyBar("We use cookies to improve your experience.", "Accept"), chatWidget],
};
