/** Limits how long the messages of one host occupy the parsing threads of this node, so that those of others do not wait for them. */
import { LRUCache } from "lru-cache";
import { networkOf } from "../../platform/http/client-address.ts";
import { tooSlow } from "./refusal.ts";

const WINDOW_MS = 60_000;
const BUDGET_MS = 20_000;
/** Almost all messages are parsed in milliseconds. Faster ones than this do not count. */
const SLOW_MS = 1_000;
const MAX_HOSTS = 10_000;

export interface ParsingBudget {
  /** @throws {MailRefusedError} temporary, when the host's budget is used up */
  assertLeft(remoteAddress: string | null): void;
  /** Counts the CPU time for a message. */
  spend(remoteAddress: string | null, cpuMs: number): void;
}

/** @param options for tests */
export function createParsingBudget(options: { readonly now?: () => number } = {}): ParsingBudget {
  const { now = () => performance.now() } = options;
  // The window begins with the first slow message.
  const spentMs = new LRUCache<string, number>({
    max: MAX_HOSTS,
    ttl: WINDOW_MS,
    ttlResolution: 0,
    noUpdateTTL: true,
    perf: { now },
  });
  return {
    assertLeft(remoteAddress) {
      if (remoteAddress !== null && (spentMs.get(networkOf(remoteAddress)) ?? 0) >= BUDGET_MS) throw tooSlow();
    },
    spend(remoteAddress, cpuMs) {
      if (remoteAddress === null || cpuMs < SLOW_MS) return;
      const host = networkOf(remoteAddress);
      spentMs.set(host, (spentMs.get(host) ?? 0) + cpuMs);
    },
  };
}
