/** Claims due deliveries and records their outcomes. Any number of nodes share the work. */
import { randomUUID } from "node:crypto";
import type { Database, Statement } from "../platform/database/connection.ts";
import { type Queue, visitOwners } from "../platform/database/due-owners.ts";
import type { SealedSecrets } from "./webhook-secrets.ts";

/** A delivery claimed by this node for {@link CLAIM_SECONDS}. */
export interface ClaimedDelivery {
  readonly id: string;
  /** Number of this attempt, from 1. It also identifies the claim. */
  readonly attempts: number;
  readonly accountId: string;
  readonly url: string;
  readonly endpoint: SealedSecrets;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly createdAt: Date;
    readonly data: unknown;
  };
}

/** Outcome of an attempt. */
export type Outcome =
  | { readonly isDelivered: true; readonly status: number }
  | {
      readonly isDelivered: false;
      /** HTTP status of the response, or null without a response. */
      readonly status: number | null;
      readonly reason: string;
      /** Delay until the next attempt, or null for no retry. */
      readonly retryInMs: number | null;
      /** Whether the endpoint responded with 410 (Gone), so it must receive no more events. */
      readonly isGone: boolean;
    };

/** Lifetime of a claim. Without a recorded outcome in this time, another node may claim the delivery. */
export const CLAIM_SECONDS = 60;
/** Maximum number of endpoints visited by one claim. A further claim continues after them. */
const MAX_VISITED = 1_000;
const QUEUE: Queue = { table: "webhook_deliveries", owner: "endpoint_id", dueAt: "next_attempt_at" };

const HAS_DUE_DELIVERY: Statement = {
  name: "is-any-webhook-delivery-due",
  text: "SELECT EXISTS (SELECT 1 FROM webhook_deliveries WHERE next_attempt_at <= now()) AS is_due",
};

/** Returns whether any delivery is due. Much cheaper than {@link claimDeliveries}, so it is checked first. */
export async function hasDueDelivery(db: Database): Promise<boolean> {
  const [row] = await db.query<{ is_due: boolean }>(HAS_DUE_DELIVERY, []);
  return row?.is_due === true;
}

// Limits deliveries per endpoint and endpoints per account. Every account's first endpoint precedes any account's second,
// regardless of how many deliveries others have. An endpoint that failed repeatedly is skipped until `retry_at`. Claiming
// postpones the next attempt: no other node claims the row, and after a crash the attempt is repeated. The ids of endpoints
// begin with their age, so a random account selects the first.
const CLAIM: Statement = {
  name: "claim-webhook-deliveries",
  text: `WITH RECURSIVE held AS MATERIALIZED (
      SELECT account_id, count(*) AS places FROM unnest($5::uuid[]) AS busy (account_id) GROUP BY account_id
    ), start AS MATERIALIZED (
      SELECT coalesce($8::text, (SELECT id FROM webhook_endpoints WHERE account_id >= $7::uuid ORDER BY account_id LIMIT 1), '') AS id
    ), ${visitOwners(QUEUE, "(SELECT id FROM start)", MAX_VISITED)},
    waiting AS (
      SELECT e.id AS endpoint_id, due_at AS since, coalesce(places, 0)
        + row_number() OVER (PARTITION BY e.account_id ORDER BY due_at, e.id) AS place
      FROM visited JOIN webhook_endpoints e ON e.id = visited.owner LEFT JOIN held ON held.account_id = e.account_id
      WHERE due_at <= now() AND e.disabled_at IS NULL AND (e.failing_since IS NOT NULL) = $1::boolean
        AND (e.retry_at IS NULL OR e.retry_at <= now()) AND e.id <> ALL($2::text[])
    ), ready AS MATERIALIZED (
      SELECT endpoint_id FROM waiting WHERE place <= $6 ORDER BY place, since LIMIT $3
    ), taken AS MATERIALIZED (
      SELECT d.id FROM ready r CROSS JOIN LATERAL (
        SELECT id FROM webhook_deliveries WHERE endpoint_id = r.endpoint_id AND next_attempt_at <= now()
        ORDER BY next_attempt_at, id LIMIT $4 FOR UPDATE SKIP LOCKED) d
    ), claimed AS (
      UPDATE webhook_deliveries d SET attempts = d.attempts + 1, last_attempt_at = now(),
        next_attempt_at = now() + interval '${CLAIM_SECONDS} seconds'
      FROM taken, webhook_endpoints e, account_events v
      WHERE d.id = taken.id AND e.id = d.endpoint_id AND v.id = d.event_id
      RETURNING d.id, d.attempts, e.id AS endpoint_id, e.account_id, e.url, e.sealed_secrets, e.wrapped_data_key, e.kek_id,
        v.id AS event_id, v.type, v.created_at, v.payload
    ), ring AS (
      SELECT CASE WHEN count(*) = ${MAX_VISITED}
        THEN coalesce(max(owner) FILTER (WHERE owner < (SELECT id FROM start)), max(owner)) END AS last FROM visited
    )
    SELECT ring.last AS last_visited, claimed.* FROM ring LEFT JOIN claimed ON true`,
};

