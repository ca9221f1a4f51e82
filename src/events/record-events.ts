/** Reads what rows tell of and records it as events, with the deliveries they need, in one statement. */
import type { Database, Statement } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import { EVENTS_SINCE_DAYS } from "./event-feed.ts";
import type { EventSource, SourceRow } from "./event-source.ts";

export const BATCH_SIZE = 500;

const IS_NEW = `s.occurred_at > now() - interval '${EVENTS_SINCE_DAYS} days' AND NOT EXISTS (
  SELECT FROM account_events e WHERE e.account_id = s.account_id AND e.type = s.type AND e.subject_id = s.subject_id)`;

/** Of rows of these accounts that moved since their feeds were last collected. */
const moved = ({ name, sql }: EventSource): Statement => ({
  name: `events-of-moved-${name}`,
  text: `SELECT s.* FROM event_feeds f CROSS JOIN LATERAL (
      SELECT * FROM (${sql}) r WHERE r.account_id = f.account_id AND r.updated_at >= f.collected_until) s
    WHERE f.account_id = ANY($1::uuid[]) AND ${IS_NEW} ORDER BY s.updated_at, s.row_id LIMIT ${BATCH_SIZE}`,
});

/** Of these rows. */
const announced = ({ name, sql }: EventSource): Statement => ({
  name: `events-of-announced-${name}`,
  text: `SELECT s.* FROM (${sql}) s JOIN event_feeds f ON f.account_id = s.account_id
    WHERE s.row_id = ANY($1::text[]) AND ${IS_NEW} ORDER BY s.updated_at, s.row_id`,
});

// An account's feed is locked until the events are committed, and each batch bears a later time than the last: whoever reads
// events in that order, and goes on from the last one seen, misses none. An endpoint is told of what happened since it is there.
const RECORD: Statement = {
  name: "record-events",
  text: `WITH given AS (
      SELECT id, account_id::uuid, type, subject_id, occurred_at::timestamptz, payload::jsonb
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
        AS g (id, account_id, type, subject_id, occurred_at, payload)
    ), feed AS MATERIALIZED (
      SELECT account_id, greatest(date_trunc('milliseconds', clock_timestamp()), last_recorded_at + interval '1 millisecond') AS at
      FROM event_feeds WHERE account_id IN (SELECT account_id FROM given) ORDER BY account_id FOR UPDATE
    ), recorded AS (
      INSERT INTO account_events (id, account_id, type, subject_id, payload, created_at, recorded_at)
      SELECT g.id, g.account_id, g.type, g.subject_id, g.payload, g.occurred_at, feed.at
      FROM given g JOIN feed ON feed.account_id = g.account_id
      ON CONFLICT DO NOTHING
      RETURNING id, account_id, type, created_at
    ), stamped AS (
      UPDATE event_feeds f SET last_recorded_at = feed.at FROM feed WHERE f.account_id = feed.account_id
    ), owed AS (
      INSERT INTO webhook_deliveries (id, endpoint_id, event_id, status, next_attempt_at)
      SELECT 'whd_' || split_part(r.id, '_', 2) || '_' || left(replace(gen_random_uuid()::text, '-', ''), 20),
        e.id, r.id, 'pending', now()
      FROM recorded r JOIN webhook_endpoints e ON e.account_id = r.account_id
      WHERE e.disabled_at IS NULL AND e.created_at <= r.created_at
        AND (coalesce(cardinality(e.event_types), 0) = 0 OR r.type = ANY(e.event_types))
      RETURNING event_id
    )
    SELECT r.id, r.account_id AS "accountId", EXISTS (SELECT FROM owed o WHERE o.event_id = r.id) AS "isOwed" FROM recorded r`,
};

export interface RecordedEvent {
  readonly id: string;
  readonly accountId: string;
  /** Whether some endpoint is to be told. */
  readonly isOwed: boolean;
}

/** A batch of what was found, and what of it was recorded: another node may have been faster. */
export interface Collected {
  readonly found: number;
  readonly recorded: readonly RecordedEvent[];
}

/** Records events of rows that moved since those accounts' feeds were last collected, at most 500 at once. */
export async function collectMoved(
  db: Database,
  source: EventSource,
  accountIds: readonly string[],
): Promise<Collected> {
  return await record(db, source, await db.query<SourceRow>(moved(source), [accountIds]));
}

/** Records events of the rows of those ids, as far as their accounts' events are collected. */
export async function collectAnnounced(
  db: Database,
  source: EventSource,
  rowIds: readonly string[],
): Promise<Collected> {
  return await record(db, source, await db.query<SourceRow>(announced(source), [rowIds]));
}

async function record(db: Database, source: EventSource, rows: readonly SourceRow[]): Promise<Collected> {
  if (rows.length === 0) return { found: 0, recorded: [] };
  const recorded = await db.query<RecordedEvent>(RECORD, [
    rows.map(() => newId("evt")),
    rows.map((row) => row.account_id),
    rows.map((row) => row.type),
    rows.map((row) => row.subject_id),
    rows.map((row) => row.occurred_at.toISOString()),
    rows.map((row) => JSON.stringify(source.dataOf(row))),
  ]);
  return { found: rows.length, recorded };
}
