/** An unknown merchant: German, with a login page, a separate billing address, and card fields in the page itself. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CARD, HOME, openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

const page = (title: string, content: string) =>
  `<!doctype html><html lang="de"><meta charset="utf-8"><title>${title}</title><body><h1>${title}</h1>${content}
  <footer>Vielen Dank für Ihren Besuch. <a href="/korb">Warenkorb</a></footer></body></html>`;
const address = (prefix: string) => `
  <p><label>Vorname <input name="${prefix}x1"></label> <label>Nachname <input name="${prefix}x2"></label></p>
  <p><label>Straße und Hausnummer <input name="${prefix}x3"></label></p>
  <p><label>PLZ <input name="${prefix}x4"></label> <label>Ort <input name="${prefix}x5"></label></p>
  <p><label>Land <select name="${prefix}x6"><option value="">Bitte wählen</option><option>Deutschland</option><option>Österreich</option><option>Vereinigtes Königreich</option></select></label></p>`;
const PAGES: Record<string, string> = {
  "/korb": page("Warenkorb", '<p>1 Kanne</p><p>Zwischensumme 19,90 €</p><a href="/anmelden">Zur Kasse</a>'),
  "/anmelden": page(
    "Anmelden",
    `<form method="post" action="/login"><label>E-Mail <input name="user" autocomplete="username"></label><label>Passwort <input type="password" name="p"></label><button>Anmelden</button></form>
     <a href="/kasse">Als Gast bestellen</a>`,
  ),
  "/kasse": page(
    "Kasse",
    `<form method="post" action="/bestellen">
      <div style="position:absolute;left:-9999px"><label>E-Mail <input name="honey"></label></div>
      <p><label>E-Mail-Adresse <input name="mail"></label></p>
      <fieldset><legend>Lieferadresse</legend>${address("l")}</fieldset>
      <p><label><input type="checkbox" name="same" checked onchange="document.getElementById('bill').hidden = this.checked"> Rechnungsadresse entspricht der Lieferadresse</label></p>
      <fieldset id="bill" hidden><legend>Rechnungsadresse</legend>${address("r")}</fieldset>
      <fieldset><legend>Versandart</legend>
        <label><input type="radio" name="ship" value="abholen" checked> Selbstabholung, kostenlos</label>
        <label><input type="radio" name="ship" value="dhl"> DHL Paket, 2 bis 3 Tage: 4,90 €</label>
        <label><input type="radio" name="ship" value="express"> DHL Express: 12,90 €</label></fieldset>
      <fieldset><legend>Zahlungsart</legend>
        <label><input type="radio" name="pay" value="paypal" checked> PayPal</label>
        <label><input type="radio" name="pay" value="card" onchange="document.getElementById('card').hidden = false"> Kreditkarte</label>
        <div id="card" hidden>
          <p><label>Kartennummer <input name="k1" inputmode="numeric"></label></p>
          <p><label>Gültig bis (MM/JJJJ) <input name="k2"></label> <label>Prüfnummer <input name="k3" maxlength="4"></label></p>
          <p><label>Karteninhaber <input name="k4"></label></p></div></fieldset>
      <p><label><input type="checkbox" name="agb" required> Ich akzeptiere die AGB und den Datenschutz</label></p>
      <p><label><input type="checkbox" name="news"> Ja, ich möchte den Newsletter mit Angeboten und akzeptiere die Bedingungen</label></p>
      <dl><dt>Zwischensumme</dt><dd>19,90 €</dd><dt>Gesamtsumme</dt><dd id="sum">24,80 €</dd></dl>
      <button type="button">Gutschein einlösen</button> <button>Zahlungspflichtig bestellen</button>
    </form>`,
  ),
  "/danke": page(
    "Vielen Dank für Ihre Bestellung",
    "<p>Ihre Bestellnummer: 2026-00417</p><dl><dt>Gesamtsumme</dt><dd>24,80 €</dd></dl>",
  ),
};

PAGES["/korb-offen"] = PAGES["/korb"]?.replace("/anmelden", "/kasse-offen") ?? "";
PAGES["/kasse-offen"] = PAGES["/kasse"]?.replace("/bestellen", "http://merchant.example/bestellen") ?? "";
// A dialog requests a second confirmation.
PAGES["/korb-frage"] = PAGES["/korb"]?.replace("/anmelden", "/kasse-frage") ?? "";
PAGES["/kasse-frage"] =
  PAGES["/kasse"]?.replace("Vielen Dank für Ihren Besuch.", "").replace(
    "<button>Zahlungspflichtig bestellen</button>",
    `<button type="button" onclick="document.getElementById('frage').hidden = false">Zahlungspflichtig bestellen</button>
      <div role="alertdialog" id="frage" style="position:fixed;top:0;left:0" hidden><p>Jetzt bestellen?</p><button>Bestätigen</button></div>`,
  ) ?? "";

let fixture: WorkerFixture;
let server: Server;
let url = "";
let orders: Record<string, string>[] = [];
beforeAll(async () => {
  fixture = await openWorkerFixture();
  server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (request.method === "GET") {
      return void response.setHeader("content-type", "text/html").end(PAGES[path] ?? page("Unbekannt", ""));
    }
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      orders.push(Object.fromEntries(new URLSearchParams(body)));
      response.writeHead(303, { location: "/danke" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  orders = [];
});
afterAll(() => {
  server.close();
});

const BERLIN = {
  ...HOME,
  firstName: "Grace",
  lastName: "Hopper",
  address1: "Am Markt 1",
  city: "Berlin",
  postalCode: "10115",
  countryCode: "DE",
};

it("completes a purchase with the card's billing address", async () => {
  const { result, calls, steps } = await fixture.drive({
    ...{ store: url, cartPath: "/korb", amountMinor: 2_480, currency: "EUR", deliverTo: BERLIN },
    fulfillment: { type: "shipping", title: "DHL Paket", amountMinor: 490, pickupLocation: null },
  });
  expect({ result, steps }).toMatchObject({
    result: {
      cause: "confirmed",
      confirmation: { orderNumber: "2026-00417", amountChargedMinor: 2_480, currency: "EUR" },
    },
  });
  expect(calls).toEqual(["card", "submitting"]);
  expect(orders).toEqual([
    {
      honey: "",
      mail: "ada@example.com",
      ...{ lx1: "Grace", lx2: "Hopper", lx3: "Am Markt 1", lx4: "10115", lx5: "Berlin", lx6: "Deutschland" },
      ...{
        rx1: "Ada",
        rx2: "Lovelace",
        rx3: "1 Royal Mile",
        rx4: "EH1 1AA",
        rx5: "Edinburgh",
        rx6: "Vereinigtes Königreich",
      },
      ...{ ship: "dhl", pay: "card", agb: "on" },
      ...{ k1: CARD.number, k2: `12/${CARD.expYear}`, k3: "123", k4: "Ada Lovelace" },
    },
  ]);
});

describe("a dialog that requests a second confirmation", () => {
  const withDialog = {
    ...{ cartPath: "/korb-frage", amountMinor: 2_480, currency: "EUR", deliverTo: BERLIN },
    fulfillment: { type: "shipping", title: "DHL Paket", amountMinor: 490, pickupLocation: null },
  } as const;

  it("is confirmed once", async () => {
    const { result, steps } = await fixture.drive({ ...withDialog, store: url });
    expect({ cause: result.cause, count: orders.length }, steps.join("\n")).toEqual({ cause: "confirmed", count: 1 });
  });

  it("is not confirmed if the first press pays meanwhile", async () => {
    const { result, steps } = await fixture.drive({
      ...{ ...withDialog, store: url, timing: { outcomeMs: 3_000, confirmationMs: 1_000 } },
      async onStep(action, context) {
        if (action !== "Review the order") return;
        await context.pages()[0]?.evaluate(async () => {
          const form = document.forms[0];
          if (!form) throw new Error("The checkout has no form.");
          const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
          await fetch("/bestellen?sofort", { method: "POST", body });
        });
      },
    });
    expect(steps.join("\n")).toContain("Review the order");
    expect({ cause: result.cause, count: orders.length }, steps.join("\n")).toEqual({
      ...{ cause: "outcome_unknown", count: 1 },
    });
  });
});

it("fills no card in a frame outside the recipe", async () => {
  const recipe = {
    ...{ format: 1, basketUrl: null, checkoutOrigins: [url], cardFrameOrigins: ["https://pay.example"] },
    ...{ fields: {}, controls: {}, payPath: null },
  };
  const framed = `${fixture.stores.urlOf("kissa")}`;
  const { result, calls } = await fixture.drive({
    ...{ store: framed, cartPath: "/cart/730012:1", amountMinor: 3_300, currency: "JPY" },
    deliverTo: {
      ...HOME,
      address1: "1-1 Chiyoda",
      city: "Tokyo",
      provinceCode: "JP-13",
      postalCode: "100-0001",
      countryCode: "JP",
    },
    fulfillment: { type: "shipping", title: "Yamato", amountMinor: 600, pickupLocation: null },
    job: { recipe: { id: "rec_test", version: 1, definition: recipe } },
    timing: { appearMs: 1_500 },
  });
  expect(result).toEqual({ cause: "missing_field" });
  expect(calls).toEqual([]);
});

it("fills no card when the form is sent over an unencrypted connection", async () => {
  const { result, calls } = await fixture.drive({
    ...{ store: url, cartPath: "/korb-offen", amountMinor: 2_480, currency: "EUR", deliverTo: BERLIN },
    fulfillment: { type: "shipping", title: "DHL Paket", amountMinor: 490, pickupLocation: null },
  });
  expect({ result, calls }).toEqual({ result: { cause: "missing_field" }, calls: [] });
});
