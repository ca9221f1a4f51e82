import type { NetworkName } from "./networks.ts";

export type { NetworkName } from "./networks.ts";

/** Endpoint of a chain. `chainId` and `usdcDomain` (EIP-712) exist on EVM chains only. */
export interface SandboxNetwork {
  rpcUrl: string;
  usdc: string;
  chainId?: number;
  usdcDomain?: { name: string; version: string };
}

/** Public facts of a sandbox store. */
export interface SandboxStore {
  name: string;
  title: string;
  url: string;
  kind: "shopify" | "worker";
  country: string;
  currency: string;
  shipsTo: string[];
  /** Whether the store offers pickup. */
  collects: boolean;
  /** Whether prices include tax, or the checkout adds it. */
  tax: "included" | "added";
}

/** Endpoints of a started sandbox. All URLs are loopback origins without a trailing slash. */
export interface SandboxEndpoints {
  /** Only the networks that were started. */
  networks: Partial<Record<NetworkName, SandboxNetwork>>;
  facilitatorUrl: string;
  shopUrl: string;
  /** The facilitator's declared EVM signer per EVM network: the only valid spender of an `upto` permit. */
  uptoSpenders: Partial<Record<NetworkName, string>>;
  /** A DEX on Base with the HTTP interface of 0x's Swap API v2; it accepts any API key. Null without Base. */
  dexUrl: string | null;
  /**
   * Language model providers at `<llmUrl>/<name>/v1`: exact-v1, exact-v2, upto-v1, upto-v2, key, faulty, faulty-key. Null
   * without Base Sepolia.
   */
  llmUrl: string | null;
  /**
   * A paid MCP server. Its origin lists the servers with faults, `/legacy/mcp` speaks the older revision only. Null without Base
   * Sepolia.
   */
  mcpUrl: string | null;
  /** Directory page of the regular stores. `POST /catalogue/search` searches the products of up to 1,000 stores per call. */
  storeUrl: string;
  /** Origin of the stores' card processor, and that of the card issuer's 3-D Secure page. */
  cardProcessorUrl: string;
  cardIssuerUrl: string;
  /**
   * Sandbox stores, each with its own origin. `shopify` stores have the Storefront API (`POST /api/2026-10/graphql.json`),
   * `worker` stores only pages.
   */
  stores: SandboxStore[];
  /**
   * Admin API: `POST /fund`, `GET /settlements`, `GET /observed?path=`, `POST /reset-faults`, `POST /dex/fault`,
   * `POST /dex/fund`, `POST /stores/<name>/fault`, `GET /stores/<name>/charges`.
   */
  adminUrl: string;
  /**
   * An OAuth application without registration, over TLS: `<url>/client.json` is its client ID metadata document. `certificate`
   * is its certificate in PEM. `<url>/apps/<name>.json` are others, and `<url>/retrievals?path=` counts retrievals.
   */
  app: { url: string; certificate: string };
  /** SMTP server that accepts all mail, with any credentials or none, without TLS. */
  smtp: { host: string; port: number };
  /** Received mail: `GET /` is the page, `GET /messages?to=` lists newest first, also `GET /messages/:id` and `GET /events`. */
  mailUrl: string;
  /** DNS server of the sandbox's domains, such as `127.0.0.1:40053`. `PUT <adminUrl>/mail/dns` adds records. */
  dnsServer: string;
  /** Email address that replies to each message. `PUT <adminUrl>/mail/routes` sets the mail server of a domain. */
  correspondent: string;
}

/** Messages of the sandbox process to its parent over IPC. */
export type SandboxMessage =
  | { type: "progress"; message: string }
  | { type: "ready"; sandbox: SandboxEndpoints }
  | { type: "failed"; message: string };
