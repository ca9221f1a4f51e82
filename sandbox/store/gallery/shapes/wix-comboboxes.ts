import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { COUNTRIES, STATES } from "../markup/states.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

const COMBOBOX = `
  document.querySelectorAll("[role=combobox][data-name]").forEach((box) => {
    const list = document.getElementById(box.getAttribute("aria-controls"));
    const hidden = document.querySelector("input[name=" + box.dataset.name + "]");
    const open = (isOpen) => { list.hidden = !isOpen; box.setAttribute("aria-expanded", String(isOpen)); };
    box.addEventListener("click", () => open(list.hidden));
    list.querySelectorAll("[role=option]").forEach((option) => option.addEventListener("click", () => { hidden.value = option.dataset.value; box.textContent = option.textContent; option.setAttribute("aria-selected", "true"); open(false); }));
  });`;
const combobox = (name: string, label: string, options: Readonly<Record<string, string>>, chosen: string) =>
  html`<p><span id="${name}-label">${label}</span> <button type="button" role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="${name}-label ${name}-value" aria-controls="${name}-list" data-name="${name}" id="${name}-value">${options[chosen] ?? "Select"}</button>
    <input type="hidden" name="${name}" value="${chosen}"></p>
    <ul role="listbox" id="${name}-list" hidden aria-labelledby="${name}-label">${Object.entries(options).map(([value, text]) => html`<li role="option" data-value="${value}" tabindex="-1">${text}</li>`)}</ul>`;

export const shape: Shape = {
  title: "Wix: country and state are buttons with role combobox and a listbox, not selects.",
  source: "https://support.wix.com/en/article/wix-stores-customizing-the-checkout-page",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`<h1>Checkout</h1>${section("Customer details", address(view, { only: ["email", "firstName", "lastName", "phone"], required: ["phone"] }))}
        ${section("Delivery address", combobox("country", "Country/Region", COUNTRIES, "US"), address(view, { only: ["address1", "address2", "city"] }), combobox("state", "State", STATES["US"] ?? {}, ""), address(view, { only: ["postcode"], labels: { postcode: "Zip / Postal code" } }))}
        ${section("Delivery method", deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Place Order & Pay")}
        ${script(`${COMBOBOX} document.querySelector("form").addEventListener("submit", (event) => { if (!document.querySelector("input[name=state]").value) { event.preventDefault(); gallery.show("Choose a state."); } });`)}`),
    },
  ],
};
