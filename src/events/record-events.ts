/** Reads source rows and records their events and webhook deliveries in one statement. */
import type { Database, Statement } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import { EVENTS_SINCE_DAYS } from "./event-feed.ts";
import type { EventSource, SourceRow } from "./event-source.ts";

export const BATCH_SIZE = 500;

const IS_NEW = `s.occurred_at > now() - interval '${EVENTS_SINCE_DAYS} days' AND NOT EXISTS (
  SELECT FROM account_events e WHERE e.account_id = s.account_id AND e.type = s.type AND e.subject_id = s.subject_id)`;

/** Creates the statement that selects new events of rows updated since the accounts' feeds were last collected. */
const createUpdatedStatement = ({ name, sql }: EventSource): Statement => ({
  name: `events-of-moved-${name}`,
  text: `SELECT s.* FROM event_feeds f CROSS JOIN LATERAL (
      SELECT * FROM (${sql}) r WHERE r.account_id = f.account_id AND r.updated_at >= f.collected_until) s
    WHERE f.account_id = ANY($1::uuid[]) AND ${IS_NEW} ORDER BY s.updated_at, s.row_id LIMIT ${BATCH_SIZE}`,
});

/** Creates the statement that selects new events of rows with given ids. */
const createAnnouncedStatement = ({ name, sql }: EventSource): Statement => ({
  name: `events-of-announced-${name}`,
  text: `SELECT s.* FROM (${sql}) s JOIN event_feeds f ON f.account_id = s.account_id
    WHERE s.row_id = ANY($1::text[]) AND ${IS_NEW} ORDER BY s.updated_at, s.row_id`,
});

// Locks an account's feed until the events are committed and gives each batch a later `recorded_at` than the previous one. So a
// client that reads in that order from a cursor misses no event. Endpoints receive only events that occurred after their creation.
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
      INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at)
      SELECT 'whd_' || split_part(r.id, '_', 2) || '_' || left(replace(gen_random_uuid()::text, '-', ''), 20),
        e.id, r.id, r.type, 'pending', now()
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
  /** Whether a delivery was created. */
  readonly isOwed: boolean;
}

/** Result of one batch. Another node may have recorded some of the found events first. */
export interface Collected {
  readonly found: number;
  readonly recorded: readonly RecordedEvent[];
}

/** Records up to 500 events of rows updated since the accounts' feeds were last collected. */
export async function collectUpdatedRows(
  db: Database,
  source: EventSource,
  accountIds: readonly string[],
): Promise<Collected> {
  return await record(db, source, await db.query<SourceRow>(createUpdatedStatement(source), [accountIds]));
}

/** Records the events of the rows with these ids whose accounts have a feed. */
export async function collectAnnouncedRows(
  db: Database,
  source: EventSource,
  rowIds: readonly string[],
): Promise<Collected> {
  return await record(db, source, await db.query<SourceRow>(createAnnouncedStatement(source), [rowIds]));
}

async function record(db: Database, source: EventSource, found: readonly SourceRow[]): Promise<Collected> {
  if (found.length === 0) return { found: 0, recorded: [] };
  // Events of a batch have the same `recorded_at`, so their ids decide in which order they are read.
  const rows = found.toSorted((one, other) => one.occurred_at.getTime() - other.occurred_at.getTime());
  const recorded = await db.query<RecordedEvent>(RECORD, [
    rows.map(() => newId("evt")).sort(),
    rows.map((row) => row.account_id),
    rows.map((row) => row.type),
    rows.map((row) => row.subject_id),
    rows.map((row) => row.occurred_at.toISOString()),
    rows.map((row) => JSON.stringify(source.dataOf(row))),
  ]);
  return { found: found.length, recorded };
}
