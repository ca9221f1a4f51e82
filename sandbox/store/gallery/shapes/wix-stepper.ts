import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Wix: steps without navigation whose closed parts leave the document, and delivery cards with role radio.",
  source: "https://support.wix.com/en/article/customizing-the-checkout-settings",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`<div id="host"></div>
        <template id="t0"><h2>Delivery details</h2>${address(view)}<button type="button" class="go">Continue</button></template>
        <template id="t1"><h2>Delivery method</h2>${deliveryRadios(view, false)}<button type="button" class="go">Continue</button></template>
        <template id="t2"><h2>Payment</h2>${cardFields()}${totals(view)}<button type="button" class="go">Place Order &amp; Pay</button></template>
        ${script(`const host = document.getElementById("host"); const known = {};
          function open(index) {
            host.replaceChildren(document.getElementById("t" + index).content.cloneNode(true));
            host.querySelector(".go").addEventListener("click", async () => {
              if (![...host.querySelectorAll("input, select")].every((control) => control.reportValidity())) return;
              Object.assign(known, gallery.fieldsOf(host));
              if (index < 2) return open(index + 1);
              host.querySelector(".go").disabled = true;
              const { ok, json } = await gallery.send("/_api/ecom/v1/checkouts/place-order", known);
              if (ok) location.href = "/thanks"; else { gallery.show(json.message); host.querySelector(".go").disabled = false; }
            });
          }
          open(0);`)}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/_api/ecom/v1/checkouts/place-order", "payment", ({ view, body, response, pay }) => {
      const paid = pay(typedCard(view, body));
      if ("error" in paid) response.status(428).json({ message: paid.error });
      else response.json({ orderId: paid.orderNumber });
    }),
  ],
};
