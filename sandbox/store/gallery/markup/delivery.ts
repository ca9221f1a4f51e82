import { html, type SafeHtml } from "../../../mail/html.ts";
import { MARKETS } from "../markets.ts";
import type { View } from "../shape.ts";
import { raw } from "./layout.ts";

/** Delivery options of the market, with formatted prices. */
export function deliveryOptions(view: View): { code: "standard" | "express"; title: string; price: string }[] {
  const { standardMinor, expressMinor } = MARKETS[view.market];
  return [
    { code: "standard", title: "Standard", price: view.money(standardMinor) },
    { code: "express", title: "Express", price: view.money(expressMinor) },
  ];
}

/** Radio buttons. @param selected whether the first is selected already */
export function deliveryRadios(view: View, selected = true, name = "delivery"): SafeHtml {
  const chosen = view.order.delivery ?? (selected ? "standard" : null);
  return html`<fieldset><legend>Delivery method</legend>${deliveryOptions(view).map(
    ({ code, title, price }) =>
      html`<p><label><input type="radio" name="${name}" value="${code}" required ${code === chosen ? raw("checked") : ""}> ${title} <span>${price}</span></label></p>`,
  )}</fieldset>`;
}

/** A table of radio buttons that other cells name, as in Magento. */
export function deliveryTable(view: View): SafeHtml {
  return html`<table><tbody>${deliveryOptions(view).map(
    ({ code, title, price }) => html`<tr>
      <td><input type="radio" name="delivery" value="${code}" required aria-labelledby="${code}-title ${code}-price"></td>
      <td id="${code}-price">${price}</td><td id="${code}-title">${title}</td></tr>`,
  )}</tbody></table>`;
}

export function deliverySelect(view: View): SafeHtml {
  return html`<p><label for="delivery">Delivery</label> <select id="delivery" name="delivery" required>${deliveryOptions(
    view,
  ).map(({ code, title, price }) => html`<option value="${code}">${title} (${price})</option>`)}</select></p>`;
}

/** Cards without inputs, as component libraries build them: `role="radio"` in a `radiogroup`. */
export function deliveryCards(view: View): SafeHtml {
  return html`<div role="radiogroup" aria-label="Delivery method">${deliveryOptions(view).map(
    ({ code, title, price }) =>
      html`<div role="radio" tabindex="0" aria-checked="false" class="card" data-value="${code}"><strong>${title}</strong> <span>${price}</span></div>`,
  )}</div><input type="hidden" name="delivery" value="">
  ${raw(`<script>
    document.querySelectorAll('[role=radio][data-value]').forEach((card) => {
      const choose = () => {
        document.querySelectorAll('[role=radio][data-value]').forEach((one) => one.setAttribute("aria-checked", String(one === card)));
        document.querySelector('input[name=delivery]').value = card.dataset.value;
      };
      card.addEventListener("click", choose);
      card.addEventListener("keydown", (event) => { if (event.key === " " || event.key === "Enter") choose(); });
    });
  </script>`)}`;
}
