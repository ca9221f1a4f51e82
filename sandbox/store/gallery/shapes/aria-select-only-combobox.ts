import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { STATES } from "../markup/states.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

const COMBO = `
  const box = document.getElementById("state-box"), list = document.getElementById("state-list"), options = [...list.children];
  let active = 0;
  const choose = (index) => { active = index; box.textContent = options[index].textContent; document.querySelector("[name=state]").value = options[index].dataset.code; options.forEach((option, at) => option.setAttribute("aria-selected", String(at === index))); open(false); };
  const open = (isOpen) => { list.hidden = !isOpen; box.setAttribute("aria-expanded", String(isOpen)); };
  box.addEventListener("click", () => open(list.hidden));
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { open(true); active = Math.min(active + 1, options.length - 1); box.setAttribute("aria-activedescendant", options[active].id); event.preventDefault(); }
    else if (event.key === "Enter" || event.key === " ") { if (list.hidden) open(true); else choose(active); event.preventDefault(); }
    else if (event.key === "Escape") open(false);
    else if (event.key.length === 1) { const found = options.findIndex((option) => option.textContent.toLowerCase().startsWith(event.key.toLowerCase())); if (found >= 0) { open(true); active = found; } }
  });
  options.forEach((option, index) => option.addEventListener("click", () => choose(index)));`;

export const shape: Shape = {
  title: "The state is a select-only combobox of the ARIA Authoring Practices: div, listbox, aria-activedescendant.",
  source: "https://www.w3.org/WAI/ARIA/apg/patterns/combobox/examples/combobox-select-only/",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`${section(
          "Shipping",
          address(view, { without: ["state"] }),
          html`<p><span id="state-label">State</span></p><div id="state-box" role="combobox" tabindex="0" aria-controls="state-list" aria-expanded="false" aria-haspopup="listbox" aria-labelledby="state-label" class="card">Choose a state</div>
        <div role="listbox" id="state-list" aria-labelledby="state-label" hidden>${Object.entries(STATES["US"] ?? {}).map(([code, name]) => html`<div role="option" id="o-${code}" data-code="${code}" aria-selected="false">${name}</div>`)}</div><input type="hidden" name="state">`,
          deliveryRadios(view),
        )}
        ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}
        ${script(`${COMBO} document.querySelector("form").addEventListener("submit", (event) => { if (document.querySelector("[name=state]").value === "") { event.preventDefault(); gallery.show("Choose a state."); } });`)}`),
    },
  ],
};
