import { html } from "../../../mail/html.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Stripe Checkout: the merchant redirects to a page of the processor, which returns after the payment.",
  source: "https://docs.stripe.com/payments/checkout/how-checkout-works",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) =>
        form(
          html`<h1>Your details</h1>${address(view)} ${deliveryRadios(view)} ${totals(view)} ${button("Continue to payment")}`,
          'action="/create-checkout-session"',
        ),
    },
  ],
  endpoints: [
    endpoint("POST", "/create-checkout-session", "payment", ({ view, response, pay }) => {
      const { id } = view.processor.createIntent({
        amount: view.money(view.totalMinor),
        returnUrl: `${view.url}/thanks`,
        confirm: pay,
      });
      response.redirect(303, `${view.processor.url}/pay/${id}`);
    }),
  ],
};
