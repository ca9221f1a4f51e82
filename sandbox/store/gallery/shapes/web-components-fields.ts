import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Each field is a form-associated custom element with an input in its shadow root, as in Material Web.",
  source: "https://web.dev/articles/more-capable-form-controls",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) => {
        const field = (name: string, label: string, token: string) =>
          html`<p><mug-field name="${name}" label="${label}" token="${token}"></mug-field></p>`;
        return html`${form(html`${section("Delivery address", field("email", "Email", "email"), field("firstName", "First name", "given-name"), field("lastName", "Last name", "family-name"), field("address1", "Address", "address-line1"), field("city", "City", "address-level2"), field("postcode", "Postcode", "postal-code"))}
          ${address(view, { only: ["country"] })} ${section("Delivery", deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}`)}
          ${script(`customElements.define("mug-field", class extends HTMLElement {
            static formAssociated = true;
            constructor() { super(); this.internals = this.attachInternals(); }
            connectedCallback() {
              const root = this.attachShadow({ mode: "open", delegatesFocus: true });
              root.innerHTML = "<label>" + this.getAttribute("label") + " <input autocomplete='" + this.getAttribute("token") + "' required></label>";
              const input = root.querySelector("input");
              const sync = () => { this.internals.setFormValue(input.value); this.internals.setValidity(input.value ? {} : { valueMissing: true }, "Please fill in this field.", input); };
              input.addEventListener("input", sync);
              sync();
            }
          });`)}`;
      },
    },
  ],
};
