import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Express, type Response } from "express";
import type { Mailbox, MessageSummary } from "./mailbox.ts";
import { renderListPage, renderMessagePage } from "./page.ts";

const MAX_PAGE_MESSAGES = 200;
const MAX_API_MESSAGES = 100;
const HEARTBEAT_MS = 15_000;

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Policy for untrusted HTML: opaque origin, no scripts or forms, and only inlined images. */
const UNTRUSTED_HTML_POLICY = [
  "sandbox",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/**
 * Creates the app for the sandbox's mail. Pages: `GET /` and `GET /message/:id`. API: `GET /messages?to=` (newest first),
 * `GET /messages/:id`, `GET /messages/:id/raw` (the original) and `GET /events`. The latter sends server-sent events, one `mail`
 * event for each message; with `Last-Event-ID`, missed ones first.
 */
export function createMailApp(mailbox: Mailbox): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.use((_request, response, next) => {
    response.set({
      "content-security-policy": PAGE_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-dns-prefetch-control": "off",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    next();
  });
  for (const [name, type] of [
    ["page.css", "text/css"],
    ["live.js", "text/javascript"],
  ] as const) {
    const content = readFileSync(join(import.meta.dirname, name), "utf8");
    app.get(`/${name}`, (_request, response) => void response.type(type).send(content));
  }

  app.get("/", (request, response) => {
    const to = toText(request.query["to"]);
    response.type("html").send(renderListPage(mailbox.list(to || undefined, MAX_PAGE_MESSAGES), to));
  });
  app.get("/message/:id", async (request, response) => {
    const message = await mailbox.read(request.params.id);
    if (message) response.type("html").send(renderMessagePage(message));
    else response.status(404).type("text").send("Message not found.");
  });
  app.get("/message/:id/html", async (request, response) => {
    const html = (await mailbox.read(request.params.id))?.html;
    response.set("content-security-policy", UNTRUSTED_HTML_POLICY);
    if (html) response.type("html").send(html);
    else response.status(404).type("text").send("The message has no HTML part.");
  });

  app.get("/messages", async (request, response) => {
    const found = mailbox.list(toText(request.query["to"]) || undefined, MAX_API_MESSAGES);
    const messages = await Promise.all(found.map(({ id }) => mailbox.read(id).catch(() => undefined)));
    // A message may have been deleted meanwhile.
    response.json({ messages: messages.filter((message) => message !== undefined) });
  });
  app.get("/messages/:id", async (request, response) => {
    const message = await mailbox.read(request.params.id);
    if (message) response.json(message);
    else response.status(404).json({ error: "Message not found" });
  });
  app.get("/messages/:id/raw", async (request, response) => {
    const raw = await mailbox.readRaw(request.params.id);
    if (raw) response.attachment(`${request.params.id}.eml`).type("message/rfc822").send(raw);
    else response.status(404).json({ error: "Message not found" });
  });
  app.get("/events", (request, response) => streamEvents(mailbox, request.get("last-event-id"), response));
  return app;
}

function streamEvents(mailbox: Mailbox, lastEventId: string | undefined, response: Response): void {
  response.type("text/event-stream").flushHeaders();
  const write = (summary: MessageSummary) =>
    void response.write(`id: ${summary.id}\nevent: mail\ndata: ${JSON.stringify(summary)}\n\n`);
  if (lastEventId && /^\d{1,15}$/.test(lastEventId)) mailbox.since(lastEventId).forEach(write);
  const unsubscribe = mailbox.onMessage(write);
  const heartbeat = setInterval(() => void response.write(":\n\n"), HEARTBEAT_MS);
  response.on("close", () => {
    clearInterval(heartbeat);
    unsubscribe();
  });
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
