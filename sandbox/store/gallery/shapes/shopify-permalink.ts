import { html } from "../../../mail/html.ts";
import { separateFrames } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, onPress, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { count } from "../order.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Shopify: the cart permalink leads straight to the checkout, whose header links back to the cart; polls by GET.",
  source: "https://shopify.dev/docs/apps/build/checkout/create-cart-permalinks",
  cart: null,
  pages: [
    {
      path: "/checkouts/cn/Z2NwLWV1cm9wZQ",
      step: "payment",
      content: (
        view,
      ) => html`<nav><a href="/cart" aria-label="Cart"><svg width="16" height="16"><rect width="16" height="16"></rect></svg></a></nav>
        <form id="checkout">${section("Contact and delivery", address(view))} ${section("Shipping method", deliveryRadios(view))}
        ${section("Payment", separateFrames(view, ["number", "expiry", "code", "name"]))} ${totals(view)} ${button("Pay now")}</form>
        ${onPress(
          "#checkout",
          `const token = await gallery.askFrame("tokenise");
           const { json } = await gallery.send("/checkouts/unstable/graphql", { operationName: "SubmitForCompletion", variables: { ...gallery.fieldsOf(), payment_token: token } });
           if (json.error) throw new Error(json.error);
           for (let status = "processing"; status === "processing"; ) {
             await new Promise((resolve) => setTimeout(resolve, 600));
             status = (await (await fetch("/checkouts/cn/receipt")).json()).status;
           }
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/checkouts/unstable/graphql", "payment", ({ view, body, response, pay }) => {
      response.json(pay(view.processor.redeem(body.variables.payment_token)));
    }),
    endpoint("GET", "/checkouts/cn/receipt", "payment", ({ view, response }) => {
      response.json({ status: count(view.order, "polls") >= 3 ? "processed" : "processing" });
    }),
  ],
};
