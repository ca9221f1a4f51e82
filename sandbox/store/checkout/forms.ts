import { html, type SafeHtml } from "../../mail/html.ts";
import { ADDRESS_RULES } from "../countries.ts";
import type { Store } from "../definition.ts";
import { needsDelivery } from "../delivery.ts";
import { shownOf } from "../money.ts";
import { pricedLines } from "../pricing.ts";
import type { Checkout } from "./checkouts.ts";
import { contactErrors, type FieldId, type FormField, fieldName, requestedFields } from "./fields.ts";
import { totalsOf } from "./totals.ts";

type Errors = ReturnType<typeof contactErrors>;
const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region" });

/** Contact and address fields. @param errors shown next to their fields */
export function contactFields(store: Store, checkout: Checkout, errors: Errors): SafeHtml {
  const { cart } = checkout;
  const isMarked = store.checkout.card !== "unmarked";
  const email = html`<fieldset>
        <legend>Contact</legend>
        <label for="email">Email</label>
        <input id="email" type="${isMarked ? "email" : "text"}" name="${fieldName(store, "email")}" value="${cart.email ?? ""}"${isMarked ? html` autocomplete="email"` : ""} required>
        ${fieldError("email", errors)}
      </fieldset>`;
  if (!needsDelivery(store, cart)) return email;
  return html`${email}
      ${fulfilmentChoice(store, checkout)}
      <fieldset>
        <legend>${cart.methods.includes("PICK_UP") ? "Pickup contact" : "Delivery address"}</legend>
        ${requestedFields(store, checkout).map((field) => addressField(store, checkout, field, errors))}
      </fieldset>`;
}

function fulfilmentChoice({ rates, pickups }: Store, { cart }: Checkout): SafeHtml {
  if (rates.length === 0 || pickups.length === 0) return html``;
  const isCollected = cart.methods.includes("PICK_UP");
  const choice = (value: string, label: string, isChecked: boolean) =>
    html`<label><input type="radio" name="fulfilment" value="${value}" data-reload${isChecked ? html` checked` : ""}> <span>${label}</span></label>`;
  return html`<fieldset class="choice">
        <legend>Delivery or pickup</legend>
        ${choice("ship", "Send it to me", !isCollected)}
        ${choice("pickup", "I collect it", isCollected)}
      </fieldset>`;
}

function addressField(
  store: Store,
  { cart }: Checkout,
  { id, label, autocomplete }: FormField,
  errors: Errors,
): SafeHtml {
  const value = cart.address?.[id] ?? (id === "countryCode" ? defaultCountry(store, cart.countryCode) : "");
  const mark = store.checkout.card === "unmarked" ? html`` : html` autocomplete="${autocomplete}"`;
  const name = fieldName(store, id);
  const option = (code: string, text: string) =>
    html`<option value="${code}"${code === value ? html` selected` : ""}>${text}</option>`;
  let control = html`<input id="${id}" type="${id === "phone" ? "tel" : "text"}" name="${name}" value="${value}"${mark}>`;
  if (id === "countryCode") {
    const countries = store.shipsTo.map((code) => option(code, COUNTRY_NAMES.of(code) ?? code));
    control = html`<select id="${id}" name="${name}"${mark}>${countries}</select>`;
  }
  if (id === "provinceCode") {
    const groups = store.shipsTo.flatMap((country) => {
      const codes = ADDRESS_RULES[country]?.provinces;
      if (!codes) return [];
      return html`<optgroup label="${COUNTRY_NAMES.of(country) ?? country}">${codes.map((code) => option(code, code))}</optgroup>`;
    });
    control = html`<select id="${id}" name="${name}"${mark}><option value="">–</option>${groups}</select>`;
  }
  return html`<label for="${id}">${label}</label>
        ${control}
        ${fieldError(id, errors)}`;
}

function defaultCountry({ shipsTo, country }: Store, buyerCountry: string): string {
  return shipsTo.includes(buyerCountry) ? buyerCountry : (shipsTo[0] ?? country);
}

/** The delivery options with the current selection. */
export function deliveryChoice(store: Store, { cart }: Checkout): SafeHtml {
  if (!needsDelivery(store, cart)) return html``;
  const { options, option: chosen } = totalsOf(store, cart);
  const isCollected = cart.methods.includes("PICK_UP");
  if (options.length === 0) {
    const isKnown =
      isCollected || Object.keys(contactErrors(store, { cart } as Checkout)).every((id) => id === "email");
    return html`<p class="muted">${isKnown ? "We do not deliver to this address." : "Enter your address to see delivery options."}</p>`;
  }
  return html`<fieldset class="choice">
        <legend>${isCollected ? "Pickup location" : "Delivery method"}</legend>
        ${options.map(
          ({ handle, title, description, cost }) => html`
        <label><input type="radio" name="option" value="${handle}" required${handle === chosen?.handle ? html` checked` : ""}>
          <span>${title}<br><span class="muted">${description}</span></span> <span class="price">${cost.amountMinor === 0 ? "Free" : shownOf(cost)}</span></label>`,
        )}
      </fieldset>`;
}

/** Order summary with totals. */
export function summary(store: Store, { cart }: Checkout): SafeHtml {
  const { subtotal, discount, delivery, tax, total } = totalsOf(store, cart);
  const lines = pricedLines(store, cart).map(
    ({ product, variant, quantity, total: lineTotal }) => html`
          <tr><td>${product.title}${variant.title === "Default Title" ? "" : `, ${variant.title}`} × ${quantity}</td><td class="money">${shownOf(lineTotal)}</td></tr>`,
  );
  const isAdded = store.tax.kind === "added";
  const taxLine = html`<tr><td>${isAdded ? "Tax" : "Including tax"}</td><td class="money">${tax ? shownOf(tax) : "–"}</td></tr>`;
  return html`<table>
          <caption class="muted">Your order</caption>
          <tbody>${lines}
          <tr><td>Subtotal</td><td class="money">${shownOf(subtotal)}</td></tr>
          ${discount.amountMinor > 0 ? html`<tr><td>Discount</td><td class="money">−${shownOf(discount)}</td></tr>` : ""}
          <tr><td>Delivery</td><td class="money">${delivery ? (delivery.amountMinor === 0 ? "Free" : shownOf(delivery)) : "Calculated after you enter your address"}</td></tr>
          ${isAdded || tax?.amountMinor ? taxLine : ""}
          <tr class="total"><td>Total</td><td class="money">${total ? shownOf(total) : "–"}</td></tr>
          </tbody>
        </table>`;
}

/** The processor's frame with the card fields. */
export function cardFields(store: Store, { cart }: Checkout, frameUrl: string): SafeHtml {
  const down = cart.faults.includes("card_frame_down") ? "&down" : "";
  return html`<fieldset>
        <legend>Payment</legend>
        <p class="muted">All transactions are secure and encrypted.</p>
        <iframe class="card" title="Card details" src="${frameUrl}?shop=${store.name}${down}"></iframe>
      </fieldset>`;
}

function fieldError(id: FieldId, errors: Errors): SafeHtml {
  const error = errors[id];
  return error ? html`<p class="field-error" role="alert" data-error="${id}">${error}</p>` : html``;
}
