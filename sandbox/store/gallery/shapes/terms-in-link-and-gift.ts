import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Required terms whose label holds a link, a gift option, a coupon form before the pay button, and notes.",
  source: "https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/label",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (
        view,
      ) => html`<details><summary>Have a coupon?</summary><form method="get" action="/checkout"><label>Coupon code <input name="coupon"></label><button>Apply coupon</button></form></details>
        ${form(html`${section("Delivery address", address(view), deliveryRadios(view))} ${checkbox("gift", `This is a gift (gift wrap ${view.money(350)})`)} <p><label>Delivery instructions <textarea name="instructions"></textarea></label></p> ${section("Payment", cardFields())} ${totals(view)}
        <p><label><input type="checkbox" name="terms" value="yes" required> I accept the <a href="/terms">terms and conditions</a> *</label></p> ${button("Place order and pay")}`)}`,
    },
  ],
};
