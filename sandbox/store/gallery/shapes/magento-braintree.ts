import { html } from "../../../mail/html.ts";
import { separateFrames } from "../markup/card.ts";
import { deliveryTable } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form, payButton } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Magento with Braintree: hosted fields in three frames, the nonce in payment-information.",
  source: "https://developer.paypal.com/braintree/docs/guides/hosted-fields/setup-and-integration/",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Shipping Address</h1>${address(view, { required: ["phone"], names: { address1: "street[0]", address2: "street[1]" } })} <h2>Shipping Methods</h2>${deliveryTable(view)} ${button("Next")}`,
        ),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      content: (
        view,
      ) => html`<h1>Payment Method</h1><p><label><input type="radio" name="payment[method]" value="braintree" checked> Credit Card (Braintree)</label></p>
        ${separateFrames(view)} ${checkbox("billing-address-same-as-shipping", "My billing and shipping address are the same", "checked")} ${totals(view)}
        ${payButton(
          "Place Order",
          `const payment_method_nonce = await gallery.askFrame("tokenise");
           const { ok, json } = await gallery.send("/rest/default/V1/guest-carts/" + gallery.settings.orderId + "/payment-information", { paymentMethod: { method: "braintree", additional_data: { payment_method_nonce } } });
           if (!ok) throw new Error(json.message);
           location.replace("/thanks");`,
        )}`,
    },
  ],
  endpoints: [
    endpoint(
      "POST",
      "/rest/default/V1/guest-carts/:id/payment-information",
      "payment",
      ({ view, body, response, pay }) => {
        const paid = pay(view.processor.redeem(body.paymentMethod.additional_data.payment_method_nonce));
        if ("error" in paid) response.status(400).json({ message: paid.error });
        else response.json("1001");
      },
    ),
  ],
};
