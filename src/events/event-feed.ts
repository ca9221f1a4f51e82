/** Event feeds: accounts whose events are collected, because they have a webhook or a client requested their events. */
import type { Database, Statement } from "../platform/database/connection.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** Days for which events are recorded and retained. */
export const EVENTS_SINCE_DAYS = 30;

/** Returns the pub/sub channel for recorded events of an account. */
export function eventChannel(accountId: string): string {
  return `event:${accountId}`;
}

/** Announces that an event was recorded. The payload is its id. */
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

/** Starts collecting an account's events, including those of the last 30 days. Returns whether the feed is new. */
export async function followEvents(db: Database, accountId: string): Promise<boolean> {
  const [feed] = await db.query<{ isNew: boolean }>(FOLLOW, [accountId]);
  return feed?.isNew ?? false;
}
