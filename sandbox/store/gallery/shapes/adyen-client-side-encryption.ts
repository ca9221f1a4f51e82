import { html } from "../../../mail/html.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Client-side encryption: fields of the merchant's page without names, encrypted with RSA before the post.",
  source: "https://github.com/Adyen/adyen-cse-web",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: (view, body) => {
        const text = view.processor.decrypt(body["encrypted_form_data"] ?? "");
        return text === null ? null : JSON.parse(text);
      },
      content: (view) =>
        form(html`${section("Delivery address", address(view))} ${section("Delivery", deliveryRadios(view))}
        ${section(
          "Card",
          html`<p><label>Card number <input data-encrypted-name="number" autocomplete="cc-number" inputmode="numeric" required></label></p>
          <p><label>Expiry (MM/YY) <input data-encrypted-name="expiry" autocomplete="cc-exp" required></label></p>
          <p><label>CVC <input data-encrypted-name="code" autocomplete="cc-csc" maxlength="4" required></label></p><input type="hidden" name="encrypted_form_data">`,
        )}
        ${totals(view)} ${button("Pay")}
        ${script(`const key = ${JSON.stringify(view.processor.publicKey)};
          document.querySelector("form").addEventListener("submit", async (event) => {
            event.preventDefault();
            const form = event.target;
            const card = {};
            for (const input of form.querySelectorAll("[data-encrypted-name]")) card[input.dataset.encryptedName] = input.value;
            card.number = card.number.replace(/\\D/g, "");
            const imported = await crypto.subtle.importKey("jwk", key, { name: "RSA-OAEP", hash: "SHA-256" }, false, ["encrypt"]);
            const bytes = await crypto.subtle.encrypt({ name: "RSA-OAEP" }, imported, new TextEncoder().encode(JSON.stringify(card)));
            form.encrypted_form_data.value = btoa(String.fromCharCode(...new Uint8Array(bytes)));
            form.submit();
          });`)}`),
    },
  ],
};
