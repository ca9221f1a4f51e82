/** Delivers events to webhooks. Every node checks for due deliveries each second, and immediately after {@link Deliverer.wake}. */
import type { Counter } from "prom-client";
import type { Database } from "../platform/database/connection.ts";
import { type AttemptDeps, attemptDelivery } from "./attempt-delivery.ts";
import {
  type ClaimedDelivery,
  claimDeliveries,
  hasDueDelivery,
  type Outcome,
  recordOutcomes,
  releaseClaims,
} from "./claim-deliveries.ts";
import { type HealthDeps, recordFailure, recordSuccess } from "./endpoint-health.ts";

export interface DelivererDeps extends AttemptDeps, HealthDeps {
  readonly db: Database;
  readonly attempts: Counter<"outcome">;
}

export interface Deliverer {
  /** Claims due deliveries soon, because some were created. Returns immediately. */
  wake(): void;
  /** Starts the recurring check for due deliveries. */
  start(): void;
  /** Stops claiming, waits up to 2 s for attempts in flight, then aborts them and releases their claims. */
  stop(): Promise<void>;
}

const CHECK_INTERVAL_MS = 1_000;
/**
 * Concurrency limits of a node: endpoints, endpoints per account, and deliveries per endpoint. Endpoints whose last attempt
 * failed have a separate share with one delivery each, so hanging endpoints cannot delay the others.
 */
const SHARES = {
  healthy: { maxEndpoints: 150, maxPerAccount: 10, maxPerEndpoint: 10 },
  failing: { maxEndpoints: 50, maxPerAccount: 5, maxPerEndpoint: 1 },
} as const;
/** Claims of a share in one run. Each visits a thousand endpoints; with more, the next run continues after the last one. */
const CLAIMS_PER_RUN = 5;
const ABORT_DELAY_MS = 2_000;
const CLAIM_FAILED = "Due webhook deliveries could not be claimed; retry scheduled";

type Share = keyof typeof SHARES;

/** Creates the deliverer of this node. */
export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { db, logger } = deps;
  /** Endpoints with deliveries in flight on this node, by id. */
  const busy = new Map<string, { readonly share: Share; readonly accountId: string; readonly done: Promise<void> }>();
  /** Where the next claim of a share continues; null for anywhere. */
  const starts: Record<Share, string | null> = { healthy: null, failing: null };
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> | null = null;
  let isChecking = false;
  let isRunRequested = false;

  async function claimAndDeliver(): Promise<void> {
    do {
      isRunRequested = false;
      for (const share of ["healthy", "failing"] as const) {
        for (let count = 0; count < CLAIMS_PER_RUN && !isStopped; count++) {
          await claimShare(share);
          if (starts[share] === null) break;
        }
      }
    } while (isRunRequested && !isStopped);
  }

  /** Claims deliveries of a share up to its limits and starts their attempts. */
  async function claimShare(share: Share): Promise<void> {
    const inUse = [...busy.values()].filter((it) => it.share === share);
    const maxEndpoints = SHARES[share].maxEndpoints - inUse.length;
    if (maxEndpoints <= 0) {
      starts[share] = null;
      return;
    }
    const { claims, next } = await claimDeliveries(db, {
      isFailing: share === "failing",
      busy: [...busy.keys()],
      busyAccounts: inUse.map(({ accountId }) => accountId),
      ...SHARES[share],
      maxEndpoints,
      start: starts[share],
    });
    starts[share] = next;
    for (const [endpointId, endpointClaims] of Map.groupBy(claims, ({ endpoint }) => endpoint.id)) {
      const done = deliver(endpointId, endpointClaims).finally(() => {
        busy.delete(endpointId);
        wake();
      });
      const [{ accountId }] = endpointClaims as [ClaimedDelivery];
      busy.set(endpointId, { share, accountId, done });
    }
  }

  /** Attempts the claimed deliveries of one endpoint concurrently and records their outcomes. */
  async function deliver(endpointId: string, claims: readonly ClaimedDelivery[]): Promise<void> {
    try {
      const attempts = claims.map((claim) => attemptDelivery(deps, claim, stopping.signal));
      const results = await Promise.allSettled(attempts);
      const outcomes = claims.flatMap((claim, index): [ClaimedDelivery, Outcome][] => {
        const result = results[index];
        return result?.status === "fulfilled" ? [[claim, result.value]] : [];
      });
      if (outcomes.length > 0) await recordResults(endpointId, outcomes);
      const ended = new Set(outcomes.map(([{ id }]) => id));
      const aborted = claims.filter(({ id }) => !ended.has(id));
      if (aborted.length > 0) await releaseClaims(db, aborted);
    } catch (error) {
      // The claims expire, and the deliveries are attempted again.
      logger.warn(
        { err: error, webhookId: endpointId },
        "Outcomes of webhook deliveries not recorded; retry scheduled",
      );
    }
  }

  async function recordResults(endpointId: string, outcomes: readonly [ClaimedDelivery, Outcome][]): Promise<void> {
    for (const [, { isDelivered }] of outcomes) deps.attempts.inc({ outcome: isDelivered ? "delivered" : "failed" });
    await recordOutcomes(db, outcomes);
    const isGone = outcomes.some(([, outcome]) => !outcome.isDelivered && outcome.isGone);
    if (!isGone && outcomes.some(([, { isDelivered }]) => isDelivered)) await recordSuccess(db, endpointId);
    else await recordFailure(deps, endpointId, isGone);
  }

  function wake(): void {
    if (isStopped) return;
    isRunRequested = true;
    running ??= claimAndDeliver()
      .catch((error: unknown) => logger.warn({ err: error }, CLAIM_FAILED))
      .finally(() => {
        running = null;
      });
  }

  /** Checks for due deliveries, one query at a time: an unresponsive database must not use up a connection per second. */
  async function wakeIfDue(): Promise<void> {
    if (isChecking || running !== null) return;
    isChecking = true;
    try {
      if (await hasDueDelivery(db)) wake();
    } catch (error) {
      if (!isStopped) logger.warn({ err: error }, CLAIM_FAILED);
    } finally {
      isChecking = false;
    }
  }

  return {
    wake,
    start() {
      timer = setInterval(() => void wakeIfDue(), CHECK_INTERVAL_MS);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
      const inFlight = Promise.all([...busy.values()].map(({ done }) => done));
      const limit = setTimeout(() => stopping.abort(new Error("The node is stopping.")), ABORT_DELAY_MS);
      await inFlight;
      clearTimeout(limit);
    },
  };
}
