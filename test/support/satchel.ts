/** Installation with several service processes over time: database, keys and sandbox remain. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { type NewApiToken, storeApiToken } from "../../src/accounts/api-tokens.ts";
import type { SpendingLimits } from "../../src/accounts/spending-limits.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { type Service, startService } from "../../src/app/service.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createKeyEncryptionKeys } from "../../src/platform/crypto/sealing/key-encryption.ts";
import { type Database, openDatabase } from "../../src/platform/database/connection.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { NETWORK_NAMES } from "../../src/wallet/networks.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";
import { createWallets } from "../../src/wallet/wallets.ts";
import { createDatabase } from "./postgresql.ts";
import { type SatchelProcess, startSatchelProcess } from "./satchel-process.ts";
import { copyEmbeddedTemplate } from "./template.ts";

export const NO_LIMITS: SpendingLimits = {
  perTransactionMicroUsd: null,
  dailyMicroUsd: null,
  monthlyMicroUsd: null,
};

export interface Payer {
  readonly accountId: string;
  readonly tokenId: string;
  readonly token: string;
  readonly evmAddress: `0x${string}`;
  readonly solanaAddress: string;
}

export interface PayerOptions {
  readonly creditMicroUsd?: bigint;
  /** Amount for the wallet on each started chain. */
  readonly usdcAtomic?: bigint;
  readonly accountLimits?: Partial<SpendingLimits>;
  readonly tokenLimits?: Partial<SpendingLimits>;
  readonly token?: Partial<NewApiToken>;
}

export interface Satchel {
  readonly dataDir: string;
  /** Environment of the service processes. */
  readonly env: Record<string, string>;
  /**
   * Calls `use` with a database connection: that of the opened service, or else a separate one. On PGlite a separate
   * connection requires that no service process runs. It closes when a service starts; on a server it remains open.
   */
  withDatabase<Result>(use: (db: Database) => Promise<Result>): Promise<Result>;
  /** Creates an account with X402 enabled and a token; default: no credit and an empty wallet. Uses `withDatabase`. */
  payer(options?: PayerOptions): Promise<Payer>;
  /** Funds the treasury, which pays amounts covered by credit. Returns its EVM address. Uses `withDatabase`. */
  fundTreasury(usdcAtomic: bigint): Promise<string>;
  start(env?: Record<string, string>): Promise<SatchelProcess>;
  /** Starts the service in this process. `withDatabase` then uses its connection. */
  open(env?: Record<string, string>): Promise<Service>;
  remove(): Promise<void>;
}

/** @param options.postgresql URL of the database server; null for PGlite */
export async function createSatchel(options: {
  sandbox: SandboxEndpoints;
  postgresql: string | null;
  env?: Record<string, string>;
}): Promise<Satchel> {
  const { sandbox, postgresql } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "satchel-e2e-"));
  const server = postgresql === null ? null : await createDatabase(postgresql);
  if (!server) await copyEmbeddedTemplate(inject("embeddedTemplate"), dataDir);
  const rpcUrls = Object.entries(sandbox.networks).map(([name, { rpcUrl }]) => [
    `RPC_URL_${name.toUpperCase().replaceAll("-", "_")}`,
    rpcUrl,
  ]);
  const env: Record<string, string> = {
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    ...(server ? { DATABASE_URL: server.databaseUrl } : {}),
    SANDBOX: "0",
    // As in the sandbox.
    AGENT_REGISTRATION: "1",
    AGENT_PUBLISHES_MAILBOX: "1",
    AGENT_PUBLISHES_WALLET: "1",
    EGRESS_ALLOW_LOOPBACK: "1",
    KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    UPTO_SPENDERS: Object.values(sandbox.uptoSpenders).join(","),
    DEFAULT_NETWORK: "base-sepolia",
    // Tests trigger reconciliation explicitly.
    RECONCILE_INTERVAL_MS: "600000",
    CHAIN_AUDIT: "0",
    ...Object.fromEntries(rpcUrls),
    ...options.env,
  };

  let opened: Service | null = null;
  let connection: Promise<Database> | null = null;

  // The connection is reused: opening the embedded database costs more than its use in a test.
  async function withDatabase<Result>(use: (db: Database) => Promise<Result>): Promise<Result> {
    if (opened) return await use(opened.deps.db);
    connection ??= openDatabase({ databaseUrl: server?.databaseUrl, dataDir, poolSize: 4 });
    const opening = connection;
    const db = await opening.catch((error: unknown) => {
      if (connection === opening) connection = null;
      throw error;
    });
    return await use(db);
  }

  /** Closes the connection to an embedded database, which only one process may open. */
  async function closeEmbedded(): Promise<void> {
    if (!server) await closeConnection();
  }

  async function closeConnection(): Promise<void> {
    const closing = connection;
    connection = null;
    await (await closing?.catch(() => null))?.close();
  }

  const vault = createVault(await createKeyEncryptionKeys(loadConfig(env), { mayCreate: false }));

  async function fund(wallet: { evmAddress: string; solanaAddress: string }, usdcAtomic: bigint): Promise<void> {
    const { evmAddress, solanaAddress } = wallet;
    const body = { evmAddress, solanaAddress, usdcAtomic: String(usdcAtomic), nativeAtomic: String(10n ** 18n) };
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${sandbox.adminUrl}/fund`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`Funding failed: ${await response.text()}`);
  }

  return {
    dataDir,
    env,
    withDatabase,
    payer: ({ creditMicroUsd = 0n, usdcAtomic = 0n, accountLimits, tokenLimits, token } = {}) =>
      withDatabase(async (db) => {
        const account = await openAccount(
          { db, vault, freeCreditMicroUsd: creditMicroUsd },
          { email: `${randomUUID()}@example.test`, displayName: null, limits: { ...NO_LIMITS, ...accountLimits } },
        );
        await db.prisma.account.update({ where: { id: account.id }, data: { x402EnabledAt: new Date() } });
        const created = await storeApiToken(db, account.id, {
          name: "test",
          limits: { ...NO_LIMITS, ...tokenLimits },
          scopes: SCOPES,
          networks: NETWORK_NAMES,
          allowedHosts: [],
          allowedPayees: [],
          expiresAt: null,
          ...token,
        });
        const { evmAddress, solanaAddress } = await createWallets(db, vault).ofAccount(account.id);
        if (usdcAtomic > 0n) await fund({ evmAddress, solanaAddress }, usdcAtomic);
        return { accountId: account.id, tokenId: created.token.id, token: created.secret, evmAddress, solanaAddress };
      }),
    fundTreasury: (usdcAtomic) =>
      withDatabase(async (db) => {
        const treasury = await createWallets(db, vault).treasury();
        await fund(treasury, usdcAtomic);
        return treasury.evmAddress;
      }),
    async start(more = {}) {
      await closeEmbedded();
      return await startSatchelProcess({ ...env, ...more });
    },
    async open(more = {}) {
      await closeEmbedded();
      const config = loadConfig({ ...env, PORT: "0", LOG_LEVEL: "silent", ...more });
      const service = await startService({ config, logger: createLogger(config.LOG_LEVEL), sandbox: null });
      opened = service;
      const stop = async () => {
        opened = null;
        await service.stop();
      };
      return { ...service, stop };
    },
    async remove() {
      await closeConnection();
      await server?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
