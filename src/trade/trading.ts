import { getAddress, isAddress } from "viem";
import type { Config } from "../platform/config/load.ts";
import type { Trading } from "./deps.ts";
import { createZeroEx } from "./zero-ex.ts";

/** 0x's AllowanceHolder, at the same address on the networks it is deployed on (docs.0x.org, "Contracts"). */
const ALLOWANCE_HOLDER = "0x0000000000001fF3684f28c67538d4D072C22734";
/** How long a swap is still what was asked for. */
const STALE_AFTER_MS = 600_000;
/** The sandbox's exchange takes any key, and wants one. */
const SANDBOX_KEY = "sandbox";

/** Trading as it is configured; without an aggregator when none is. @param sandboxUrl the sandbox's aggregator */
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
  };
}
