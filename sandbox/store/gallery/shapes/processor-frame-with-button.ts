import { html } from "../../../mail/html.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Saferpay: the whole payment form with its button is a frame of the processor, and the page polls until it is paid.",
  source: "https://saferpay.github.io/sndbx/",
  market: "DE",
  cart: (view) => html`<h1>Warenkorb</h1><p>${view.money(view.subtotalMinor)}</p>
    <p><label><input type="checkbox" id="terms"> Ich habe die <a href="/agb">AGB</a> gelesen und akzeptiere sie.</label></p>
    <p><button type="button" disabled onclick="location.href = '/kasse/adresse'">Zur Kasse</button></p>
    <script>document.getElementById("terms").addEventListener("change", ({ target }) => { document.querySelector("button").disabled = !target.checked; });</script>`,
  pages: [
    {
      path: "/kasse/adresse",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Ihre Adresse</h1><p><label for="kind">Kundentyp *</label> <select id="kind" name="kind" required><option value="">Bitte wählen</option><option value="b">Firmenkunde</option><option value="c">Privatkunde</option></select></p>${address(view)} ${deliveryRadios(view)} ${button("Weiter zur Zahlung")}`,
        ),
    },
    {
      path: "/kasse/zahlung",
      step: "payment",
      content: (view) =>
        html`<h1>Zahlung</h1>${totals(view)}<iframe src="/kasse/saferpay" title="Saferpay" width="600" height="500" style="border: 0"></iframe>${script(`const poll = async () => {
          const { json } = await gallery.send("/kasse/status", undefined, "GET");
          if (json?.isPaid) location.href = "/kasse/danke";
          else setTimeout(poll, 700);
        };
        poll();`)}`,
    },
  ],
  confirmationPath: "/kasse/danke",
  endpoints: [
    endpoint("GET", "/kasse/saferpay", "payment", ({ view, response, pay }) => {
      const { id } = view.processor.createIntent({
        amount: view.money(view.totalMinor),
        returnUrl: `${view.processor.url}/frame`,
        confirm: pay,
      });
      response.redirect(303, `${view.processor.url}/pay/${id}`);
    }),
    endpoint("GET", "/kasse/status", "payment", ({ view, response }) => {
      response.json({ isPaid: view.order.orderNumber !== null });
    }),
  ],
};
