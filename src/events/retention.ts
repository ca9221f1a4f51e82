import { deleteRows, type RetentionRule } from "../platform/retention/rule.ts";
import { EVENTS_SINCE_DAYS } from "./event-feed.ts";

const DAY_SECONDS = 86_400;

export const EVENT_RETENTION: readonly RetentionRule[] = [
  {
    // Older events can no longer be recorded again.
    ...deleteRows({ name: "events", table: "account_events", key: ["id"], time: "recorded_at", batch: 1_000 }),
    data: "Events with their webhook deliveries",
    since: "recording",
    period: { seconds: (EVENTS_SINCE_DAYS + 5) * DAY_SECONDS },
  },
  {
    ...deleteRows({
      name: "event-feeds",
      table: "event_feeds",
      key: ["account_id"],
      time: "read_at",
      where: "NOT EXISTS (SELECT FROM webhook_endpoints w WHERE w.account_id = event_feeds.account_id)",
    }),
    data: "Feeds of accounts without webhooks",
    since: "last reading",
    period: { seconds: 30 * DAY_SECONDS },
  },
];
