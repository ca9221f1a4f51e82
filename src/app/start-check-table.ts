/** What `npm start` checks before it is ready, and what a failure means. `npm run codegen` prints the table. */
import { PART_TIMEOUT_MS } from "../platform/health/parts.ts";

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
    part: "facilitator",
    checks: "`GET /supported` of each of `FACILITATOR_URLS`",
    atStart: "degraded",
    later: "degraded; permits are signed for its last known spenders",
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

/** Returns the name of a network's part. */
export function networkPart(network: string): string {
  return `network:${network}`;
}
