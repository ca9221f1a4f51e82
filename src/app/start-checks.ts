/** What `npm start` checks before it is ready, and what a failure means. `npm run codegen` prints the table. */

import type { UpstreamProvider } from "../accounts/sign-in/upstream-provider.ts";
import { reportKeys } from "../platform/crypto/sealing/key-canary.ts";
import type { Database } from "../platform/database/connection.ts";
import { PART_TIMEOUT_MS, PartFault } from "../platform/health/parts.ts";
import { OperatorError } from "../platform/operator-error.ts";
import type { Chains, EvmChain, SolanaChain } from "../wallet/chain.ts";
import { checkNetwork, readChainTimeMs } from "../wallet/check-network.ts";
import type { Platform } from "./platform.ts";
import { SEALED_TABLES } from "./sealed-tables.ts";

interface StartCheck {
  /** Name of the part in logs, metrics and `/health/ready`. */
  readonly part: string;
  readonly checks: string;
  /** `refused`: the service exits with 1. `degraded`: it serves requests without the part. */
  readonly atStart: "refused" | "degraded";
  /** Effect while the service runs. */
  readonly later: string;
  /** Maximum duration; null without a time limit, for work on this machine. */
  readonly timeoutMs: number | null;
}

/** The settings and the keys are checked before anything is written. */
export const START_CHECKS = [
  {
    part: "settings",
    checks: "every setting, alone and together",
    atStart: "refused",
    later: "read at the start only",
    timeoutMs: null,
  },
  {
    part: "database",
    checks: "connection, schema, rows bound to accounts",
    atStart: "refused",
    later: "not ready; every request receives 503 `service_unavailable`",
    timeoutMs: 10_000,
  },
  {
    part: "keys",
    checks: "the key-encryption keys open the canaries; AWS KMS responds",
    atStart: "refused",
    later: "degraded; new accounts and signatures with uncached keys fail",
    timeoutMs: PART_TIMEOUT_MS,
  },
  {
    part: "clock",
    checks: "this machine's clock differs by at most 60 s from the database, and is not 60 s behind a chain",
    atStart: "refused",
    later: "degraded; signed payments may be expired already",
    timeoutMs: PART_TIMEOUT_MS,
  },
  {
    part: "network:<name>",
    checks: "chain id or genesis hash, decimals and EIP-712 domain of USDC",
    atStart: "degraded",
    later: "degraded; requests on a wrong network receive 503 `network_degraded`",
    timeoutMs: PART_TIMEOUT_MS,
  },
  {
    part: "smtp",
    checks: "connection, TLS and credentials of `SMTP_URL`",
    atStart: "degraded",
    later: "degraded; emails wait",
    timeoutMs: PART_TIMEOUT_MS,
  },
  {
    part: "oidc",
    checks: "discovery document of `OIDC_ISSUER`",
    atStart: "degraded",
    later: "degraded; sign-in with the provider fails",
    timeoutMs: PART_TIMEOUT_MS,
  },
  {
    part: "redis",
    checks: "connection to `REDIS_URL`",
    atStart: "degraded",
    later: "degraded; limits are counted in PostgreSQL, and events of other nodes arrive late",
    timeoutMs: PART_TIMEOUT_MS,
  },
] as const satisfies readonly StartCheck[];

export const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** The clock of this machine differs from that of the database. */
export class ClockError extends OperatorError {}

interface CheckedParts {
  readonly chains: Chains;
  readonly upstream: UpstreamProvider | null;
}

/**
 * Adds the checks of all configured parts and runs them once.
 * @throws {ClockError}
 */
export async function runStartChecks(platform: Platform, { chains, upstream }: CheckedParts): Promise<void> {
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

export function networkPart(network: string): string {
  return `network:${network}`;
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
