/** The complete service as in `npm start`, with its own database: on PostgreSQL if the run has a server, or else PGlite. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { startSandbox } from "../../sandbox/start.ts";
import { type NewApiToken, storeApiToken } from "../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { type Service, startService } from "../../src/app/service.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { NETWORK_NAMES, type NetworkName } from "../../src/wallet/networks.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { createDatabase } from "./postgresql.ts";
import { copyEmbeddedTemplate } from "./template.ts";

export const ADMIN_TOKEN = randomBytes(24).toString("hex");
/** Token of checkout workers on the shared stack. */
export const WORKER_TOKEN = "worker-token-of-this-test-0123456789";
/** Email address of the administrator who reviews apps on the shared stack. The account does not exist initially. */
export const ADMIN_EMAIL = "administrator@example.test";
const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };

export interface TestAccount {
  readonly accountId: string;
  readonly tokenId: string;
  readonly token: string;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  readonly json: any;
}

export interface Stack {
  readonly service: Service;
  readonly sandbox: SandboxEndpoints | null;
  readonly baseUrl: string;
  /** Creates an account with X402 enabled and a token. Limits are in micro-USD; default: no limits. */
  account(options?: {
    limits?: Partial<NewApiToken["limits"]>;
    x402?: boolean;
    token?: Partial<NewApiToken>;
  }): Promise<TestAccount>;
  /** Funds the account's wallet on every started chain. */
  fund(account: TestAccount, usdcAtomic: string): Promise<void>;
  rest(
    token: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse>;
  graphql(
    token: string | null,
    query: string,
    variables?: object,
    headers?: Record<string, string>,
  ): Promise<TestResponse>;
}

export interface OwnStack extends Stack {
  stop(): Promise<void>;
}

export interface StackOptions {
  /** Sandbox networks to start; undefined starts no sandbox. */
  readonly networks?: NetworkName[];
  /** Environment; it may depend on the sandbox's endpoints. */
  readonly env?: Record<string, string> | ((sandbox: SandboxEndpoints) => Record<string, string>);
  /** Receives all log lines, from level trace. */
  readonly onLog?: (line: string) => void;
}

const SHARED_OPTIONS: StackOptions = {
  networks: ["base-sepolia"],
  env: {
    AGENT_MAIL_DOMAIN: "agents.example",
    CARD_SECURITY_CODE: "keep",
    ADMIN_EMAILS: ADMIN_EMAIL,
    WORKER_TOKEN,
  },
};
let shared: Promise<Stack> | null = null;

/**
 * Returns the stack with default settings, the sandbox and Base Sepolia, shared by all files of a vitest worker. Each test
 * creates its own accounts. The stack ends with the worker process; the run removes its folder and database.
 */
export function sharedStack(): Promise<Stack> {
  shared ??= startStack(SHARED_OPTIONS);
  return shared;
}

/** Starts a separate stack, for other settings or for faults that would affect other tests. */
export async function startStack(options: StackOptions = {}): Promise<OwnStack> {
  const dataDir = mkdtempSync(join(tmpdir(), "satchel-stack-"));
  const sandbox = options.networks
    ? await startSandbox({ dataDir: join(dataDir, "sandbox"), networks: options.networks as never })
    : null;
  const env = (typeof options.env === "function" ? sandbox && options.env(sandbox.endpoints) : options.env) ?? {};
  const server = inject("postgresqlUrl");
  const database = server === null ? null : await createDatabase(server);
  if (!database) await copyEmbeddedTemplate(inject("embeddedTemplate"), dataDir);
  const config = loadConfig({
    NODE_ENV: "test",
    PORT: "0",
    DATA_DIR: dataDir,
    ...(database ? { DATABASE_URL: database.databaseUrl } : {}),
    LOG_LEVEL: process.env["STACK_LOG_LEVEL"] ?? "silent",
    ADMIN_TOKEN,
    RECONCILE_INTERVAL_MS: "1000",
    // Tests write ledger rows and advance chains as they like.
    CHAIN_AUDIT: "0",
    EGRESS_ALLOW_LOOPBACK: "1",
    ...env,
  });
  const service = await startService({
    config,
    logger: options.onLog ? createLogger("trace", { write: options.onLog }) : createLogger(config.LOG_LEVEL),
    sandbox: sandbox?.endpoints ?? null,
  });
  const { deps, baseUrl, localUrl } = service;
  let accounts = 0;

  async function call(method: string, url: string, token: string | null, body: unknown, extra: Record<string, string>) {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === null ? {} : { "x-service-token": token }),
        ...extra,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let json: unknown = null;
    try {
      json = JSON.parse(text);
    } catch {}
    return { status: response.status, headers: response.headers, text, json };
  }

  async function fundWallet(wallet: { evmAddress: string; solanaAddress: string }, usdcAtomic: string) {
    const { evmAddress, solanaAddress } = wallet;
    const body = { evmAddress, solanaAddress, usdcAtomic, nativeAtomic: "1000000000000000000" };
    const { status, text } = await call("POST", `${sandbox?.endpoints.adminUrl}/fund`, null, body, {});
    if (status !== 200) throw new Error(`Funding failed: ${text}`);
  }
  if (sandbox) await fundWallet(await deps.wallets.treasury(), "100000000");

  return {
    service,
    sandbox: sandbox?.endpoints ?? null,
    baseUrl,
    async account({ limits = {}, x402 = true, token = {} } = {}) {
      accounts += 1;
      const email = `person-${accounts}@example.test`;
      const freeCreditMicroUsd = deps.settings.freeCreditMicroUsd;
      const account = await openAccount(
        { ...deps, freeCreditMicroUsd },
        { email, displayName: null, limits: NO_LIMITS },
      );
      if (x402) await deps.db.prisma.account.update({ where: { id: account.id }, data: { x402EnabledAt: new Date() } });
      const created = await storeApiToken(deps.db, account.id, {
        name: "test",
        limits: { ...NO_LIMITS, ...limits },
        scopes: SCOPES,
        networks: NETWORK_NAMES,
        allowedHosts: [],
        allowedPayees: [],
        expiresAt: null,
        ...token,
      });
      return { accountId: account.id, tokenId: created.token.id, token: created.secret };
    },
    fund: async ({ accountId }, usdcAtomic) => fundWallet(await deps.wallets.ofAccount(accountId), usdcAtomic),
    rest: (token, method, path, body, headers = {}) => call(method, localUrl + path, token, body, headers),
    graphql: (token, query, variables = {}, headers = {}) =>
      call("POST", `${localUrl}/graphql`, token, { query, variables }, headers),
    async stop() {
      await service.stop();
      await sandbox?.stop();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
