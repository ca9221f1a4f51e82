/**
 * The complete service on an existing database, with accounts whose credit covers every payment. Argument: `SatchelOptions` as
 * JSON.
 */
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { startService } from "../../src/app/service.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { NETWORK_NAMES } from "../../src/wallet/networks.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { serveParent } from "../harness/serve-parent.ts";

/** Options of this program, passed as JSON on the command line. */
export interface SatchelOptions {
  readonly databaseUrl: string;
  /** Folder of the key file. The parent deletes it. */
  readonly dataDir: string;
  readonly accounts: number;
  readonly sandbox: SandboxEndpoints | null;
  readonly env: Readonly<Record<string, string>>;
}

export interface SatchelHello {
  readonly baseUrl: string;
  /** Address of the SMTP listener, or null without incoming mail. */
  readonly incomingMail: { readonly host: string; readonly port: number } | null;
  readonly accounts: readonly { readonly accountId: string; readonly tokenId: string; readonly token: string }[];
}

/** Credit for any number of payments. The equal limits are never reached, but Satchel counts every payment against them. */
const CREDIT_MICRO_USD = 10n ** 15n;
const UNREACHABLE_LIMITS = {
  perTransactionMicroUsd: CREDIT_MICRO_USD,
  dailyMicroUsd: CREDIT_MICRO_USD,
  monthlyMicroUsd: CREDIT_MICRO_USD,
};

const { databaseUrl, dataDir, accounts, sandbox, env } = JSON.parse(process.argv[2] ?? "{}") as SatchelOptions;
const config = loadConfig({
  PORT: "0",
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: "16",
  EGRESS_ALLOW_LOOPBACK: "1",
  ...env,
});
const service = await startService({ config, logger: createLogger(config.LOG_LEVEL), sandbox });
const { deps, baseUrl } = service;
const openedAccounts: Awaited<ReturnType<typeof openBenchAccount>>[] = [];
// In batches of 8: on a busy machine, the last of many concurrent inserts would time out waiting for a connection.
while (openedAccounts.length < accounts) {
  const next = Array.from(
    { length: Math.min(8, accounts - openedAccounts.length) },
    (_, index) => openedAccounts.length + index,
  );
  openedAccounts.push(...(await Promise.all(next.map(openBenchAccount))));
}

async function openBenchAccount(index: number) {
  const { id: accountId } = await openAccount(
    { ...deps, freeCreditMicroUsd: CREDIT_MICRO_USD },
    { email: `agent-${index}@bench.example`, displayName: null, limits: UNREACHABLE_LIMITS },
  );
  await deps.db.prisma.account.update({ where: { id: accountId }, data: { x402EnabledAt: new Date() } });
  const { token, secret } = await storeApiToken(deps.db, accountId, {
    name: "bench",
    limits: UNREACHABLE_LIMITS,
    scopes: SCOPES,
    networks: NETWORK_NAMES,
    allowedHosts: [],
    allowedPayees: [],
    expiresAt: null,
  });
  return { accountId, tokenId: token.id, token: secret };
}

const hello: SatchelHello = { baseUrl, incomingMail: service.incomingMail, accounts: openedAccounts };
const handlers = { rssBytes: async () => process.memoryUsage().rss };
serveParent(hello, { handlers, close: () => service.stop() });
