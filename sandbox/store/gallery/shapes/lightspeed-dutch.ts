import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { control } from "../markup/fields.ts";
import { form, onPress, raw, section } from "../markup/layout.ts";
import { COUNTRIES } from "../markup/states.ts";
import { endpoint, type Shape } from "../shape.ts";

const field = (name: string, label: string, isRequired = true) =>
  control({ name, label, autocomplete: null, isRequired });

export const shape: Shape = {
  title:
    "Lightspeed's one-page checkout in Dutch: a separate house number, unlabelled prices, a card beside iDEAL and terms that a script checks.",
  source: "https://ecom-support.lightspeedhq.com/hc/en-us/articles/1260804034910-Customizing-the-checkout",
  market: "DE",
  cart: () => html`<h1>Winkelwagen</h1><p><a href="/nl/checkout">Naar de kassa</a> <a href="/">Verder winkelen</a></p>`,
  pages: [
    {
      path: "/nl/checkout",
      step: "payment",
      content: (view) =>
        html`<h1>Bestellen</h1>${form(
          html`${section("Gegevens", field("customer[email]", "E-mailadres"), field("customer[firstname]", "Voornaam"), field("customer[lastname]", "Achternaam"), field("customer[phone]", "Telefoonnummer", false))}
        ${section("Adres", field("shipping[address]", "Straatnaam"), field("shipping[number]", "Huisnummer"), field("shipping[extension]", "Toevoeging", false), field("shipping[zipcode]", "Postcode"), field("shipping[city]", "Woonplaats"), control({ name: "shipping[country]", label: "Land", autocomplete: null, isRequired: true, options: Object.entries(COUNTRIES), value: "" }))}
        ${section("Verzendmethode", html`<ul>${deliveryOptions(view).map(({ code, title, price }) => html`<li><input type="radio" name="delivery" id="m-${code}" value="${code}"><label for="m-${code}">${title}</label> <span>${price}</span></li>`)}</ul>`)}
        ${section("Betaalmethode", html`<p><label><input type="radio" name="method" value="ideal"> iDEAL</label></p><p><label><input type="radio" name="method" value="creditcard" checked> Creditcard</label></p>`, cardFields({ isSplit: true, autocomplete: false }))}
        <table><tr><td>Subtotaal</td><td>${view.money(view.subtotalMinor)}</td></tr><tr><td>Verzendkosten</td><td>${view.money(view.deliveryMinor)}</td></tr><tr><th>Totaal incl. btw</th><th>${view.money(view.totalMinor)}</th></tr></table>
        <p><input type="checkbox" name="newsletter" value="1" id="news"> <label for="news">Schrijf me in voor de nieuwsbrief</label></p>
        <p><input type="checkbox" name="terms" value="1" id="terms"> <label for="terms">Ik ga akkoord met de <a href="/voorwaarden">algemene voorwaarden</a></label></p>
        <p><button type="submit">Bestelling plaatsen</button></p>`,
          'id="checkout"',
        )}${onPress(
          "#checkout",
          `const values = gallery.fieldsOf(document.getElementById("checkout"));
         if (!values.terms) throw new Error("Ga akkoord met de algemene voorwaarden.");
         if (!values.delivery) throw new Error("Kies een verzendmethode.");
         const { ok, json } = await gallery.send("/nl/checkout/onepage", new URLSearchParams(values));
         if (!ok) throw new Error(json.message);
         location.href = "/nl/checkout/bedankt";`,
        )}`,
    },
  ],
  confirmationPath: "/nl/checkout/bedankt",
  confirmation: (
    view,
    orderNumber,
  ) => html`<h1>Bedankt voor je bestelling!</h1>${raw("<p>Je ontvangt een bevestiging per e-mail.</p>")}
    <p>Bestelnummer: ${orderNumber}</p><p>Totaal: ${view.money(view.totalMinor)}</p>`,
  endpoints: [
    endpoint("POST", "/nl/checkout/onepage", "payment", ({ view, body, response, pay }) => {
      const paid = pay(typedCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ number: paid.orderNumber });
    }),
  ],
};
