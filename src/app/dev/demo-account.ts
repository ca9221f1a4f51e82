/**
 * Creates the sandbox's demo account, with a funded wallet and a token with high limits. Writes `sandbox.json`, which
 * contains the tokens, addresses and URLs for scripts and tests.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxEndpoints } from "../../../sandbox/endpoints.ts";
import { apiTokenKind } from "../../accounts/api-token-kind.ts";
import { storeApiToken } from "../../accounts/api-tokens.ts";
import { authenticate } from "../../accounts/authenticate.ts";
import { formatSubject } from "../../accounts/subject.ts";
import { SCOPES } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { Site } from "../../platform/http/site.ts";
import { NETWORK_NAMES } from "../../wallet/networks.ts";
import { openAccount } from "../../wallet/open-account.ts";
import type { SealedWallet, Vault } from "../../wallet/vault.ts";
import type { Wallets } from "../../wallet/wallets.ts";

const FILE_NAME = "sandbox.json";
export const DEMO_EMAIL = "demo@satchel.example";
const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
const GENEROUS_LIMITS = {
  perTransactionMicroUsd: 100_000_000n,
  dailyMicroUsd: 1_000_000_000n,
  monthlyMicroUsd: 10_000_000_000n,
};
/** 1,000 USDC, and 10^18 wei or lamports. The native amount covers the network fees on every chain. */
const WALLET_FUNDS = { usdcAtomic: "1000000000", nativeAtomic: "1000000000000000000" };
const TREASURY_FUNDS = { approvePermit2: true, usdcAtomic: "100000000000", nativeAtomic: "1000000000000000000" };

export interface DemoDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly wallets: Wallets;
  readonly freeCreditMicroUsd: bigint;
  /** API token of the previous run. It is reused while valid, so copied commands continue to work. */
  readonly previousToken: string | null;
}

export interface DemoAccount {
  readonly accountId: string;
  readonly email: string;
  readonly apiToken: string;
  readonly wallet: SealedWallet;
}

/**
 * Returns the demo account, which is created if absent. Reuses the previous API token or creates one. Tops up the
 * account's wallet and the treasury on the sandbox's chains.
 */
export async function prepareDemoAccount(deps: DemoDeps, sandbox: SandboxEndpoints): Promise<DemoAccount> {
  const { prisma } = deps.db;
  const account =
    (await prisma.account.findUnique({ where: { email: DEMO_EMAIL } })) ??
    (await openAccount(deps, { email: DEMO_EMAIL, displayName: "Demo", limits: NO_LIMITS }));
  await prisma.account.updateMany({
    where: { id: account.id, x402EnabledAt: null },
    data: { x402EnabledAt: new Date() },
  });
  const apiToken = (await findValidToken(deps, account.id)) ?? (await createDemoToken(deps.db, account.id));
  const wallet = await deps.wallets.ofAccount(account.id);
  await Promise.all([
    fundWallet(sandbox, wallet, WALLET_FUNDS),
    deps.wallets.treasury().then((treasury) => fundWallet(sandbox, treasury, TREASURY_FUNDS)),
  ]);
  return { accountId: account.id, email: DEMO_EMAIL, apiToken, wallet };
}

async function findValidToken(deps: DemoDeps, accountId: string): Promise<string | null> {
  const viewer = await authenticate({ db: deps.db, adminTokens: [], tokenKinds: [apiTokenKind] }, deps.previousToken);
  return viewer?.kind === "account" && viewer.accountId === accountId ? deps.previousToken : null;
}

async function createDemoToken(db: Database, accountId: string): Promise<string> {
  const { secret } = await storeApiToken(db, accountId, {
    name: "Demo token",
    limits: GENEROUS_LIMITS,
    scopes: SCOPES,
    networks: NETWORK_NAMES,
    allowedHosts: [],
    allowedPayees: [],
    expiresAt: null,
  });
  return secret;
}

async function fundWallet(sandbox: SandboxEndpoints, wallet: SealedWallet, funds: object): Promise<void> {
  const { evmAddress, solanaAddress } = wallet;
  const response = await fetch(`${sandbox.adminUrl}/fund`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ evmAddress, solanaAddress, topUp: true, ...funds }),
  });
  if (!response.ok) {
    throw new Error(
      `Funding ${evmAddress} failed: the sandbox responded with ${response.status}: ${await response.text()}. The demo account is not ready. Restart the sandbox.`,
    );
  }
}

/** Returns the API token that the previous run wrote to `sandbox.json`, or null. */
export async function readPreviousToken(dataDir: string): Promise<string | null> {
  const { apiToken } = await readSandboxFile(dataDir);
  return typeof apiToken === "string" ? apiToken : null;
}

/** Returns the networks of the sandbox that wrote `sandbox.json` last; null if there is no file. Its chains may have stopped. */
export async function readSandboxNetworks(dataDir: string): Promise<Pick<SandboxEndpoints, "networks"> | null> {
  const { networks } = await readSandboxFile(dataDir);
  return networks === undefined ? null : { networks: networks as SandboxEndpoints["networks"] };
}

async function readSandboxFile(dataDir: string): Promise<{ apiToken?: unknown; networks?: unknown }> {
  const text = await readFile(join(dataDir, FILE_NAME), "utf8").catch(() => "{}");
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

/** Returns the content of `sandbox.json`, which scripts and tests read. */
export function createSandboxFile(
  { site }: { readonly site: Site },
  demo: DemoAccount,
  sandbox: SandboxEndpoints,
  mail: { readonly agentMailDomain: string; readonly incomingMail: object | null },
  secrets: { readonly adminToken: string | undefined; readonly loginToken: string },
): object {
  const { networks, facilitatorUrl, shopUrl, storeUrl, stores, adminUrl, dexUrl, llmUrl, mcpUrl, smtp, mailUrl } =
    sandbox;
  const baseUrl = site.baseUrl();
  const browserUrl = site.browserUrl();
  return {
    baseUrl,
    graphqlUrl: `${baseUrl}/graphql`,
    graphqlWsUrl: `${baseUrl.replace(/^http/, "ws")}/graphql`,
    dashboardUrl: `${browserUrl}/dashboard`,
    buyUrl: `${browserUrl}/buy`,
    user: { email: demo.email, sub: formatSubject(baseUrl, demo.accountId) },
    apiToken: demo.apiToken,
    loginToken: secrets.loginToken,
    walletAddress: demo.wallet.evmAddress,
    solanaAddress: demo.wallet.solanaAddress,
    networks,
    facilitatorUrl,
    shopUrl,
    storeUrl,
    stores,
    dexUrl,
    llmUrl,
    mcpUrl,
    smtp,
    mailUrl,
    ...mail,
    dnsServer: sandbox.dnsServer,
    correspondent: sandbox.correspondent,
    oauthClientId: `${sandbox.app.url}/client.json`,
    sandboxAdminUrl: adminUrl,
    ...(secrets.adminToken ? { adminToken: secrets.adminToken } : {}),
  };
}

/** Writes `sandbox.json` atomically. Only the current user can read it, because it contains a valid token. */
export async function writeSandboxFile(dataDir: string, content: object): Promise<string> {
  const path = join(dataDir, FILE_NAME);
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, path);
  return path;
}
