/** HTTP client of the sandbox stores. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
type Json = any;

export interface Stores {
  readonly sandbox: Sandbox;
  urlOf(store: string): string;
  /** Sends an operation to a store's Storefront API and returns the JSON response. */
  query(store: string, query: string, variables?: object): Promise<Json>;
  /** Sends an operation with `@defer` and returns the JSON of each part, in order. */
  queryDeferred(store: string, query: string, variables?: object): Promise<Json[]>;
  /** Configures a fault of a store; null removes all its faults. */
  setFault(store: string, fault: string | null, more?: { times?: number; cartId?: string }): Promise<Json>;
  admin(path: string): Promise<Json>;
  /** Stops the sandbox and starts another with the same folder. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export type SharedStores = Omit<Stores, "restart" | "stop">;
let shared: Promise<Stores> | null = null;

/**
 * Returns the stores shared by all files of a vitest worker until its process ends. Tests must limit faults to one cart and
 * read ledgers by cart, as other tests use the same stores.
 */
export function sharedStores(): Promise<SharedStores> {
  shared ??= openStores();
  return shared;
}

/** Starts separate stores, for restarts or for faults that would affect other tests. */
export async function openStores(): Promise<Stores> {
  const dataDir = mkdtempSync(join(tmpdir(), "sandbox-stores-"));
  let sandbox = await startSandbox({ dataDir, networks: [] });
  const urlOf = (store: string) => sandbox.endpoints.stores.find(({ name }) => name === store)?.url ?? "";
  const post = (url: string, body: object, accept = "application/json") =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify(body),
    });
  const graphqlUrl = (store: string) => `${urlOf(store)}/api/2026-10/graphql.json`;

  return {
    get sandbox() {
      return sandbox;
    },
    urlOf,
    query: async (store, query, variables = {}) => (await post(graphqlUrl(store), { query, variables })).json(),
    async queryDeferred(store, query, variables = {}) {
      const accept = "multipart/mixed; deferSpec=20220824, application/json";
      const response = await post(graphqlUrl(store), { query, variables }, accept);
      const boundary = /boundary="?([^";]+)/.exec(response.headers.get("content-type") ?? "")?.[1];
      const text = await response.text();
      if (!boundary) return [JSON.parse(text)];
      return text
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => JSON.parse(part.slice(part.indexOf("\r\n\r\n"))));
    },
    setFault: async (store, fault, more = {}) =>
      (await post(`${sandbox.endpoints.adminUrl}/stores/${store}/fault`, { fault, ...more })).json(),
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
