/** Composition of trading: the exchange, and the job that resumes interrupted trades. */
import type { TradeDeps } from "../../trade/deps.ts";
import { resumeTrades } from "../../trade/resume-trades.ts";
import { createTrading } from "../../trade/trading.ts";
import type { Platform } from "../platform.ts";

export function createTradeDeps({ config, sandbox }: Platform): Pick<TradeDeps, "trading"> {
  return { trading: createTrading(config, sandbox?.dexUrl ?? null) };
}

export async function startTradeJobs({ jobs, config }: Platform, deps: TradeDeps): Promise<void> {
  await jobs.repeat("resume-trades", config.RECONCILE_INTERVAL_MS, () => resumeTrades(deps));
}
