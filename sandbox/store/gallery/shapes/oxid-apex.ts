import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, raw, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "OXID eShop's Apex: a guest option, a delivery list without a label or prices that posts itself, and buttons outside of their forms.",
  source: "https://github.com/OXID-eSales/apex-theme/tree/b-7.0.x/tpl/page/checkout",
  market: "DE",
  pages: [
    {
      path: "/index.php/user",
      step: "address",
      content: (view) => html`<h1>Adressen wählen</h1>
        <div class="card"><h3>Bestellen ohne Registrierung</h3><p>Sie möchten keine persönlichen Daten speichern.</p>
        ${form(
          html`<p><label class="req">Anrede</label> <select name="invadr[oxuser__oxsal]" required><option value="">-</option><option value="MRS">Frau</option><option value="MR">Herr</option></select></p>
          ${address(view, { hasAutocomplete: false, names: { firstName: "invadr[oxuser__oxfname]", lastName: "invadr[oxuser__oxlname]", city: "invadr[oxuser__oxcity]", postcode: "invadr[oxuser__oxzip]", country: "invadr[oxuser__oxcountryid]", email: "lgn_usr" }, without: ["address1", "address2", "state"] })}
          <p><label class="req">Straße, Hausnummer</label> <input type="text" name="invadr[oxuser__oxstreet]" maxlength="255" required> <input type="text" name="invadr[oxuser__oxstreetnr]" maxlength="16" required></p>
          <p><label><input type="checkbox" name="blnewssubscribed" value="1"> Newsletter abonnieren</label></p>`,
          `id="order-address"`,
        )}</div>
        <p><button type="button" onclick="document.getElementById('order-address').requestSubmit();">Weiter</button></p>`,
    },
    {
      path: "/index.php/payment",
      step: "payment",
      content: (view) => html`<form method="post" id="payment"><h4>Zahlungsart</h4>
          <dl><dt><input type="radio" name="paymentid" value="oxidinvoice" id="p1" checked> <label for="p1"><b>Rechnung</b></label></dt><dt><input type="radio" name="paymentid" value="oxidcreditcard" id="p2"> <label for="p2"><b>Kreditkarte</b></label></dt></dl>
          <div id="card" hidden>${cardFields({ isSplit: true })}</div></form>
        <form method="post" id="shipping"><h4>Bitte wählen Sie Ihre Versandart</h4><input type="hidden" name="fnc" value="changeshipping"><div class="mb-3"><select name="delivery" onchange="this.form.submit();">${deliveryOptions(view).map(({ code, title }) => html`<option value="${code}" ${view.order.delivery === code ? raw("selected") : ""}>${title}</option>`)}</select></div><div id="shipSetCost">Kosten: ${view.money(view.deliveryMinor)}</div></form>
        ${totals(view)}<p><button type="button" onclick="document.getElementById('payment').requestSubmit();">Weiter</button></p>
        ${script(`const card = document.getElementById("card");
          const show = () => {
            card.hidden = !document.getElementById("p2").checked;
            for (const field of card.querySelectorAll("input, select")) field.disabled = card.hidden;
          };
          document.getElementById("payment").addEventListener("change", show);
          show();`)}`,
      next: (view, body) => {
        if (body["fnc"] === "changeshipping") return "/index.php/payment";
        view.order.card = typedCard(view, body);
        return "/index.php/order";
      },
    },
    {
      path: "/index.php/order",
      step: "payment",
      readCard: (view, body) => (body["ord_agb"] === "1" ? view.order.card : null),
      content: (view) => html`<h1>Bestellung überprüfen</h1><p>Zahlungsart: Kreditkarte</p>${totals(view)}
        <form method="post" id="orderConfirmAgbBottom"><p><input id="checkAgbTop" type="checkbox" name="ord_agb" value="1"> <label for="checkAgbTop">Ich habe die <a href="/agb">AGB</a> gelesen und erkläre mich mit ihnen einverstanden.</label></p>${button("Zahlungspflichtig bestellen")}</form>`,
    },
  ],
  confirmationPath: "/index.php/thankyou",
};
