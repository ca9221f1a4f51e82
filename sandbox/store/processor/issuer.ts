import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Express } from "express";
import { html, type SafeHtml } from "../../mail/html.ts";
import type { BankQuestion, Processor } from "./processor.ts";

/** The card's bank: `GET /challenge/<payment>` asks its owner for a code, or to refuse (3-D Secure). */
export function issuerApp(processor: Processor): Express {
  const app = express();
  app.disable("x-powered-by");
  const style = readFileSync(join(import.meta.dirname, "frame.css"), "utf8");
  app.get("/frame.css", (_request, response) => void response.type("css").send(style));
  app.get("/done.js", (_request, response) => {
    response.type("js").send("parent.postMessage({ type: 'bank-answered' }, document.body.dataset.shop);\n");
  });
  app.get("/challenge/:id", (request, response) => {
    const question = processor.question(request.params.id);
    if (question) response.type("html").send(questionPage(question));
    else response.status(404).type("text").send("The bank knows of no such payment.");
  });
  app.post("/challenge/:id", express.urlencoded({ extended: false, limit: "4kb" }), (request, response) => {
    const body: Record<string, unknown> = request.body ?? {};
    const answer = body["answer"] === "cancel" ? "cancel" : { code: String(body["code"] ?? "") };
    const question = processor.answer(request.params.id, answer);
    if (!question) return void response.status(404).type("text").send("The bank knows of no such payment.");
    // The page waits, and so does the shop.
    if (question.isSilent) return;
    response.redirect(303, `/challenge/${question.id}`);
  });
  return app;
}

function questionPage(question: BankQuestion): string {
  const { id, state, shopTitle, shopUrl, amount, last4, wrongCodes } = question;
  if (state !== "open") {
    const said = state === "confirmed" ? "Confirmed. Returning to the shop…" : "Not confirmed. Returning to the shop…";
    return page(shopUrl, html`<p role="status">${said}</p><script src="/done.js"></script>`);
  }
  return page(
    shopUrl,
    html`<h1>Confirm your payment</h1>
    <p>${shopTitle} asks for <strong>${amount}</strong> from your card ending in ${last4}.</p>
    ${wrongCodes > 0 ? html`<p class="error" role="alert">That code is not right.</p>` : ""}
    <form method="post" action="/challenge/${id}">
      <label for="code">Code we sent to your telephone</label>
      <input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="8">
      <button name="answer" value="confirm">Confirm</button>
      <button name="answer" value="cancel" formnovalidate>Cancel payment</button>
    </form>`,
  );
}

function page(shopUrl: string, content: SafeHtml): string {
  return html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox Bank</title><link rel="stylesheet" href="/frame.css"></head>
  <body data-shop="${shopUrl}">
    <p>Sandbox Bank</p>
    ${content}
  </body>
</html>
`.safeHtml;
}
