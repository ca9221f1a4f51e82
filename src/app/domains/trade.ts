/** Composition of trading: the exchange, and the jobs that resume interrupted trades and purchases of gas. */
import type { TradeDeps } from "../../trade/deps.ts";
import { followGasPurchases } from "../../trade/gas/follow-gas-purchases.ts";
import { resumeTrades } from "../../trade/resume-trades.ts";
import { createTrading } from "../../trade/trading.ts";
import type { Platform } from "../platform.ts";

export function createTradeDeps({ config, sandbox }: Platform): Pick<TradeDeps, "trading"> {
  return { trading: createTrading(config, sandbox?.dexUrl ?? null) };
}

export async function startTradeJobs({ jobs, config }: Platform, deps: TradeDeps): Promise<void> {
  await jobs.repeat("resume-trades", config.RECONCILE_INTERVAL_MS, () => resumeTrades(deps));
  await jobs.repeat("follow-gas-purchases", config.RECONCILE_INTERVAL_MS, () => followGasPurchases(deps));
}
