import { html, type SafeHtml } from "../../../mail/html.ts";
import { PRODUCT_TITLE } from "../markets.ts";
import type { View } from "../shape.ts";

const WORDS: Partial<Record<string, readonly string[]>> = {
  DE: ["Zwischensumme", "Versand", "Gesamtsumme"],
  FR: ["Sous-total", "Livraison", "Total"],
};

/** Items, subtotal, delivery and total. The total changes with the delivery that is selected on the page. */
export function totals(view: View): SafeHtml {
  const { order } = view;
  const [subtotal = "", delivery = "", total = ""] = WORDS[view.market] ?? ["Subtotal", "Delivery", "Total"];
  return html`<table class="totals">
    <tr><td>${order.quantity} × ${PRODUCT_TITLE}</td><td>${view.money(view.subtotalMinor)}</td></tr>
    <tr><td>${subtotal}</td><td>${view.money(view.subtotalMinor)}</td></tr>
    ${order.extrasMinor > 0 ? html`<tr><td>Protection</td><td>${view.money(order.extrasMinor)}</td></tr>` : ""}
    <tr><td>${delivery}</td><td data-sum="delivery">${view.money(view.deliveryMinor)}</td></tr>
    <tr><th>${total}</th><th data-sum="total">${view.money(view.totalMinor)}</th></tr>
  </table>`;
}

/** Items and subtotal, before a delivery is known. */
export function subtotals(view: View): SafeHtml {
  return html`<table class="totals">
    <tr><td>${view.order.quantity} × ${PRODUCT_TITLE}</td><td>${view.money(view.subtotalMinor)}</td></tr>
    <tr><td>Subtotal</td><td>${view.money(view.subtotalMinor)}</td></tr>
    <tr><td>Delivery</td><td>Calculated at the next step</td></tr>
  </table>`;
}