/** Without claims, a single row with `id` null. */
interface ClaimedRow {
  readonly last_visited: string | null;
  readonly id: string | null;
  readonly attempts: number;
  readonly endpoint_id: string;
  readonly account_id: string;
  readonly url: string;
  readonly sealed_secrets: Uint8Array;
  readonly wrapped_data_key: Uint8Array;
  readonly kek_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly created_at: Date;
  readonly payload: unknown;
}

/**
 * Claims due deliveries, fairly across accounts and oldest first for each endpoint.
 * @param query.isFailing whether to claim for endpoints whose last attempt failed, or for the others
 * @param query.busy ids of endpoints with deliveries in flight on this node
 * @param query.busyAccounts account ids of busy endpoints in the same share, one entry per endpoint
 * @param query.start the endpoint at which the visit starts; null for a random one
 * @returns the claims, and the endpoint at which a further claim continues; null if all were visited
 */
export async function claimDeliveries(
  db: Database,
  query: {
    readonly isFailing: boolean;
    readonly busy: readonly string[];
    readonly busyAccounts: readonly string[];
    readonly maxEndpoints: number;
    readonly maxPerAccount: number;
    readonly maxPerEndpoint: number;
    readonly start: string | null;
  },
): Promise<{ readonly claims: ClaimedDelivery[]; readonly next: string | null }> {
  const { isFailing, busy, busyAccounts, maxEndpoints, maxPerAccount, maxPerEndpoint, start } = query;
  const values = [isFailing, busy, maxEndpoints, maxPerEndpoint, busyAccounts, maxPerAccount, randomUUID(), start];
  const rows = await db.query<ClaimedRow>(CLAIM, values);
  const claims = rows.flatMap(({ id, ...row }) => (id === null ? [] : [toClaim({ id, ...row })]));
  return { claims, next: rows[0]?.last_visited ?? null };
}

const toClaim = (row: ClaimedRow & { readonly id: string }): ClaimedDelivery => ({
  id: row.id,
  attempts: row.attempts,
  accountId: row.account_id,
  url: row.url,
  endpoint: {
    id: row.endpoint_id,
    accountId: row.account_id,
    sealedSecrets: Uint8Array.from(row.sealed_secrets),
    wrappedDataKey: Uint8Array.from(row.wrapped_data_key),
    kekId: row.kek_id,
  },
  event: { id: row.event_id, type: row.type, createdAt: row.created_at, data: row.payload },
});

// A success is recorded even if another node has claimed the delivery since. A failure is recorded only for its own claim.
const RECORD: Statement = {
  name: "record-webhook-outcomes",
  text: `UPDATE webhook_deliveries d SET status = o.status, response_status = o.response_status,
      failure_reason = o.failure_reason,
      next_attempt_at = CASE WHEN o.status = 'pending' THEN now() + o.retry_in_ms * interval '1 millisecond' END,
      delivered_at = CASE WHEN o.status = 'delivered' THEN now() END
    FROM unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::text[], $6::float8[])
      AS o (id, attempts, status, response_status, failure_reason, retry_in_ms)
    WHERE d.id = o.id AND d.status = 'pending' AND (o.status = 'delivered' OR d.attempts = o.attempts)`,
};

/** Records the outcomes of claimed deliveries and schedules their retries. */
export async function recordOutcomes(
  db: Database,
  outcomes: readonly (readonly [ClaimedDelivery, Outcome])[],
): Promise<void> {
  const getStatus = (outcome: Outcome) =>
    outcome.isDelivered ? "delivered" : outcome.retryInMs === null ? "failed" : "pending";
  await db.query(RECORD, [
    outcomes.map(([{ id }]) => id),
    outcomes.map(([{ attempts }]) => attempts),
    outcomes.map(([, outcome]) => getStatus(outcome)),
    outcomes.map(([, { status }]) => status),
    outcomes.map(([, outcome]) => (outcome.isDelivered ? null : outcome.reason)),
    outcomes.map(([, outcome]) => (outcome.isDelivered ? null : outcome.retryInMs)),
  ]);
}

const RELEASE: Statement = {
  name: "give-back-webhook-claims",
  text: `UPDATE webhook_deliveries d SET attempts = d.attempts - 1, next_attempt_at = now()
    FROM unnest($1::text[], $2::int[]) AS c (id, attempts)
    WHERE d.id = c.id AND d.status = 'pending' AND d.attempts = c.attempts`,
};

/** Releases claims without counting an attempt. Another node can claim the deliveries immediately. */
export async function releaseClaims(db: Database, claims: readonly ClaimedDelivery[]): Promise<void> {
  await db.query(RELEASE, [claims.map(({ id }) => id), claims.map(({ attempts }) => attempts)]);
}
