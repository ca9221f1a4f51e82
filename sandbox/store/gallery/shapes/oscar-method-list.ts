import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, payButton } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Django Oscar with several delivery methods: a form for each, whose button selects it and continues.",
  source:
    "https://github.com/django-oscar/django-oscar/blob/master/src/oscar/templates/oscar/checkout/shipping_methods.html",
  pages: [
    {
      path: "/checkout/shipping-address",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Where should we ship to?</h1>${address(view, { names: { address1: "line1", city: "line4" } })} ${button("Continue")}`,
        ),
    },
    {
      path: "/checkout/shipping-method",
      step: "delivery",
      content: (view) => html`<h1>Shipping method</h1><p>Please select a shipping method from the list below:</p>
        <table><thead><tr><th>Shipping method</th><th>Cost</th><th></th></tr></thead><tbody>${[...deliveryOptions(view)]
          .reverse()
          .map(
            ({ code, title, price }) => html`<tr><td>${title}</td><td>${price}</td>
            <td><form method="post"><input type="hidden" name="delivery" value="${code}"><button type="submit">Select</button></form></td></tr>`,
          )}</tbody></table>`,
    },
    {
      path: "/checkout/payment-details",
      step: "payment",
      content: (view) => html`<h1>Payment</h1>${oneFrame(view)} ${totals(view)}
        ${payButton(
          "Place order",
          `const payment_token = await gallery.askFrame("tokenise");
           const { ok, json } = await gallery.send("/checkout/submit", { payment_token });
           if (!ok) throw new Error(json.message);
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout/submit", "payment", ({ view, body, response, pay }) => {
      const paid = pay(tokenCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ number: paid.orderNumber });
    }),
  ],
};
