import { html, type SafeHtml } from "../../../mail/html.ts";
import type { Card } from "../card.ts";
import type { Body, View } from "../shape.ts";
import { raw } from "./layout.ts";

/** Card fields in the merchant's page, with the tokens of the HTML standard. */
export function cardFields(options: { withName?: boolean; isSplit?: boolean; autocomplete?: boolean } = {}): SafeHtml {
  const { withName = true, isSplit = false, autocomplete = true } = options;
  const token = (name: string) => (autocomplete ? html`autocomplete="${name}"` : "");
  const years = Array.from({ length: 12 }, (_, index) => String(new Date().getUTCFullYear() + index));
  const months = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, "0"));
  const select = (name: string, label: string, tokenName: string, values: readonly string[]) =>
    html`<label>${label} <select name="${name}" ${token(tokenName)} required><option value="">${label}</option>${values.map((value) => html`<option>${value}</option>`)}</select></label>`;
  const expiry = isSplit
    ? html`<p>${select("card_month", "Expiry month", "cc-exp-month", months)} ${select("card_year", "Expiry year", "cc-exp-year", years)}</p>`
    : html`<p><label>Expiration date (MM / YY) <input name="card_expiry" ${token("cc-exp")} inputmode="numeric" placeholder="MM / YY" required></label></p>`;
  return html`<fieldset class="card-fields"><legend>Card</legend>
    <p><label>Card number <input name="card_number" ${token("cc-number")} inputmode="numeric" required></label></p>
    ${expiry}
    <p><label>Security code <input name="card_code" ${token("cc-csc")} inputmode="numeric" maxlength="4" required></label></p>
    ${withName ? html`<p><label>Name on card <input name="card_name" ${token("cc-name")} required></label></p>` : ""}
  </fieldset>`;
}

/** Reads the fields of `cardFields`. */
export function typedCard(_view: View, body: Body): Card | null {
  const number = (body["card_number"] ?? "").replace(/\D/g, "");
  const expiry = body["card_expiry"] ?? `${body["card_month"] ?? ""}/${(body["card_year"] ?? "").slice(-2)}`;
  return number === "" ? null : { number, expiry, code: body["card_code"] ?? "" };
}

type FrameField = "number" | "expiry" | "code" | "name" | "postcode";
const TITLES: Record<FrameField, string> = {
  number: "Secure card number input frame",
  expiry: "Secure expiration date input frame",
  code: "Secure CVC input frame",
  name: "Secure name input frame",
  postcode: "Secure postal code input frame",
};

function frame(view: View, fields: readonly FrameField[], title: string, isController: boolean, height: number) {
  const query = new URLSearchParams({ fields: fields.join(","), merchant: view.url, order: view.order.id });
  return html`<iframe title="${title}" src="${view.processor.url}/frame?${query.toString()}" ${isController ? raw("data-controller") : ""} width="420" height="${height}" style="border: 0"></iframe>`;
}

/** All card fields in one frame of the processor. */
export function oneFrame(view: View, fields: readonly FrameField[] = ["number", "expiry", "code"]): SafeHtml {
  return html`<div class="card-element">${frame(view, fields, "Secure card payment input frame", true, 60 * fields.length + 20)}</div>
    <input type="hidden" name="payment_token">`;
}

/** One frame per card field, and a hidden frame that joins their values at the processor. */
export function separateFrames(view: View, fields: readonly FrameField[] = ["number", "expiry", "code"]): SafeHtml {
  const labels: Record<FrameField, string> = {
    ...{ number: "Card number", expiry: "Expiry date", code: "Security code" },
    ...{ name: "Name on card", postcode: "Postcode" },
  };
  return html`${fields.map((field) => html`<div><span>${labels[field]}</span><div class="hosted-field">${frame(view, [field], TITLES[field], false, 60)}</div></div>`)}
    <div hidden>${frame(view, [], "Controller", true, 1)}</div><input type="hidden" name="payment_token">`;
}

/** Reads the token that the processor's frame returned. */
export function tokenCard(view: View, body: Body): Card | null {
  return view.processor.redeem(body["payment_token"] ?? "");
}
