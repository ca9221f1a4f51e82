import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Express } from "express";
import { html, type SafeHtml } from "../../mail/html.ts";
import type { BankChallenge, Processor } from "./processor.ts";

/** The card issuer's 3-D Secure page: `GET /challenge/<payment>` requests a code or a cancellation from the cardholder. */
export function issuerApp(processor: Processor): Express {
  const app = express();
  app.disable("x-powered-by");
  const style = readFileSync(join(import.meta.dirname, "frame.css"), "utf8");
  app.get("/frame.css", (_request, response) => void response.type("css").send(style));
  app.get("/done.js", (_request, response) => {
    response.type("js").send("parent.postMessage({ type: 'bank-answered' }, document.body.dataset.shop);\n");
  });
  app.get("/challenge/:id", (request, response) => {
    const challenge = processor.challenge(request.params.id);
    if (challenge) response.type("html").send(challengePage(challenge));
    else response.status(404).type("text").send("Payment not found.");
  });
  app.post("/challenge/:id", express.urlencoded({ extended: false, limit: "4kb" }), (request, response) => {
    const body: Record<string, unknown> = request.body ?? {};
    const reply = body["answer"] === "cancel" ? "cancel" : { code: String(body["code"] ?? "") };
    const challenge = processor.respond(request.params.id, reply);
    if (!challenge) return void response.status(404).type("text").send("Payment not found.");
    // The response never ends, so the store waits too.
    if (challenge.isSilent) return;
    response.redirect(303, `/challenge/${challenge.id}`);
  });
  return app;
}

function challengePage(challenge: BankChallenge): string {
  const { id, state, storeTitle, shopUrl: storeUrl, amount, last4, wrongCodes } = challenge;
  if (state !== "open") {
    const statusText =
      state === "confirmed" ? "Confirmed. Returning to the store…" : "Not confirmed. Returning to the store…";
    return page(storeUrl, html`<p role="status">${statusText}</p><script src="/done.js"></script>`);
  }
  return page(
    storeUrl,
    html`<h1>Confirm your payment</h1>
    <p>${storeTitle} requests <strong>${amount}</strong> from your card ending in ${last4}.</p>
    ${wrongCodes > 0 ? html`<p class="error" role="alert">That code is not right.</p>` : ""}
    <form method="post" action="/challenge/${id}">
      <label for="code">Code we sent to your telephone</label>
      <input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="8">
      <button name="answer" value="confirm">Confirm</button>
      <button name="answer" value="cancel" formnovalidate>Cancel payment</button>
    </form>`,
  );
}

function page(storeUrl: string, content: SafeHtml): string {
  return html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox Bank</title><link rel="stylesheet" href="/frame.css"></head>
  <body data-shop="${storeUrl}">
    <p>Sandbox Bank</p>
    ${content}
  </body>
</html>
`.safeHtml;
}
