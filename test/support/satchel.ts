/** One installation whose processes may come and go: a database that stays, keys that stay, and the sandbox beside it. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { type NewApiToken, type SpendingLimits, storeApiToken } from "../../src/accounts/api-tokens.ts";
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
import { copyEmbedded } from "./template.ts";

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
  /** Put into the wallet on every started chain. */
  readonly usdcAtomic?: bigint;
  readonly accountLimits?: Partial<SpendingLimits>;
  readonly tokenLimits?: Partial<SpendingLimits>;
  readonly token?: Partial<NewApiToken>;
}

export interface Satchel {
  readonly dataDir: string;
  /** What its processes are started with. */
  readonly env: Record<string, string>;
  /**
   * Runs with the database open: the opened service's own, else a connection of its own, which on PGlite no process may
   * have. The embedded one stays open until a service starts, a server's until the end.
   */
  withDatabase<Result>(use: (db: Database) => Promise<Result>): Promise<Result>;
  /** An account with X402 on, no credit and an empty wallet unless told otherwise, and a token. As `withDatabase`. */
  payer(options?: PayerOptions): Promise<Payer>;
  /** Puts USDC into the treasury, which pays what credit covers. As `withDatabase`. Answers its address. */
  fundTreasury(usdcAtomic: bigint): Promise<string>;
  start(env?: Record<string, string>): Promise<SatchelProcess>;
  /** The service in this process. As `withDatabase`. */
  open(env?: Record<string, string>): Promise<Service>;
  remove(): Promise<void>;
}

/** @param options.postgresql the server to make a database on; null for PGlite */
export async function createSatchel(options: {
  sandbox: SandboxEndpoints;
  postgresql: string | null;
  env?: Record<string, string>;
}): Promise<Satchel> {
  const { sandbox, postgresql } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "satchel-e2e-"));
  const server = postgresql === null ? null : await createDatabase(postgresql);
  if (!server) await copyEmbedded(inject("embeddedTemplate"), dataDir);
  const rpcUrls = Object.entries(sandbox.networks).map(([name, { rpcUrl }]) => [
    `RPC_URL_${name.toUpperCase().replaceAll("-", "_")}`,
    rpcUrl,
  ]);
  const env: Record<string, string> = {
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    ...(server ? { DATABASE_URL: server.databaseUrl } : {}),
    SANDBOX: "0",
    EGRESS_ALLOW_LOOPBACK: "1",
    KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    UPTO_SPENDERS: Object.values(sandbox.uptoSpenders).join(","),
    DEFAULT_NETWORK: "base-sepolia",
    // Tests reconcile when they want to.
    RECONCILE_INTERVAL_MS: "600000",
    ...Object.fromEntries(rpcUrls),
    ...options.env,
  };

  let opened: Service | null = null;
  let own: Promise<Database> | null = null;

  // Opening the embedded database costs more than what a test does with it.
  async function withDatabase<Result>(use: (db: Database) => Promise<Result>): Promise<Result> {
    if (opened) return await use(opened.deps.db);
    own ??= openDatabase({ databaseUrl: server?.databaseUrl, dataDir, poolSize: 4 });
    const opening = own;
    const db = await opening.catch((error: unknown) => {
      if (own === opening) own = null;
      throw error;
    });
    return await use(db);
  }

  /** The embedded database is one process's alone; a server has room for all. */
  async function makeRoom(): Promise<void> {
    if (!server) await closeOwn();
  }

  async function closeOwn(): Promise<void> {
    const closing = own;
    own = null;
    await (await closing?.catch(() => null))?.close();
  }

  const vault = createVault(await createKeyEncryptionKeys(loadConfig(env)));

  async function fund(wallet: { evmAddress: string; solanaAddress: string }, usdcAtomic: bigint): Promise<void> {
    const { evmAddress, solanaAddress } = wallet;
    const body = { evmAddress, solanaAddress, usdcAtomic: String(usdcAtomic), nativeAtomic: String(10n ** 18n) };
    const headers = { "content-type": "application/json" };
    const funded = await fetch(`${sandbox.adminUrl}/fund`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!funded.ok) throw new Error(`funding failed: ${await funded.text()}`);
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
        const made = await storeApiToken(db, account.id, {
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
        return { accountId: account.id, tokenId: made.token.id, token: made.secret, evmAddress, solanaAddress };
      }),
    fundTreasury: (usdcAtomic) =>
      withDatabase(async (db) => {
        const treasury = await createWallets(db, vault).treasury();
        await fund(treasury, usdcAtomic);
        return treasury.evmAddress;
      }),
    async start(more = {}) {
      await makeRoom();
      return await startSatchelProcess({ ...env, ...more });
    },
    async open(more = {}) {
      await makeRoom();
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
      await closeOwn();
      await server?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
