/** The whole service as `npm start` builds it, on a database of its own: on PostgreSQL if the run has a server, else on PGlite. */
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
import { copyEmbedded } from "./template.ts";

export const ADMIN_TOKEN = randomBytes(24).toString("hex");
/** Of checkout workers, on the shared stack. */
export const WORKER_TOKEN = "worker-token-of-this-test-0123456789";
/** Whose account reviews apps on the shared stack, once there is one. */
export const ADMIN_EMAIL = "administrator@example.test";
const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };

export interface TestAccount {
  readonly accountId: string;
  readonly tokenId: string;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly json: any;
}

export interface Stack {
  readonly service: Service;
  readonly sandbox: SandboxEndpoints | null;
  readonly baseUrl: string;
  /** An account with X402 on and a token; limits in micro-USD where given. */
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
  ): Promise<Answer>;
  graphql(token: string | null, query: string, variables?: object, headers?: Record<string, string>): Promise<Answer>;
}

export interface OwnStack extends Stack {
  stop(): Promise<void>;
}

export interface StackOptions {
  /** The sandbox's networks to start; none starts no sandbox. */
  readonly networks?: NetworkName[];
  /** May depend on where the sandbox is. */
  readonly env?: Record<string, string> | ((sandbox: SandboxEndpoints) => Record<string, string>);
  /** Given every line of the log, down to the least severe. */
  readonly onLog?: (line: string) => void;
}

const STANDARD: StackOptions = {
  networks: ["base-sepolia"],
  env: {
    AGENT_MAIL_DOMAIN: "agents.example",
    CARD_SECURITY_CODE: "keep",
    ADMIN_EMAILS: ADMIN_EMAIL,
    WORKER_TOKEN,
  },
};
let standard: Promise<Stack> | null = null;

/**
 * The stack of standard settings that all files of a vitest worker share, with the sandbox and Base Sepolia. Each test opens
 * accounts of its own there. It ends with the worker's process; the run removes its folder and its database.
 */
export function sharedStack(): Promise<Stack> {
  standard ??= startStack(STANDARD);
  return standard;
}

/** A stack of a file's own: for settings that are not the standard ones, and for faults that others would notice. */
export async function startStack(options: StackOptions = {}): Promise<OwnStack> {
  const dataDir = mkdtempSync(join(tmpdir(), "satchel-stack-"));
  const sandbox = options.networks
    ? await startSandbox({ dataDir: join(dataDir, "sandbox"), networks: options.networks as never })
    : null;
  const env = (typeof options.env === "function" ? sandbox && options.env(sandbox.endpoints) : options.env) ?? {};
  const server = inject("postgresqlUrl");
  const database = server === null ? null : await createDatabase(server);
  if (!database) await copyEmbedded(inject("embeddedTemplate"), dataDir);
  const config = loadConfig({
    NODE_ENV: "test",
    PORT: "0",
    DATA_DIR: dataDir,
    ...(database ? { DATABASE_URL: database.databaseUrl } : {}),
    LOG_LEVEL: process.env["STACK_LOG_LEVEL"] ?? "silent",
    ADMIN_TOKEN,
    RECONCILE_INTERVAL_MS: "1000",
    EGRESS_ALLOW_LOOPBACK: "1",
    ...env,
  });
  const service = await startService({
    config,
    logger: options.onLog ? createLogger("trace", { write: options.onLog }) : createLogger(config.LOG_LEVEL),
    sandbox: sandbox?.endpoints ?? null,
  });
  const { deps, baseUrl } = service;
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
    const answer = await call("POST", `${sandbox?.endpoints.adminUrl}/fund`, null, body, {});
    if (answer.status !== 200) throw new Error(`funding failed: ${answer.text}`);
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
      const made = await storeApiToken(deps.db, account.id, {
        name: "test",
        limits: { ...NO_LIMITS, ...limits },
        scopes: SCOPES,
        networks: NETWORK_NAMES,
        allowedHosts: [],
        allowedPayees: [],
        expiresAt: null,
        ...token,
      });
      return { accountId: account.id, tokenId: made.token.id, token: made.secret };
    },
    fund: async ({ accountId }, usdcAtomic) => fundWallet(await deps.wallets.ofAccount(accountId), usdcAtomic),
    rest: (token, method, path, body, headers = {}) => call(method, baseUrl + path, token, body, headers),
    graphql: (token, query, variables = {}, headers = {}) =>
      call("POST", `${baseUrl}/graphql`, token, { query, variables }, headers),
    async stop() {
      await service.stop();
      await sandbox?.stop();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
