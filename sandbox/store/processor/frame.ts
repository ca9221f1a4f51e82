import { html, type SafeHtml } from "../../mail/html.ts";
import type { CheckoutStyle } from "../definition.ts";

type CardStyle = CheckoutStyle["card"];
const YEARS = 12;

/**
 * Renders the card fields as a page of the processor's origin.
 * @param storeUrl origin of the embedding page; the frame exchanges messages with no other
 */
export function framePage(style: CardStyle, storeUrl: string, now: Date): string {
  const fields = { standard, "split-expiry": splitExpiry, unmarked }[style];
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Card</title>
    <link rel="stylesheet" href="/frame.css">
  </head>
  <body>
    <form id="card" data-shop="${storeUrl}" novalidate>
      ${fields(now)}
    </form>
    <script src="/frame.js"></script>
  </body>
</html>
`.safeHtml;
}

function input(field: string, label: string, attributes: SafeHtml): SafeHtml {
  return html`<p>
        <label for="${field}">${label}</label>
        <input id="${field}" data-card="${field}" type="text" aria-describedby="${field}-error" required ${attributes}>
        <span class="error" id="${field}-error" role="alert"></span>
      </p>`;
}

function standard(): SafeHtml {
  return html`${input("number", "Card number", html`name="cardnumber" autocomplete="cc-number" inputmode="numeric" placeholder="1234 1234 1234 1234"`)}
      ${input("expiry", "Expiry date", html`name="exp-date" autocomplete="cc-exp" inputmode="numeric" placeholder="MM / YY"`)}
      ${input("code", "Security code", html`name="cvc" autocomplete="cc-csc" inputmode="numeric" maxlength="4"`)}
      ${input("name", "Name on card", html`name="ccname" autocomplete="cc-name"`)}`;
}

function splitExpiry(now: Date): SafeHtml {
  const months = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, "0"));
  const years = Array.from({ length: YEARS }, (_, index) => String(now.getUTCFullYear() + index));
  const choice = (values: string[]) => values.map((value) => html`<option value="${value}">${value}</option>`);
  return html`${input("name", "Cardholder", html`name="cardholder" autocomplete="cc-name"`)}
      ${input("number", "Card number", html`name="number" autocomplete="cc-number" inputmode="numeric"`)}
      <p class="pair">
        <label for="month">Expires in month <select id="month" data-card="month" name="exp_month" autocomplete="cc-exp-month" required><option value="">MM</option>${choice(months)}</select></label>
        <label for="year">Year <select id="year" data-card="year" name="exp_year" autocomplete="cc-exp-year" required><option value="">YYYY</option>${choice(years)}</select></label>
        <span class="error" id="month-error" role="alert"></span>
      </p>
      ${input("code", "CVV", html`name="cvv" autocomplete="cc-csc" inputmode="numeric" maxlength="4"`)}`;
}

/** Fields without meaningful names or autocomplete tokens; only their labels identify them. */
function unmarked(): SafeHtml {
  return html`${input("number", "Card number", html`name="q1" inputmode="numeric"`)}
      ${input("name", "Name on card", html`name="q2"`)}
      ${input("expiry", "Valid until (MM/YY)", html`name="q3" inputmode="numeric"`)}
      ${input("code", "Security code (on the back)", html`name="q4" inputmode="numeric" maxlength="4"`)}`;
}
