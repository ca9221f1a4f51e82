/** A merchant and a processor that record what reaches them, and a page of the merchant behind the pay gate. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { WebSocketServer } from "ws";
import { createFingerprint } from "../../src/worker/checkout/gate/opaque-values.ts";
import type { Profile } from "../../src/worker/checkout/gate/profile.ts";
import { installPayGate, type PayGate } from "../../src/worker/checkout/pay-gate.ts";
import { PROFILES } from "../../src/worker/checkout/profiles/all.ts";
import { sharedWorkerBrowser } from "./shared-worker-browser.ts";

export const CARD_NUMBER = "4242424242424242";
export const TOKEN = "tok_9fJ2kQ7xWm4Zr8";

export interface GatedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly gate: PayGate;
  readonly merchantUrl: string;
  readonly processorUrl: string;
  /** `METHOD /path body` of each request that reached a server, without those for pages. Messages of sockets: `SOCKET text`. */
  readonly received: readonly string[];
  /** What happened in order: `commit`, and the requests received. */
  readonly events: readonly string[];
  close(): Promise<void>;
}

interface GatedOptions {
  readonly profiles?: readonly Profile[];
  readonly commit?: () => Promise<void>;
  /** Time until the merchant responds to `/pay`. */
  readonly payMs?: number;
  /** Evaluated in the page before the gate is installed. */
  readonly before?: string;
}

/** Opens a page of the merchant, installs the gate, and presses unless `isPressed` is false. */
export async function openGatedPage(options: GatedOptions & { readonly isPressed?: boolean } = {}): Promise<GatedPage> {
  const { profiles = PROFILES, commit = async () => {}, payMs = 0, before, isPressed = true } = options;
  const events: string[] = [];
  const received: string[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const part of request) body += part;
    const path = request.url ?? "";
    response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "*");
    if (path === "/checkout" || path === "/frame")
      return void response.setHeader("content-type", "text/html").end("<p>A page</p>");
    received.push(`${request.method} ${path} ${body}`);
    events.push(path);
    if (payMs > 0 && path.startsWith("/pay")) await new Promise((resolve) => setTimeout(resolve, payMs));
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(path === "/tokens" ? { token: TOKEN } : {}));
  };
  const servers = await Promise.all([startServer(respond), startServer(respond)]);
  const [merchant, processor] = servers;
  const sockets = new WebSocketServer({ server: merchant });
  sockets.on("connection", (socket) => socket.on("message", (data) => void received.push(`SOCKET ${String(data)}`)));
  const merchantUrl = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}`;
  const processorUrl = `http://localhost:${(processor.address() as AddressInfo).port}`;
  const context = await (await sharedWorkerBrowser()).openContext();
  const page = await context.newPage();
  await page.goto(`${merchantUrl}/checkout`);
  if (before !== undefined) await page.evaluate(before);
  const gate = await openGate(context, {
    ...{ merchantUrl, processorUrl, profiles },
    async commit() {
      events.push("commit");
      await commit();
    },
  });
  if (isPressed) gate.press(null);
  return {
    ...{ page, context, gate, merchantUrl, processorUrl, received, events },
    async close() {
      await context.close();
      sockets.close();
      for (const server of servers) server.close();
    },
  };
}

interface GateOptions {
  readonly merchantUrl: string;
  /** Null: no processor is known. */
  readonly processorUrl: string | null;
  /** URL that certainly receives the payment. */
  readonly certainUrl?: string;
  readonly seen?: readonly string[];
  readonly responseMs?: number;
  readonly profiles?: readonly Profile[];
  readonly commit?: () => Promise<void>;
}

/** Installs the gate of a merchant and a processor, and watches the card. */
export async function openGate(context: BrowserContext, options: GateOptions): Promise<PayGate> {
  const { merchantUrl, processorUrl, certainUrl, seen = [], responseMs = 5_000 } = options;
  const { profiles = PROFILES, commit = async () => {} } = options;
  const gate = await installPayGate(context, {
    merchantOrigins: { has: (url) => new URL(url).origin === merchantUrl },
    job: {
      cardEntry: { pageOrigins: [merchantUrl], frameOrigins: null },
      processorOrigins: processorUrl === null ? [] : [processorUrl],
      issuerOrigins: [],
    },
    payUrl: null,
    cardOrigins: new Set(),
    isPayPath: (url) => url === certainUrl,
    traffic: { seen: new Set(seen), values: new Set(), fingerprint: createFingerprint() },
    ...{ responseMs, profiles, commit },
  });
  gate.watchCard(CARD_NUMBER);
  return gate;
}

/** Starts a server on the loopback interface. */
export async function startServer(
  respond: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Server> {
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
