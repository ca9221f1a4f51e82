/** The sandbox's shops as anybody's client meets them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
type Json = any;

export interface Stores {
  readonly sandbox: Sandbox;
  urlOf(shop: string): string;
  /** Asks a shop's Storefront API and answers the JSON. */
  ask(shop: string, query: string, variables?: object): Promise<Json>;
  /** Asks for an answer in parts: each part's JSON, in order. */
  askDeferred(shop: string, query: string, variables?: object): Promise<Json[]>;
  /** `fault` null takes all back. */
  order(shop: string, fault: string | null, more?: { times?: number; cartId?: string }): Promise<Json>;
  admin(path: string): Promise<Json>;
  /** Ends the sandbox and starts another over the same folder. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export type SharedStores = Omit<Stores, "restart" | "stop">;
let shared: Promise<Stores> | null = null;

/**
 * The sandbox's stores that all files of a vitest worker share, until its process ends. Faults are ordered for one cart there,
 * and ledgers read by cart: others use the same stores.
 */
export function sharedStores(): Promise<SharedStores> {
  shared ??= openStores();
  return shared;
}

/** Stores of a file's own: for faults that others would notice, and for restarts. */
export async function openStores(): Promise<Stores> {
  const dataDir = mkdtempSync(join(tmpdir(), "sandbox-stores-"));
  let sandbox = await startSandbox({ dataDir, networks: [] });
  const urlOf = (shop: string) => sandbox.endpoints.stores.find(({ name }) => name === shop)?.url ?? "";
  const post = (url: string, body: object, accept = "application/json") =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify(body),
    });
  const graphqlUrl = (shop: string) => `${urlOf(shop)}/api/2026-10/graphql.json`;

  return {
    get sandbox() {
      return sandbox;
    },
    urlOf,
    ask: async (shop, query, variables = {}) => (await post(graphqlUrl(shop), { query, variables })).json(),
    async askDeferred(shop, query, variables = {}) {
      const accept = "multipart/mixed; deferSpec=20220824, application/json";
      const response = await post(graphqlUrl(shop), { query, variables }, accept);
      const boundary = /boundary="?([^";]+)/.exec(response.headers.get("content-type") ?? "")?.[1];
      const text = await response.text();
      if (!boundary) return [JSON.parse(text)];
      return text
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => JSON.parse(part.slice(part.indexOf("\r\n\r\n"))));
    },
    order: async (shop, fault, more = {}) =>
      (await post(`${sandbox.endpoints.adminUrl}/stores/${shop}/fault`, { fault, ...more })).json(),
    admin: async (path) => (await fetch(`${sandbox.endpoints.adminUrl}/stores${path}`)).json(),
    async restart() {
      await sandbox.stop();
      sandbox = await startSandbox({ dataDir, networks: [] });
    },
    async stop() {
      await sandbox.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
