import { getAddress, isAddress } from "viem";
import type { Config } from "../platform/config/load.ts";
import type { Trading } from "./deps.ts";
import { createZeroEx } from "./zero-ex.ts";

/** 0x's AllowanceHolder, at the same address on the networks it is deployed on (docs.0x.org, "Contracts"). */
const ALLOWANCE_HOLDER = "0x0000000000001fF3684f28c67538d4D072C22734";
/** Time after which an unmined swap is cancelled. */
const STALE_AFTER_MS = 600_000;
/** Wait for the gas of a trade, whose reservation is released after a minute. */
const GAS_WAIT_MS = 20_000;
const WEI_PER_GWEI = 10n ** 9n;
/** The sandbox's exchange requires a key and accepts any. */
const SANDBOX_KEY = "sandbox";

/**
 * Creates the trading settings from the configuration.
 * @param sandboxUrl the sandbox's aggregator, used if `DEX_URL` is not set; null for none
 */
export function createTrading(config: Config, sandboxUrl: string | null): Trading {
  const baseUrl = config.DEX_URL ?? sandboxUrl;
  const apiKey = config.DEX_API_KEY ?? SANDBOX_KEY;
  const spenders = config.DEX_SPENDERS.filter((address) => isAddress(address, { strict: false }));
  return {
    dex: baseUrl === null ? null : createZeroEx({ baseUrl, apiKey, timeoutMs: config.DEX_TIMEOUT_MS }),
    spenders: spenders.length > 0 ? spenders.map((address) => getAddress(address)) : [ALLOWANCE_HOLDER],
    waitMs: config.TRADE_WAIT_MS,
    stuckAfterMs: config.TRADE_STUCK_MS,
    staleAfterMs: STALE_AFTER_MS,
    gas: {
      waitMs: GAS_WAIT_MS,
      limits: {
        perAccountWei: BigInt(config.TRADE_GAS_PER_ACCOUNT_GWEI) * WEI_PER_GWEI,
        totalWei: BigInt(config.TRADE_GAS_TOTAL_GWEI) * WEI_PER_GWEI,
        perTradeMicroUsd: config.TRADE_GAS_MAX_USD,
      },
    },
  };
}
