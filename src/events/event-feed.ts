/** Whose events are collected: accounts with a webhook, and those somebody asked for the events of. */
import type { Database, Statement } from "../platform/database/connection.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** What happened longer ago has no event any more. */
export const EVENTS_SINCE_DAYS = 30;

/** The channel on which an account's events are announced, once they are recorded. */
export function eventChannel(accountId: string): string {
  return `event:${accountId}`;
}

/** Says that an event was recorded. The payload is its id. */
export function publishEvent(pubsub: Pick<PubSub, "publish">, accountId: string, eventId: string): void {
  pubsub.publish(eventChannel(accountId), eventId);
}

const FOLLOW: Statement = {
  name: "follow-events",
  text: `INSERT INTO event_feeds (account_id, collected_until, last_recorded_at, read_at)
    VALUES ($1, now() - interval '${EVENTS_SINCE_DAYS} days', now(), now())
    ON CONFLICT (account_id) DO UPDATE SET read_at = now() WHERE event_feeds.read_at < now() - interval '1 day'
    RETURNING xmax::text = '0' AS "isNew"`,
};

/** Has the account's events collected from now on, and those of the last 30 days. Answers whether they were not before. */
export async function followEvents(db: Database, accountId: string): Promise<boolean> {
  const [feed] = await db.query<{ isNew: boolean }>(FOLLOW, [accountId]);
  return feed?.isNew ?? false;
}

const FORGET: Statement = {
  name: "forget-event-feeds",
  text: `DELETE FROM event_feeds f WHERE read_at < now() - interval '30 days'
    AND NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.account_id = f.account_id)`,
};

const DELETE_OLD: Statement = {
  name: "delete-old-events",
  text: `DELETE FROM account_events WHERE id IN (
    SELECT id FROM account_events WHERE recorded_at < now() - interval '${EVENTS_SINCE_DAYS + 5} days' LIMIT 1000) RETURNING id`,
};

/** Deletes events five days after they could be recorded again, with their deliveries, and feeds nobody asks for. */
export async function deleteOldEvents(db: Database): Promise<void> {
  while ((await db.query(DELETE_OLD, [])).length === 1_000);
  await db.query(FORGET, []);
}
