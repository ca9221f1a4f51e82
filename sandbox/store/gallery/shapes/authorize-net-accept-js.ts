import { html } from "../../../mail/html.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Authorize.net Accept.js: card fields of the page without names, sent to the processor for an opaque value.",
  source: "https://developer.authorize.net/api/reference/features/acceptjs.html",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: (view, body) => view.processor.redeem(body["dataValue"] ?? ""),
      content: (view) =>
        form(html`${section("Shipping", address(view), deliveryRadios(view))}
        ${section(
          "Payment",
          html`<p><label>Card number <input id="cardNumber" autocomplete="cc-number" inputmode="numeric"></label></p>
          <p><label>Expiration month <input id="expMonth" autocomplete="cc-exp-month" size="2"></label> <label>Expiration year <input id="expYear" autocomplete="cc-exp-year" size="4"></label></p>
          <p><label>Card code <input id="cardCode" autocomplete="cc-csc" size="4"></label></p>`,
        )}
        <input type="hidden" name="dataValue"><input type="hidden" name="dataDescriptor" value="COMMON.ACCEPT.INAPP.PAYMENT">${totals(view)} ${button("Pay")}
        ${script(`document.querySelector("form").addEventListener("submit", async (event) => {
          event.preventDefault();
          const form = event.target;
          const value = (id) => document.getElementById(id).value;
          const card = { number: value("cardNumber"), expiry: value("expMonth") + "/" + value("expYear").slice(-2), code: value("cardCode") };
          const { ok, json } = await gallery.send(gallery.settings.processor + "/tokens", card);
          if (!ok) return gallery.show(json.error);
          form.dataValue.value = json.token;
          form.submit();
        });`)}`),
    },
  ],
};
