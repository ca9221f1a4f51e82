/** Composition of payments: dependencies, metrics, and the job that reconciles outstanding payments. */
import type { PaymentDeps } from "../../payments/deps.ts";
import { createFacilitatorSigners } from "../../payments/facilitator-signers.ts";
import { registerPaymentMetrics } from "../../payments/payment-metrics.ts";
import { reconcileAllDue } from "../../payments/reconcile.ts";
import { createReconciler } from "../../payments/reconciler.ts";
import { createRecorder } from "../../payments/recorder.ts";
import { createAttemptLeases } from "../../wallet/attempts.ts";
import type { Platform } from "../platform.ts";
import type { WalletDeps } from "./wallet.ts";

const WEI_PER_GWEI = 1_000_000_000n;

/** Creates the dependencies of payments. The gateway and trading use the same ones. */
export function createPaymentDeps(platform: Platform, wallet: WalletDeps): PaymentDeps {
  const { config, sandbox, db, egress, pubsub, logger, rateLimiter, metrics } = platform;
  registerPaymentMetrics(metrics, db);
  const deps: PaymentDeps = {
    ...{ db, egress, pubsub, logger, rateLimiter },
    ...wallet,
    recorder: createRecorder(db),
    attempts: createAttemptLeases(db),
    reconciler: createReconciler(() => reconcileAllDue(deps)),
    facilitatorSigners: createFacilitatorSigners({ db, egress, logger, urls: config.FACILITATOR_URLS }),
    settings: {
      defaultNetwork: config.DEFAULT_NETWORK ?? (config.SANDBOX ? "base-sepolia" : "base"),
      get dashboardUrl() {
        return platform.dashboardUrl();
      },
      freeCreditMicroUsd: config.FREE_CREDIT_USD,
      revocationFees: {
        perAccountWei: BigInt(config.REVOCATION_FEE_PER_ACCOUNT_GWEI) * WEI_PER_GWEI,
        perSellerWei: BigInt(config.REVOCATION_FEE_PER_SELLER_GWEI) * WEI_PER_GWEI,
        totalWei: BigInt(config.REVOCATION_FEE_TOTAL_GWEI) * WEI_PER_GWEI,
      },
      creditHosts: config.FREE_CREDIT_HOSTS,
      creditPayees: config.FREE_CREDIT_PAYEES,
      unexploredNetworks: Object.keys(sandbox?.networks ?? {}),
      uptoSpenders: [...config.UPTO_SPENDERS, ...Object.values(sandbox?.uptoSpenders ?? {})],
    },
  };
  return deps;
}

export async function startPaymentJobs(
  { jobs, config }: Platform,
  { reconciler, facilitatorSigners }: PaymentDeps,
): Promise<void> {
  await facilitatorSigners.load();
  await jobs.repeat("reconcile-payments", config.RECONCILE_INTERVAL_MS, () => reconciler.run());
}
