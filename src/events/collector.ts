/**
 * Collects events. What is announced is collected at once, on the node that announced it; what was not, because that node
 * ended or its transaction was committed late, is found by a sweep over the rows that moved lately.
 */
import { LRUCache } from "lru-cache";
import type { Database, Statement } from "../platform/database/connection.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import { followEvents, publishEvent } from "./event-feed.ts";
import type { EventSource } from "./event-source.ts";
import { BATCH_SIZE, type Collected, collectAnnounced, collectMoved } from "./record-events.ts";

export interface CollectorDeps {
  readonly db: Database;
  readonly pubsub: Pick<PubSub, "publish">;
  readonly logger: Logger;
  readonly sources: readonly EventSource[];
  /** Told when endpoints are owed something. */
  readonly onOwed: () => void;
}

export interface Collector {
  /** Something was announced on this node. Returns at once. */
  overhear(channel: string, payload: string): void;
  /** Goes over every feed. */
  sweep(): Promise<void>;
  /**
   * Has an account's events collected from now on. The first time, those of the last 30 days too: at once as far as they
   * are a batch of each kind, and the sweep does the rest.
   */
  follow(accountId: string): Promise<void>;
  /** Resolves once what was overheard is recorded; nothing is overheard any more. */
  stop(): Promise<void>;
}

/** Announcements this close together are read together. */
const GATHER_MS = 50;
/** More that are not read yet are left to the sweep. */
const MAX_GATHERED = 10_000;
const UNFOLLOWED_TTL_MS = 5_000;
const SWEEP_ACCOUNTS = 500;
/** One account that has much to tell must not keep the others waiting for ever. */
const MAX_BATCHES = 40;

// A transaction stamps rows with the time it began, and commits them later: nothing that an open one may have stamped is taken
// for read. The half minute more is for clocks of nodes that stamp rows themselves.
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

// Once a minute is enough: in between, the same rows are looked at again.
const ADVANCE: Statement = {
  name: "advance-event-feeds",
  text: `UPDATE event_feeds SET collected_until = $2 WHERE account_id = ANY($1::uuid[]) AND collected_until < $2::timestamptz - interval '1 minute'`,
};

const FIRST_UUID = "00000000-0000-0000-0000-000000000000";

export function createCollector(deps: CollectorDeps): Collector {
  const { db, pubsub, logger, sources, onOwed } = deps;
  const byChannel = new Map(sources.map((source) => [source.channel, source]));
  const unfollowed = new LRUCache<string, true>({ max: 50_000, ttl: UNFOLLOWED_TTL_MS });
  /** Ids of rows that were announced, by their source, with their accounts. */
  let gathered = new Map<EventSource, Map<string, string>>();
  let gatheredCount = 0;
  let running: Promise<void> | null = null;
  let isStopped = false;

  function tell({ recorded }: Collected): void {
    for (const { id, accountId } of recorded) publishEvent(pubsub, accountId, id);
    if (recorded.some(({ isOwed }) => isOwed)) onOwed();
  }

  async function readGathered(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    while (gatheredCount > 0) {
      const taken = gathered;
      gathered = new Map();
      gatheredCount = 0;
      const accountIds = [...new Set([...taken.values()].flatMap((rows) => [...rows.values()]))];
      const followed = new Set(
        (await db.query<{ accountId: string }>(FOLLOWED, [accountIds])).map(({ accountId }) => accountId),
      );
      for (const id of accountIds) if (!followed.has(id)) unfollowed.set(id, true);
      for (const [source, rows] of taken) {
        const ids = [...rows].filter(([, accountId]) => followed.has(accountId)).map(([id]) => id);
        if (ids.length > 0) tell(await collectAnnounced(db, source, ids));
      }
    }
  }

  /** Answers whether nothing was left. */
  async function readMoved(accountIds: readonly string[], maxBatches: number): Promise<boolean> {
    let isComplete = true;
    for (const source of sources) {
      let batches = 0;
      for (let isMore = true; isMore && batches < maxBatches; batches++) {
        const collected = await collectMoved(db, source, accountIds);
        tell(collected);
        isMore = collected.found === BATCH_SIZE;
        if (isMore && batches === maxBatches - 1) isComplete = false;
      }
    }
    return isComplete;
  }

  return {
    overhear(channel, payload) {
      const [name = "", accountId = ""] = channel.split(":", 2);
      const source = byChannel.get(name);
      if (!source || isStopped || unfollowed.has(accountId) || gatheredCount >= MAX_GATHERED) return;
      const rows = gathered.get(source) ?? new Map<string, string>();
      rows.set(payload, accountId);
      gathered.set(source, rows);
      gatheredCount++;
      running ??= readGathered()
        .catch((error: unknown) => logger.warn({ err: error }, "events not collected at once; the sweep finds them"))
        .finally(() => {
          running = null;
        });
    },
    async sweep() {
      const [horizon] = await db.query<{ settledUntil: Date }>(HORIZON, []);
      for (let after = FIRST_UUID; ; ) {
        const feeds = await db.query<{ accountId: string }>(FEEDS, [after]);
        const accountIds = feeds.map(({ accountId }) => accountId);
        if (accountIds.length > 0 && (await readMoved(accountIds, MAX_BATCHES))) {
          await db.query(ADVANCE, [accountIds, horizon?.settledUntil]);
        }
        if (feeds.length < SWEEP_ACCOUNTS) return;
        after = accountIds.at(-1) ?? after;
      }
    },
    async follow(accountId) {
      unfollowed.delete(accountId);
      if (await followEvents(db, accountId)) await readMoved([accountId], 1);
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
