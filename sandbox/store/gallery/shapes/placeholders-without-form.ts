import { html } from "../../../mail/html.ts";
import { typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { onPress } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "No form, labels, names or autocomplete: placeholders only, and a div with role button that sends a fetch.",
  source: "https://www.nngroup.com/articles/form-design-placeholders/",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => {
        const box = (name: string, placeholder: string) =>
          html`<p><input data-name="${name}" placeholder="${placeholder}"></p>`;
        return html`<h2>Delivery</h2>${box("email", "Email")}${box("firstName", "First name")}${box("lastName", "Last name")}${box("address1", "Address")}${box("city", "City")}${box("postcode", "Postcode")}
          ${deliveryRadios(view)}<h2>Card</h2>${box("card_number", "1234 1234 1234 1234")}${box("card_expiry", "MM / YY")}${box("card_code", "CVC")}${totals(view)}
          <div role="button" tabindex="0" id="pay" class="card">Complete purchase</div>
          ${onPress(
            "#pay",
            `const { ok, json } = await gallery.send("/api/pay", gallery.fieldsOf());
             if (!ok) throw new Error(json.error);
             location.href = "/thanks";`,
          )}`;
      },
    },
  ],
  endpoints: [
    endpoint("POST", "/api/pay", "payment", ({ view, body, response, pay }) => {
      const paid = ["email", "lastName", "address1", "postcode"].every((name) => body[name])
        ? pay(typedCard(view, body))
        : { error: "Please fill in all fields." };
      response.status("error" in paid ? 402 : 200).json(paid);
    }),
  ],
};
