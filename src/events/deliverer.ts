/** Tells endpoints of events, on every node: looks for what is due each second, and at once when something has become due. */
import type { Counter } from "prom-client";
import type { Database } from "../platform/database/connection.ts";
import { type AttemptDeps, attemptDelivery } from "./attempt-delivery.ts";
import {
  type ClaimedDelivery,
  claimDeliveries,
  isAnyDue,
  type Outcome,
  recordOutcomes,
  releaseClaims,
} from "./claim-deliveries.ts";
import { type HealthDeps, noteFailure, noteSuccess } from "./endpoint-health.ts";

export interface DelivererDeps extends AttemptDeps, HealthDeps {
  readonly db: Database;
  readonly attempts: Counter<"outcome">;
}

export interface Deliverer {
  /** Something is due. Returns at once. */
  nudge(): void;
  /** Begins to look by itself. */
  start(): void;
  /** Claims nothing more, lets attempts under way end for a moment, and gives the rest back. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/**
 * How many endpoints a node tells at the same time, of one account, and of how many events each. Those whose last attempt failed
 * get one at a time and places of their own: however many hang, the others are told.
 */
const SHARES = {
  sound: { maxEndpoints: 150, maxPerAccount: 10, maxPerEndpoint: 10 },
  failing: { maxEndpoints: 50, maxPerAccount: 5, maxPerEndpoint: 1 },
} as const;
const STOP_AFTER_MS = 2_000;
const NOT_FOUND = "due webhook deliveries were not found; looked for again";

type Share = keyof typeof SHARES;

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { db, logger } = deps;
  /** Endpoints this node tells right now. */
  const busy = new Map<string, { readonly share: Share; readonly accountId: string; readonly done: Promise<void> }>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let looking: Promise<void> | null = null;
  let isAsking = false;
  let isAskedAgain = false;

  async function look(): Promise<void> {
    do {
      isAskedAgain = false;
      for (const share of ["sound", "failing"] as const) {
        const taken = [...busy.values()].filter((it) => it.share === share);
        const maxEndpoints = SHARES[share].maxEndpoints - taken.length;
        if (maxEndpoints <= 0 || isStopped) continue;
        const claims = await claimDeliveries(db, {
          isFailing: share === "failing",
          busy: [...busy.keys()],
          busyAccounts: taken.map(({ accountId }) => accountId),
          ...SHARES[share],
          maxEndpoints,
        });
        for (const [endpointId, its] of Map.groupBy(claims, ({ endpoint }) => endpoint.id)) {
          const done = tell(endpointId, its).finally(() => {
            busy.delete(endpointId);
            nudge();
          });
          const [{ accountId }] = its as [ClaimedDelivery];
          busy.set(endpointId, { share, accountId, done });
        }
      }
    } while (isAskedAgain && !isStopped);
  }

  /** Makes claims of one endpoint, all at once, and records what became of them. */
  async function tell(endpointId: string, claims: readonly ClaimedDelivery[]): Promise<void> {
    try {
      const attempts = claims.map((claim) => attemptDelivery(deps, claim, stopping.signal));
      const results = await Promise.allSettled(attempts);
      const outcomes = claims.flatMap((claim, index): [ClaimedDelivery, Outcome][] => {
        const result = results[index];
        return result?.status === "fulfilled" ? [[claim, result.value]] : [];
      });
      if (outcomes.length > 0) await record(endpointId, outcomes);
      const ended = new Set(outcomes.map(([{ id }]) => id));
      const brokenOff = claims.filter(({ id }) => !ended.has(id));
      if (brokenOff.length > 0) await releaseClaims(db, brokenOff);
    } catch (error) {
      // The claims run out, and are made again.
      logger.warn({ err: error, webhookId: endpointId }, "outcomes of webhook deliveries were not recorded");
    }
  }

  async function record(endpointId: string, outcomes: readonly [ClaimedDelivery, Outcome][]): Promise<void> {
    for (const [, { isDelivered }] of outcomes) deps.attempts.inc({ outcome: isDelivered ? "delivered" : "failed" });
    await recordOutcomes(db, outcomes);
    const isGone = outcomes.some(([, outcome]) => !outcome.isDelivered && outcome.isGone);
    if (!isGone && outcomes.some(([, { isDelivered }]) => isDelivered)) await noteSuccess(db, endpointId);
    else await noteFailure(deps, endpointId, isGone);
  }

  function nudge(): void {
    if (isStopped) return;
    isAskedAgain = true;
    looking ??= look()
      .catch((error: unknown) => logger.warn({ err: error }, NOT_FOUND))
      .finally(() => {
        looking = null;
      });
  }

  /** One statement at a time: a database that does not answer must not have a connection for each second. */
  async function lookIfDue(): Promise<void> {
    if (isAsking || looking !== null) return;
    isAsking = true;
    try {
      if (await isAnyDue(db)) nudge();
    } catch (error) {
      if (!isStopped) logger.warn({ err: error }, NOT_FOUND);
    } finally {
      isAsking = false;
    }
  }

  return {
    nudge,
    start() {
      timer = setInterval(() => void lookIfDue(), LOOK_EVERY_MS);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await looking;
      const underWay = Promise.all([...busy.values()].map(({ done }) => done));
      const limit = setTimeout(() => stopping.abort(new Error("This node stops.")), STOP_AFTER_MS);
      await underWay;
      clearTimeout(limit);
    },
  };
}
