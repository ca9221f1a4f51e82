import { html } from "../../../mail/html.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "A hosted payment page after a review page: the form of the review posts to the processor's origin.",
  source: "https://developer.worldpay.com/products/hosted-payment-pages",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(html`<h1>Delivery details</h1>${address(view)} ${deliveryRadios(view)} ${button("Review order")}`),
    },
    {
      path: "/checkout/review",
      step: "review",
      content: (view) =>
        form(
          html`<h1>Review order</h1>${totals(view)} <p>You will pay on our secure payment page.</p> ${button("Proceed to secure payment")}`,
          'action="/checkout/worldpay"',
        ),
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout/worldpay", "payment", ({ view, response, pay }) => {
      const { id } = view.processor.createIntent({
        amount: view.money(view.totalMinor),
        returnUrl: `${view.url}/thanks`,
        confirm: pay,
      });
      response.redirect(303, `${view.processor.url}/pay/${id}`);
    }),
  ],
};
