import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Express, type Request, type Response } from "express";
import { html } from "../../../mail/html.ts";
import type { Card } from "../card.ts";
import { cardError } from "./cards.ts";
import type { CardProcessor } from "./processor.ts";

const FRAME_SCRIPT = readFileSync(join(import.meta.dirname, "../client/frame.js"), "utf8");
/** Attributes of the fields, as processors render them. */
const INPUTS: Readonly<Record<string, readonly [label: string, name: string, token: string, placeholder: string]>> = {
  number: ["Card number", "cardnumber", "cc-number", "1234 1234 1234 1234"],
  expiry: ["Expiration date", "exp-date", "cc-exp", "MM / YY"],
  code: ["Security code", "cvc", "cc-csc", "CVC"],
  name: ["Name on card", "ccname", "cc-name", "Name on card"],
  postcode: ["ZIP or postal code", "postal", "postal-code", "Postcode"],
};

/** The processor's origin: frames with card fields, tokens, confirmation of payments and hosted payment pages. */
export function processorApp(processor: CardProcessor): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json({ limit: "16kb" }), express.urlencoded({ extended: false }));
  app.get("/frame.js", (_request, response) => void response.type("js").send(FRAME_SCRIPT));

  app.get("/frame", (request, response) => {
    const fields = String(request.query["fields"] ?? "").split(",");
    const inputs = fields.flatMap((field) => {
      const [label, name, token, placeholder] = INPUTS[field] ?? [];
      if (!label) return [];
      return html`<p><input data-field="${field}" name="${name ?? ""}" autocomplete="${token ?? ""}" aria-label="${label}" placeholder="${placeholder ?? ""}" inputmode="${field === "name" || field === "postcode" ? "text" : "numeric"}"></p>`;
    });
    response
      .type("html")
      .send(
        html`<!doctype html><html lang="en"><title>Card</title><body>${inputs}<script src="/frame.js"></script></body></html>`
          .safeHtml,
      );
  });

  const readCard = (request: Request): Card => {
    const { number = "", expiry = "", code = "" } = (request.body ?? {}) as Record<string, string>;
    return { number: String(number).replace(/\D/g, ""), expiry: String(expiry), code: String(code) };
  };
  /** Reads a valid card, or responds with the error. */
  const validCard = (request: Request, response: Response): Card | null => {
    const card = readCard(request);
    const error = cardError(card);
    if (error === null) return card;
    response.status(402).json({ error });
    return null;
  };

  // Accept.js and similar libraries call the processor from the merchant's page.
  app.options("/{*path}", (_request, response) => {
    response.set({
      ...{ "access-control-allow-origin": "*", "access-control-allow-headers": "content-type" },
      "access-control-allow-methods": "POST",
    });
    response.status(204).end();
  });
  app.post("/tokens", (request, response) => {
    response.set("access-control-allow-origin", "*");
    const card = validCard(request, response);
    if (card) response.json({ token: processor.tokenise(card) });
  });
  app.post("/encryptions", (request, response) => {
    const card = validCard(request, response);
    if (!card) return;
    const token = processor.tokenise(card);
    const part = (name: string) => `adyenjs_0_1_25$${name}$${token}`;
    const [month, year] = [part("month"), part("year")];
    response.json({
      fields: {
        ...{ encryptedCardNumber: part("number"), encryptedSecurityCode: part("code") },
        ...{ encryptedExpiryMonth: month, encryptedExpiryYear: year },
      },
    });
  });
  app.post("/intents/:id/confirm", (request, response) => {
    const intent = processor.findIntent(request.params.id);
    if (!intent) return void response.status(404).json({ error: "No such payment." });
    const card = validCard(request, response);
    if (!card) return;
    intent.result = intent.confirm(card);
    if ("error" in intent.result) response.status(402).json(intent.result);
    else response.json({ status: "succeeded", returnUrl: intent.returnUrl });
  });

  app.get("/pay/:id", (request, response) => {
    const intent = processor.findIntent(request.params.id);
    if (!intent) return void response.status(404).type("text").send("No such payment.");
    const error = intent.result && "error" in intent.result ? intent.result.error : null;
    response.type("html").send(hostedPage(intent.amount, error));
  });
  app.post("/pay/:id", (request, response) => {
    const intent = processor.findIntent(request.params.id);
    if (!intent) return void response.status(404).type("text").send("No such payment.");
    const card = readCard(request);
    const error = cardError(card);
    intent.result = error === null ? intent.confirm(card) : { error };
    response.redirect(303, "error" in intent.result ? `/pay/${intent.id}` : intent.returnUrl);
  });
  return app;
}

/** A hosted payment page with the amount, such as Stripe Checkout. */
function hostedPage(amount: string, error: string | null): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Secure payment</title><link rel="icon" href="data:,"></head>
<body><main><h1>Pay Mug store</h1><p>Total <strong>${amount}</strong></p>
  ${error === null ? "" : html`<p role="alert">${error}</p>`}
  <form method="post">
    <p><label>Card number <input name="number" autocomplete="cc-number" inputmode="numeric" required></label></p>
    <p><label>Expiry (MM/YY) <input name="expiry" autocomplete="cc-exp" inputmode="numeric" placeholder="MM/YY" required></label></p>
    <p><label>CVC <input name="code" autocomplete="cc-csc" inputmode="numeric" maxlength="4" required></label></p>
    <p><label>Cardholder name <input name="name" autocomplete="cc-name" required></label></p>
    <button>Pay ${amount}</button>
  </form></main></body></html>`.safeHtml;
}
