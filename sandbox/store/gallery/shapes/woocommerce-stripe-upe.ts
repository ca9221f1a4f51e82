import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, onPress, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "WooCommerce with Stripe's gateway: one frame with number, expiry, code and postcode, its token in the posted form.",
  source: "https://woocommerce.com/document/stripe/",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`<form id="checkout">${section("Billing details", address(view, { required: ["phone"] }))}
        ${section("Your order", totals(view), deliveryRadios(view))}
        ${section("Payment", html`<fieldset id="wc-stripe-upe-form">${oneFrame(view, ["number", "expiry", "code", "postcode"])}</fieldset>`, checkbox("save_card", "Save payment information to my account for future purchases."))}
        ${button("Place order")}</form>
        ${onPress(
          "#checkout",
          `const fields = gallery.fieldsOf(document.getElementById("checkout"));
           fields.payment_token = await gallery.askFrame("tokenise");
           const { json } = await gallery.send("/wc?wc-ajax=checkout", new URLSearchParams(fields));
           if (json.result !== "success") throw new Error(json.messages);
           const { json: verified } = await gallery.send("/wc?wc-ajax=wc_stripe_update_order_status", new URLSearchParams({ order_id: "1001" }));
           location.href = verified.redirect;`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/wc", "payment", ({ view, body, request, response, pay }) => {
      if (request.query["wc-ajax"] !== "checkout") return void response.json({ redirect: "/thanks" });
      const paid = pay(tokenCard(view, body));
      response.json("error" in paid ? { result: "failure", messages: paid.error } : { result: "success" });
    }),
  ],
};
