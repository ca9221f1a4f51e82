import { html, type SafeHtml } from "../../../mail/html.ts";
import { DEAD_ORIGIN } from "../faults.ts";
import type { Step, View } from "../shape.ts";
import { script } from "./layout.ts";

/** Wallet buttons above the form. Each leads away from the card. */
export function expressButtons(...names: readonly string[]): SafeHtml {
  const shown = names.length > 0 ? names : ["Shop Pay", "PayPal", "Google Pay"];
  return html`<section aria-label="Express checkout"><h2>Express checkout</h2>
    ${shown.map((name) => html`<button type="button" onclick="location.href='/wallet'" aria-label="${name}">Pay with ${name}</button> `)}
    <p>OR</p></section>`;
}

/** Bar at the end of the window that covers what is below it until it is closed. */
export function stickyBar(text: string, label: string): SafeHtml {
  return html`<div class="sticky" id="sticky"><p>${text}</p><button type="button" onclick="document.getElementById('sticky').remove()">${label}</button></div>`;
}

/** Dialog that appears after a second with a field for an email address. */
export function newsletterPopup(view: View, step: Step): SafeHtml {
  if (step === "confirmation") return html``;
  return html`<div class="overlay" id="newsletter" role="dialog" aria-label="Newsletter" hidden><div>
    <button type="button" aria-label="Close" onclick="document.getElementById('newsletter').remove(); sessionStorage.setItem('newsletter', '1')">×</button>
    <h2>10% off your next order over ${view.money(10_000)}</h2>
    <p><label>Email <input type="email" name="newsletter_email"></label> <button type="button">Sign up</button></p></div></div>
    ${script(`if (!sessionStorage.getItem("newsletter")) setTimeout(() => { const popup = document.getElementById("newsletter"); if (popup) popup.hidden = false; }, 1000);`)}`;
}

/** Chat button in the corner, as a frame with inputs of its own. */
export function chatWidget(): SafeHtml {
  return html`<iframe title="Chat" style="position: fixed; right: 8px; bottom: 8px; border: 0" width="260" height="90"
    srcdoc="<p>Any questions?</p><form><input name='email' type='email' placeholder='Your email'><button>Chat now</button></form>"></iframe>`;
}

/** Analytics that report each change to a host that cannot be reached. */
export function deadTracker(): SafeHtml {
  return script(`document.addEventListener("change", ({ target }) => {
    navigator.sendBeacon(${JSON.stringify(`${DEAD_ORIGIN}/collect`)}, "field=" + target.name);
    fetch(${JSON.stringify(`${DEAD_ORIGIN}/event`)}, { method: "POST", mode: "no-cors", body: "{}" }).catch(() => {});
  });`);
}

export function promoBanner(text: string): SafeHtml {
  return html`<div class="panel promo"><strong>${text}</strong></div>`;
}
