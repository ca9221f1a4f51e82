import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Express, type Response } from "express";
import { html } from "../../mail/html.ts";
import type { OpenStore } from "../directory.ts";
import { cardErrors, cardSchema } from "./cards.ts";
import { framePage } from "./frame.ts";
import type { Processor } from "./processor.ts";

const file = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");

/** The processor's origin: `GET /card?shop=` serves the frame with the card fields, `POST /tokens` tokenises a card. */
export function processorApp(processor: Processor, stores: () => OpenStore[]): Express {
  const app = express();
  app.disable("x-powered-by");
  const [style, script] = [file("frame.css"), file("frame.js")];
  app.get("/frame.css", (_request, response) => void response.type("css").send(style));
  app.get("/frame.js", (_request, response) => void response.type("js").send(script));

  app.get("/card", (request, response) => {
    const open = stores().find(({ store }) => store.name === request.query["shop"]);
    if (!open || request.query["down"] !== undefined) {
      return void response.status(503).type("text").send("Payments are not available.");
    }
    setSecurityHeaders(response, open.url);
    response.type("html").send(framePage(open.store.checkout.card, open.url, new Date()));
  });
  app.post("/tokens", express.json({ limit: "4kb" }), (request, response) => {
    const { success, data } = cardSchema.safeParse(request.body);
    if (!success) return void response.status(400).json({ errors: { number: "Enter all card data." } });
    const errors = cardErrors(data, new Date());
    if (Object.keys(errors).length > 0) return void response.status(402).json({ errors });
    response.json({ token: processor.tokenise(data).id });
  });
  app.get("/captcha", (_request, response) => {
    response.type("html").send(
      html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>reCAPTCHA</title><link rel="stylesheet" href="/frame.css"></head>
<body><label><input type="checkbox" style="width: auto"> I'm not a robot</label></body></html>`.safeHtml,
    );
  });
  return app;
}

/** Restricts a page to its own resources and to embedding by its store. */
function setSecurityHeaders(response: Response, storeUrl: string): void {
  response.set({
    "content-security-policy": `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${storeUrl}`,
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
}
