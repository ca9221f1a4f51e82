import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "UK postcode lookup: street and town appear after “Enter address manually”.",
  source: "https://design-system.service.gov.uk/patterns/addresses/",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`${section("Delivery address", address(view, { only: ["email", "firstName", "lastName"] }), html`<p><label>Postcode finder <input id="finder" autocomplete="off"></label> <button type="button" id="find">Find address</button></p><p><a href="#manual" id="manual">Enter address manually</a></p><div id="lines" hidden>${address(view, { only: ["address1", "address2", "city", "postcode", "country"], labels: { city: "Town or city" } })}</div>`, deliveryRadios(view))}
        ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}
        ${script(`const show = (event) => { event.preventDefault(); document.getElementById("lines").hidden = false; };
          document.getElementById("manual").addEventListener("click", show);
          document.getElementById("find").addEventListener("click", () => gallery.show("We could not find that postcode. Please enter the address manually."));
          document.querySelector("form").addEventListener("submit", (event) => { if (document.getElementById("lines").hidden) { event.preventDefault(); event.stopImmediatePropagation(); gallery.show("Please enter your address."); } });`)}`),
    },
  ],
};
