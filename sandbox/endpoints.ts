import type { NetworkName } from "./networks.ts";

export type { NetworkName } from "./networks.ts";

/** Where one chain of the sandbox answers. `chainId` and `usdcDomain` (EIP-712) exist on EVM chains only. */
export interface SandboxNetwork {
  rpcUrl: string;
  usdc: string;
  chainId?: number;
  usdcDomain?: { name: string; version: string };
}

/** A shop of the sandbox, with what anybody can find out about it. */
export interface SandboxStore {
  name: string;
  title: string;
  url: string;
  kind: "shopify" | "worker";
  country: string;
  currency: string;
  shipsTo: string[];
  /** Whether people may fetch what they bought. */
  collects: boolean;
  /** Whether its prices have tax in them, or get it added at checkout. */
  tax: "included" | "added";
}

/** What a started sandbox offers; all URLs are origins on loopback without a trailing slash. */
export interface SandboxEndpoints {
  /** Only the networks that were started. */
  networks: Partial<Record<NetworkName, SandboxNetwork>>;
  facilitatorUrl: string;
  shopUrl: string;
  /** The facilitator's declared EVM signer per EVM network: the only spender an `upto` permit may name. */
  uptoSpenders: Partial<Record<NetworkName, string>>;
  /** A DEX on Base behind the HTTP interface of 0x's Swap API v2, with any API key; null when Base was not started. */
  dexUrl: string | null;
  /** Language model providers, each at `<llmUrl>/<name>/v1`: exact-v1, exact-v2, upto-v1, upto-v2, key, faulty, faulty-key; null without base-sepolia. */
  llmUrl: string | null;
  /** Lists the ordinary shops for people; `POST /catalogue/search` finds products of up to 1,000 of them a call. */
  storeUrl: string;
  /** Each shop an origin: `shopify` ones with the Storefront API (`POST /api/2026-10/graphql.json`), `worker` ones with pages alone. */
  stores: SandboxStore[];
  /**
   * `POST /fund`, `GET /settlements`, `GET /observed?path=`, `POST /reset-faults`; `/dex`: `POST /dex/fault`, `POST /dex/fund`;
   * `/stores`: `POST /stores/<name>/fault`, `GET /stores/<name>/charges`.
   */
  adminUrl: string;
  /** Takes all mail, with any credentials or none, without TLS. */
  smtp: { host: string; port: number };
  /** Shows that mail: `GET /` for people, `GET /messages?to=` newest first, `GET /messages/:id`, `GET /events`. */
  mailUrl: string;
  /** Answers for the sandbox's domains, such as `127.0.0.1:40053`; `PUT <adminUrl>/mail/dns` adds records. */
  dnsServer: string;
  /** Answers what it is sent. `PUT <adminUrl>/mail/routes` says where mail for a domain goes. */
  correspondent: string;
}

/** What the sandbox process tells its parent over IPC. */
export type SandboxMessage =
  | { type: "progress"; message: string }
  | { type: "ready"; sandbox: SandboxEndpoints }
  | { type: "failed"; message: string };
