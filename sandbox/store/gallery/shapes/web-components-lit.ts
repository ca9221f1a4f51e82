import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { moduleScript, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";
import { litImports } from "../widgets.ts";

export const shape: Shape = {
  title: "A custom element (Lit) holds the whole form and its button in an open shadow root.",
  source: "https://lit.dev/docs/components/shadow-dom/",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`${litImports()}<template id="fields">${section("Delivery address", address(view), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)}<button type="button">Pay now</button></template><mug-checkout></mug-checkout>
        ${moduleScript(`import { LitElement, html } from "lit";
          class MugCheckout extends LitElement {
            render() { return html\`<div id="root"></div>\`; }
            firstUpdated() {
              const root = this.renderRoot.querySelector("#root");
              root.append(document.getElementById("fields").content.cloneNode(true));
              const button = root.querySelector("button");
              button.addEventListener("click", async () => {
                if (![...root.querySelectorAll("input, select")].every((control) => control.reportValidity())) return;
                button.disabled = true;
                const { ok, json } = await gallery.send("/api/checkout", gallery.fieldsOf());
                if (ok) location.href = "/thanks"; else { gallery.show(json.error); button.disabled = false; }
              });
            }
          }
          customElements.define("mug-checkout", MugCheckout);`)}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/checkout", "payment", ({ view, body, response, pay }) => {
      const paid = pay(typedCard(view, body));
      response.status("error" in paid ? 402 : 200).json(paid);
    }),
  ],
};
