/** Runs the checks of `start-check-table.ts` that concern parts outside of this process. */

import type { UpstreamProvider } from "../accounts/sign-in/upstream-provider.ts";
import type { FacilitatorSigners } from "../payments/facilitator-signers.ts";
import { reportKeys } from "../platform/crypto/sealing/key-canary.ts";
import type { Database } from "../platform/database/connection.ts";
import { PartFault } from "../platform/health/parts.ts";
import { OperatorError } from "../platform/operator-error.ts";
import type { Chains, EvmChain, SolanaChain } from "../wallet/chain.ts";
import { checkNetwork, readChainTimeMs } from "../wallet/check-network.ts";
import type { Platform } from "./platform.ts";
import { SEALED_TABLES } from "./sealed-tables.ts";
import { networkPart } from "./start-check-table.ts";

export const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** The clock of this machine differs from that of the database. */
export class ClockError extends OperatorError {}

interface CheckedParts {
  readonly chains: Chains;
  readonly upstream: UpstreamProvider | null;
  readonly facilitatorSigners: Pick<FacilitatorSigners, "check">;
}

/**
 * Adds the checks of all configured parts and runs them once.
 * @throws {ClockError}
 */
export async function runStartChecks(
  platform: Platform,
  { chains, upstream, facilitatorSigners }: CheckedParts,
): Promise<void> {
  const { parts, mailer, config, db, keks, pubsub } = platform;
  const difference = await measureClock(db);
  if (Math.abs(difference) > MAX_CLOCK_DIFFERENCE_MS)
    throw new ClockError(`${clockText(difference, "the database")} No request was served. Synchronise the clocks.`);
  // Fails every request too. The part is its metric and log line.
  parts.add({ name: "database", check: () => db.query({ name: "ping", text: "SELECT 1" }, []) });
  for (const network of chains.networks) {
    parts.add({ name: networkPart(network), check: () => checkNetwork(chains.unchecked(network)) });
  }
  parts.add({
    name: "clock",
    check: () =>
      checkClock(
        db,
        chains.networks.map((network) => chains.unchecked(network)),
      ),
  });
  if (config.AWS_KMS_KEY_ID) parts.add({ name: "keys", check: () => reportKeys(db, keks, SEALED_TABLES) });
  if (config.FACILITATOR_URLS.length > 0) {
    parts.add({ name: "facilitator", check: () => facilitatorSigners.check() });
  }
  if (mailer.isConfigured) parts.add({ name: "smtp", check: () => mailer.verify() });
  if (upstream) parts.add({ name: "oidc", check: () => upstream.check() });
  if (config.REDIS_URL) {
    parts.add({
      name: "redis",
      check: async () => pubsub.isConnected() || Promise.reject(new PartFault("the connection is lost")),
    });
  }
  await parts.checkAll();
}

/** @throws {PartFault} */
async function checkClock(db: Database, all: readonly (EvmChain | SolanaChain)[]): Promise<void> {
  const difference = await measureClock(db);
  if (Math.abs(difference) > MAX_CLOCK_DIFFERENCE_MS) throw new PartFault(clockText(difference, "the database"));
  for (const chain of all) {
    // A chain that does not respond is degraded itself.
    const timeMs = await readChainTimeMs(chain).catch(() => null);
    const behindMs = (timeMs ?? 0) - Date.now();
    if (behindMs > MAX_CLOCK_DIFFERENCE_MS) throw new PartFault(clockText(-behindMs, chain.network));
  }
}

/** Returns the difference between this machine's clock and that of the database, negative if this machine is behind. */
async function measureClock(db: Database): Promise<number> {
  const before = Date.now();
  const [row] = await db.query<{ now: Date }>({ name: "clock", text: "SELECT clock_timestamp() AS now" }, []);
  const after = Date.now();
  return (before + after) / 2 - (row?.now.getTime() ?? before);
}

function clockText(differenceMs: number, other: string): string {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  return `This machine's clock is ${seconds} s ${differenceMs < 0 ? "behind" : "ahead of"} ${other}.`;
}
