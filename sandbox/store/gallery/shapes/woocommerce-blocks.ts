import { html } from "../../../mail/html.ts";
import { cardFields } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, onPress, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "WooCommerce's checkout block: floating labels, Store API for the payment.",
  source: "https://github.com/woocommerce/woocommerce/blob/trunk/docs/apis/store-api/resources-endpoints/checkout.md",
  cartPath: "/basket/",
  confirmationPath: "/checkout/order-received/",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`<div class="wc-block-checkout"><form id="checkout">
        ${section("Contact information", address(view, { only: ["email"] }))}
        ${section("Shipping address", address(view, { without: ["email"], names: { firstName: "first_name", lastName: "last_name", address1: "address_1", address2: "address_2" } }), checkbox("same", "Use same address for billing", "checked"))}
        ${section("Shipping options", deliveryRadios(view))}
        ${section("Payment options", cardFields({ withName: false }))}
        <p>By proceeding with your purchase you agree to our Terms and Conditions and Privacy Policy</p>
        ${button("Place Order")}</form><aside>${totals(view)}<details><summary>Add a coupon</summary><label>Enter code <input name="coupon"></label><button type="button">Apply</button></details></aside></div>
        ${onPress(
          "#checkout",
          `const fields = gallery.fieldsOf(document.getElementById("checkout"));
           const { card_number, card_expiry, card_code, email, delivery, ...shipping_address } = fields;
           const payment_data = [["number", card_number], ["expiry", card_expiry], ["code", card_code]].map(([key, value]) => ({ key, value }));
           const { ok, json } = await gallery.send("/wp-json/wc/store/v1/checkout", { billing_address: { email, ...shipping_address }, shipping_address, delivery, payment_method: "card", payment_data }, "POST", { nonce: gallery.settings.orderId });
           if (!ok) throw new Error(json.message);
           location.href = json.payment_result.redirect_url;`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/wp-json/wc/store/v1/checkout", "payment", ({ body, response, pay }) => {
      const data: { key: string; value: string }[] = body.payment_data;
      const value = (key: string) => data.find((one) => one.key === key)?.value ?? "";
      const paid = pay({ number: value("number").replace(/\D/g, ""), expiry: value("expiry"), code: value("code") });
      if ("error" in paid) return void response.status(400).json({ code: "payment_error", message: paid.error });
      response.json({
        order_id: 1001,
        payment_result: { payment_status: "success", redirect_url: "/checkout/order-received/" },
      });
    }),
  ],
};
