import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "The checkout begins with “Continue as guest” beside a sign-in form; an account password is optional later.",
  source: "https://baymard.com/blog/make-guest-checkout-prominent",
  market: "US",
  pages: [
    {
      path: "/checkout/start",
      step: "address",
      content: () =>
        html`<h1>Sign in or check out as a guest</h1><form method="post" action="/login"><p><label>Email <input type="email" name="login" autocomplete="username"></label></p><p><label>Password <input type="password" name="password" autocomplete="current-password"></label></p><button>Sign in</button></form><p><a href="/checkout">Continue as guest</a></p>`,
    },
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`${section("Shipping", address(view), deliveryRadios(view))} ${section("Payment", cardFields())} <p><label>Create a password (optional) <input type="password" name="new_password" autocomplete="new-password"></label></p> ${totals(view)} ${button("Submit order")}`,
        ),
    },
  ],
};
