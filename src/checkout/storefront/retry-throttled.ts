import { setTimeout as wait } from "node:timers/promises";
import { MerchantThrottledError } from "../errors.ts";

const FIRST_DELAY_MS = 300;

/**
 * Repeats a request while the merchant throttles it. Waits twice as long each time, and at least as long as the merchant
 * requests. The delay is random in its upper half, so that clients throttled together do not return together.
 * @param untilMs time limit, on the clock of `performance.now`
 * @throws {MerchantThrottledError} the next attempt would begin after the time limit
 */
export async function retryThrottled<Result>(request: () => Promise<Result>, untilMs: number): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof MerchantThrottledError) || error.isOutage) throw error;
      const backOffMs = FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random() / 2);
      const delayMs = Math.max(backOffMs, error.retryAfterMs ?? 0);
      if (performance.now() + delayMs >= untilMs) throw error;
      await wait(delayMs);
    }
  }
}
