import { html } from "../../../mail/html.ts";
import { oneFrame } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, onPress, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Stripe's Payment Element: the processor's frame confirms the payment itself and returns to the merchant.",
  source: "https://docs.stripe.com/payments/accept-a-payment?platform=web&ui=elements",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`<form id="checkout">${section("Contact and delivery", address(view))} ${section("Delivery", deliveryRadios(view))}
        ${section("Payment", oneFrame(view, ["number", "expiry", "code", "postcode"]))} ${totals(view)} ${button("Pay now")}</form>
        ${onPress(
          "#checkout",
          `const { json } = await gallery.send("/create-payment-intent", gallery.fieldsOf(document.getElementById("checkout")));
           await gallery.askFrame("confirm", { intent: json.clientSecret });
           location.href = "/complete?payment_intent=" + json.clientSecret;`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/create-payment-intent", "payment", ({ view, response, pay }) => {
      const returnUrl = `${view.url}/complete`;
      const intent = view.processor.createIntent({ amount: view.money(view.totalMinor), returnUrl, confirm: pay });
      response.json({ clientSecret: intent.id });
    }),
    endpoint("GET", "/complete", "confirmation", ({ response }) => void response.redirect(303, "/thanks")),
  ],
};
