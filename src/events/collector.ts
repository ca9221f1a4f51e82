/**
 * Collects events. Announced rows are collected immediately by the node that announced them. A sweep over recently updated
 * rows finds those that were missed because the node ended or the transaction was committed late.
 */
import { LRUCache } from "lru-cache";
import type { Database, Statement } from "../platform/database/connection.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import { followEvents, publishEvent } from "./event-feed.ts";
import type { EventSource } from "./event-source.ts";
import { BATCH_SIZE, type Collected, collectAnnouncedRows, collectUpdatedRows } from "./record-events.ts";

export interface CollectorDeps {
  readonly db: Database;
  readonly pubsub: Pick<PubSub, "publish">;
  readonly logger: Logger;
  readonly sources: readonly EventSource[];
  /** Called when deliveries were created. */
  readonly onDeliveriesCreated: () => void;
}

export interface Collector {
  /** Queues a row that this node announced. Returns immediately. */
  queueAnnouncement(channel: string, payload: string): void;
  /** Collects updated rows of all followed accounts. */
  sweep(): Promise<void>;
  /**
   * Starts collecting an account's events. The first call also collects those of the last 30 days: one batch per source
   * immediately, and the rest in the next sweep.
   */
  follow(accountId: string): Promise<void>;
  /** Stops accepting announcements. Resolves when the queued ones are recorded. */
  stop(): Promise<void>;
}

/** Delay in which further announcements are batched. */
const BATCH_DELAY_MS = 50;
/** Maximum number of queued announcements. The sweep collects the rows of any others. */
const MAX_QUEUED = 10_000;
const UNFOLLOWED_TTL_MS = 5_000;
const SWEEP_ACCOUNTS = 500;
/** Maximum number of batches per source and sweep step, so one account with many events cannot block the others. */
const MAX_BATCHES = 40;

// A transaction stamps rows with its start time and commits them later, so the feed must not advance past the start of an open
// transaction. The additional 30 s allow for clock differences of nodes that stamp rows themselves.
const HORIZON: Statement = {
  name: "event-horizon",
  text: `SELECT least(now(), min(xact_start)) - interval '30 seconds' AS "settledUntil" FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
};

const FEEDS: Statement = {
  name: "event-feeds",
  text: `SELECT account_id AS "accountId" FROM event_feeds WHERE account_id > $1::uuid ORDER BY account_id LIMIT ${SWEEP_ACCOUNTS}`,
};

const FOLLOWED: Statement = {
  name: "followed-accounts",
  text: `SELECT account_id AS "accountId" FROM event_feeds WHERE account_id = ANY($1::uuid[])`,
};

// Advancing once a minute limits writes. In between, sweeps read the same rows again.
const ADVANCE: Statement = {
  name: "advance-event-feeds",
  text: `UPDATE event_feeds SET collected_until = $2 WHERE account_id = ANY($1::uuid[]) AND collected_until < $2::timestamptz - interval '1 minute'`,
};

const FIRST_UUID = "00000000-0000-0000-0000-000000000000";

/** Creates the collector of this node. */
export function createCollector(deps: CollectorDeps): Collector {
  const { db, pubsub, logger, sources, onDeliveriesCreated } = deps;
  const byChannel = new Map(sources.map((source) => [source.channel, source]));
  const unfollowed = new LRUCache<string, true>({ max: 50_000, ttl: UNFOLLOWED_TTL_MS });
  /** Account ids of announced rows, by source and row id. */
  let queued = new Map<EventSource, Map<string, string>>();
  let queuedCount = 0;
  let running: Promise<void> | null = null;
  let isStopped = false;

  function announce({ recorded }: Collected): void {
    for (const { id, accountId } of recorded) publishEvent(pubsub, accountId, id);
    if (recorded.some(({ isOwed }) => isOwed)) onDeliveriesCreated();
  }

  async function collectQueued(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, BATCH_DELAY_MS));
    while (queuedCount > 0) {
      const batch = queued;
      queued = new Map();
      queuedCount = 0;
      const accountIds = [...new Set([...batch.values()].flatMap((rows) => [...rows.values()]))];
      const followed = new Set(
        (await db.query<{ accountId: string }>(FOLLOWED, [accountIds])).map(({ accountId }) => accountId),
      );
      for (const id of accountIds) if (!followed.has(id)) unfollowed.set(id, true);
      for (const [source, rows] of batch) {
        const ids = [...rows].filter(([, accountId]) => followed.has(accountId)).map(([id]) => id);
        if (ids.length > 0) announce(await collectAnnouncedRows(db, source, ids));
      }
    }
  }

  /** Collects updated rows of the accounts. Returns whether all were collected. */
  async function collectUpdated(accountIds: readonly string[], maxBatches: number): Promise<boolean> {
    let isComplete = true;
    for (const source of sources) {
      let batches = 0;
      for (let isMore = true; isMore && batches < maxBatches; batches++) {
        const collected = await collectUpdatedRows(db, source, accountIds);
        announce(collected);
        isMore = collected.found === BATCH_SIZE;
        if (isMore && batches === maxBatches - 1) isComplete = false;
      }
    }
    return isComplete;
  }

  return {
    queueAnnouncement(channel, payload) {
      const [name = "", accountId = ""] = channel.split(":", 2);
      const source = byChannel.get(name);
      if (!source || isStopped || unfollowed.has(accountId) || queuedCount >= MAX_QUEUED) return;
      const rows = queued.get(source) ?? new Map<string, string>();
      rows.set(payload, accountId);
      queued.set(source, rows);
      queuedCount++;
      running ??= collectQueued()
        .catch((error: unknown) => logger.warn({ err: error }, "Events not collected; the sweep will collect them"))
        .finally(() => {
          running = null;
        });
    },
    async sweep() {
      const [horizon] = await db.query<{ settledUntil: Date }>(HORIZON, []);
      for (let after = FIRST_UUID; ; ) {
        const feeds = await db.query<{ accountId: string }>(FEEDS, [after]);
        const accountIds = feeds.map(({ accountId }) => accountId);
        if (accountIds.length > 0 && (await collectUpdated(accountIds, MAX_BATCHES))) {
          await db.query(ADVANCE, [accountIds, horizon?.settledUntil]);
        }
        if (feeds.length < SWEEP_ACCOUNTS) return;
        after = accountIds.at(-1) ?? after;
      }
    },
    async follow(accountId) {
      unfollowed.delete(accountId);
      if (await followEvents(db, accountId)) await collectUpdated([accountId], 1);
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
