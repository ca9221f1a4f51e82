import { html } from "../../../mail/html.ts";
import { separateFrames } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, payButton } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Adyen Drop-in: payment methods as radio buttons, three secured fields, encrypted values posted to /payments.",
  source: "https://docs.adyen.com/payment-methods/cards/custom-card-integration",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) => form(html`<h1>Delivery</h1>${address(view)} ${deliveryRadios(view)} ${button("Continue")}`),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      content: (view) => html`<h1>Payment</h1>${totals(view)}
        <ul class="adyen-checkout__payment-methods-list"><li><label><input type="radio" name="pm" value="klarna"> Pay later with Klarna</label></li>
        <li><label><input type="radio" name="pm" value="scheme" checked> Cards</label><div>${separateFrames(view)}
        <p><label>Name on card <input name="holderName" autocomplete="cc-name"></label></p></div></li></ul>
        ${payButton(
          `Pay ${view.money(view.totalMinor)}`,
          `const fields = await gallery.askFrame("encrypt");
           const { json } = await gallery.send("/api/payments", { paymentMethod: { type: "scheme", ...fields } });
           if (json.resultCode !== "Authorised") throw new Error(json.refusalReason);
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/payments", "payment", ({ view, body, response, pay }) => {
      const token = String(body.paymentMethod.encryptedCardNumber).split("$").at(-1) ?? "";
      const paid = pay(view.processor.redeem(token));
      response.json(
        "error" in paid ? { resultCode: "Refused", refusalReason: paid.error } : { resultCode: "Authorised" },
      );
    }),
  ],
};
