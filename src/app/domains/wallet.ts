/** Composition of wallets: the vault with the signing keys, and the chains. */
import type { SandboxEndpoints } from "../../../sandbox/endpoints.ts";
import type { PaymentDeps } from "../../payments/deps.ts";
import type { Config } from "../../platform/config/load.ts";
import { parseDecimal } from "../../platform/money.ts";
import { createChains } from "../../wallet/chains.ts";
import { checkTreasury, registerTreasuryMetrics } from "../../wallet/check-treasury.ts";
import { createFreeCreditAdmission, type FreeCreditDeps, registerFreeCreditMetrics } from "../../wallet/free-credit.ts";
import { createVault } from "../../wallet/sealed-vault.ts";
import { readTreasuryThresholds, type TreasuryDeps } from "../../wallet/treasury.ts";
import { createWallets } from "../../wallet/wallets.ts";
import type { Platform } from "../platform.ts";
import { networkPart } from "../start-check-table.ts";

export type WalletDeps = Pick<PaymentDeps, "vault" | "wallets" | "chains">;

export function createWalletDeps({ config, sandbox, db, keks, parts }: Platform): WalletDeps {
  const vault = createVault(keks);
  return {
    vault,
    wallets: createWallets(db, vault),
    chains: createChains({
      rpcUrls: selectRpcUrls(config, sandbox),
      maxFeesPerGasWei: new Map(
        config.MAX_FEE_PER_GAS_GWEI.map((entry) => entry.split("=") as [string, string]).map(([name, gwei]) => [
          name,
          parseDecimal(gwei, 9, "MAX_FEE_PER_GAS_GWEI"),
        ]),
      ),
      isDegraded: (network) => parts.states().get(networkPart(network))?.isFault === true,
    }),
  };
}

const TREASURY_INTERVAL_MS = 300_000;

export function createTreasuryDeps({ config, db, metrics }: Platform): Pick<TreasuryDeps, "treasury"> {
  registerTreasuryMetrics(metrics, db);
  // USDC has as many decimals as an amount in micro-USD.
  return { treasury: readTreasuryThresholds(config.TREASURY_LOW_NATIVE, config.TREASURY_LOW_USD) };
}

export async function startTreasuryJobs(platform: Platform, deps: TreasuryDeps): Promise<void> {
  const { jobs, config, db, logger, queueEmail } = platform;
  await jobs.repeat("check-treasury", TREASURY_INTERVAL_MS, () =>
    checkTreasury({
      ...{ chains: deps.chains, wallets: deps.wallets, treasury: deps.treasury, db, logger, queueEmail },
      ...{ adminEmails: config.ADMIN_EMAILS, dashboardUrl: platform.dashboardUrl() },
    }),
  );
}

const DEFAULT_DAILY_MICRO_USD = 100_000_000n;
const DEFAULT_ACCOUNTS_PER_NETWORK = 20;

/** Creates the limits of free credit. Money of the sandbox has no value, so it has limits only if they are set. */
export function createFreeCreditDeps({ config, db, rateLimiter, logger, metrics }: Platform): FreeCreditDeps {
  const limits = {
    perDayMicroUsd: config.FREE_CREDIT_DAILY_USD ?? (config.SANDBOX ? null : DEFAULT_DAILY_MICRO_USD),
    accountsPerNetwork:
      config.FREE_CREDIT_ACCOUNTS_PER_NETWORK ?? (config.SANDBOX ? null : DEFAULT_ACCOUNTS_PER_NETWORK),
  };
  registerFreeCreditMetrics(metrics, db, limits);
  return {
    freeCreditMicroUsd: config.FREE_CREDIT_USD,
    admitFreeCredit: createFreeCreditAdmission({ db, rateLimiter, logger }, limits),
  };
}

/** Returns the RPC URL of each network. Configured URLs take precedence over the sandbox's. */
export function selectRpcUrls(
  config: Config,
  sandbox: Pick<SandboxEndpoints, "networks"> | null,
): Record<string, string> {
  const configured = {
    base: config.RPC_URL_BASE,
    "base-sepolia": config.RPC_URL_BASE_SEPOLIA,
    solana: config.RPC_URL_SOLANA,
    "solana-devnet": config.RPC_URL_SOLANA_DEVNET,
    avalanche: config.RPC_URL_AVALANCHE,
  };
  const sandboxUrls = Object.entries(sandbox?.networks ?? {}).map(([name, { rpcUrl }]) => [name, rpcUrl]);
  const configuredUrls = Object.entries(configured).filter(([, url]) => url !== undefined);
  return Object.fromEntries([...sandboxUrls, ...configuredUrls]) as Record<string, string>;
}
