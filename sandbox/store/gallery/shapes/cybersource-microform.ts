import { html } from "../../../mail/html.ts";
import { separateFrames } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Cybersource Microform: number and code in frames, expiry as two selects of the merchant's page.",
  source:
    "https://developer.cybersource.com/docs/cybs/en-us/digital-accept-flex/developer/all/rest/digital-accept-flex/microform-integ-v2.html",
  isHeldBack: true,
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: (view, body) => view.processor.redeem(body["flexresponse"] ?? ""),
      content: (view) =>
        form(html`${section("Shipping", address(view), deliveryRadios(view))} ${section("Card", separateFrames(view, ["number", "code"]))}
        <p><label>Expiration month <select name="expMonth" required><option value="">Month</option>${Array.from({ length: 12 }, (_, month) => html`<option>${String(month + 1).padStart(2, "0")}</option>`)}</select></label>
        <label>Expiration year <select name="expYear" required><option value="">Year</option>${Array.from({ length: 10 }, (_, year) => html`<option>${new Date().getUTCFullYear() + year}</option>`)}</select></label></p>
        <input type="hidden" name="flexresponse">${totals(view)} ${button("Place order")}
        ${script(`document.querySelector("form").addEventListener("submit", async (event) => {
          event.preventDefault();
          event.stopPropagation();
          const form = event.target;
          try {
            form.flexresponse.value = await gallery.askFrame("tokenise", { expiry: form.expMonth.value + "/" + form.expYear.value.slice(-2) });
            form.submit();
          } catch (error) { gallery.show(error.message); }
        });`)}`),
    },
  ],
};
