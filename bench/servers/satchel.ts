/** The whole service on the database in DATABASE_URL, with accounts whose credit pays for everything. */
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { startService } from "../../src/app/service.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { NETWORK_NAMES } from "../../src/wallet/networks.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { answerParent } from "../harness/answer-parent.ts";

/** What it needs to know, as JSON on the command line. */
export interface SatchelOptions {
  readonly databaseUrl: string;
  /** For its key file; removed by the parent. */
  readonly dataDir: string;
  readonly accounts: number;
  readonly sandbox: SandboxEndpoints | null;
  readonly env: Readonly<Record<string, string>>;
}

export interface SatchelHello {
  readonly baseUrl: string;
  /** Where it takes mail by SMTP. */
  readonly incomingMail: { readonly host: string; readonly port: number } | null;
  readonly accounts: readonly { readonly accountId: string; readonly tokenId: string; readonly token: string }[];
}

/** Enough for any number of payments, and limits that are set and never reached, so that they are counted. */
const CREDIT_MICRO_USD = 10n ** 15n;
const NEVER_REACHED = {
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
const opened: Awaited<ReturnType<typeof openBenchAccount>>[] = [];
// A few at a time: on a busy machine the last of many would wait too long for a connection.
while (opened.length < accounts) {
  const next = Array.from({ length: Math.min(8, accounts - opened.length) }, (_, index) => opened.length + index);
  opened.push(...(await Promise.all(next.map(openBenchAccount))));
}

async function openBenchAccount(index: number) {
  const { id: accountId } = await openAccount(
    { ...deps, freeCreditMicroUsd: CREDIT_MICRO_USD },
    { email: `agent-${index}@bench.example`, displayName: null, limits: NEVER_REACHED },
  );
  await deps.db.prisma.account.update({ where: { id: accountId }, data: { x402EnabledAt: new Date() } });
  const { token, secret } = await storeApiToken(deps.db, accountId, {
    name: "bench",
    limits: NEVER_REACHED,
    scopes: SCOPES,
    networks: NETWORK_NAMES,
    allowedHosts: [],
    allowedPayees: [],
    expiresAt: null,
  });
  return { accountId, tokenId: token.id, token: secret };
}

const hello: SatchelHello = { baseUrl, incomingMail: service.incomingMail, accounts: opened };
const handlers = { rssBytes: async () => process.memoryUsage().rss };
answerParent(hello, { handlers, close: () => service.stop() });
