/** Replays events to webhooks and sends test events. */
import type { WebhookDelivery } from "../../generated/prisma/client.ts";
import { requireManager, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { EventDeps } from "./deps.ts";
import { retryNow } from "./endpoint-health.ts";
import type { WebhookTestEventData } from "./event-data.ts";
import { publishEvent } from "./event-feed.ts";
import type { EventType } from "./event-types.ts";
import { findWebhook } from "./manage-webhooks.ts";

const TESTS_PER_MINUTE = 10;
const REPLAYS_PER_MINUTE = 60;
const REPLAYS_SINCE_PER_MINUTE = 6;

const RECORD_TEST_EVENT: Statement = {
  name: "record-test-event",
  text: `WITH feed AS MATERIALIZED (
      SELECT account_id, greatest(date_trunc('milliseconds', clock_timestamp()), last_recorded_at + interval '1 millisecond') AS at
      FROM event_feeds WHERE account_id = $2::uuid FOR UPDATE
    ), recorded AS (
      INSERT INTO account_events (id, account_id, type, subject_id, payload, created_at, recorded_at)
      SELECT $1, account_id, 'webhook.test', $1, $3::jsonb, at, at FROM feed RETURNING id
    ), stamped AS (
      UPDATE event_feeds f SET last_recorded_at = feed.at FROM feed WHERE f.account_id = feed.account_id
    )
    INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at)
    SELECT $4, $5, id, 'webhook.test', 'pending', now() FROM recorded`,
};

const REPLAY: Statement = {
  name: "replay-webhook-delivery",
  text: `UPDATE webhook_deliveries SET status = 'pending', attempts = 0, next_attempt_at = now() WHERE id = $1`,
};

// Pending deliveries are not changed, because they are sent anyway.
const REPLAY_SINCE: Statement = {
  name: "replay-events-since",
  text: `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at)
    SELECT 'whd_' || split_part(v.id, '_', 2) || '_' || left(replace(gen_random_uuid()::text, '-', ''), 20),
      $1, v.id, v.type, 'pending', now()
    FROM account_events v WHERE v.account_id = $2::uuid AND v.created_at >= $3
      AND v.type <> 'webhook.test' AND (cardinality($4::text[]) = 0 OR v.type = ANY($4::text[]))
    ON CONFLICT (endpoint_id, event_id) DO UPDATE SET status = 'pending', attempts = 0, next_attempt_at = now()
      WHERE webhook_deliveries.status = 'failed' OR webhook_deliveries.status = 'delivered' AND $5
    RETURNING id`,
};

/**
 * Sends a `webhook.test` event to one webhook, regardless of its event types.
 * @throws {NotFoundError}
 * @throws {InvalidRequestError} when the webhook is disabled
 */
export async function sendTestEvent(
  deps: EventDeps,
  viewer: Viewer | null,
  webhookId: string,
): Promise<WebhookDelivery> {
  const { accountId } = requireManager(viewer);
  await deps.rateLimiter.consume("webhook-test", accountId, TESTS_PER_MINUTE);
  await findEnabled(deps, accountId, webhookId, "webhookId");
  await deps.events.collector.follow(accountId);
  const [eventId, deliveryId] = [newId("evt"), newId("whd")];
  const data: WebhookTestEventData = { webhookId, message: "This is a test. Nothing happened to the account." };
  await deps.db.query(RECORD_TEST_EVENT, [eventId, accountId, JSON.stringify(data), deliveryId, webhookId]);
  publishEvent(deps.pubsub, accountId, eventId);
  await retryNow(deps.db, webhookId);
  deps.events.deliverer.wake();
  return await deps.db.prisma.webhookDelivery.findUniqueOrThrow({ where: { id: deliveryId } });
}

/**
 * Sends one event to its webhook again, with the same `webhook-id` and all retries.
 * @throws {NotFoundError}
 * @throws {InvalidRequestError} when the webhook is disabled
 */
export async function replayDelivery(deps: EventDeps, viewer: Viewer | null, id: string): Promise<WebhookDelivery> {
  const { accountId } = requireManager(viewer);
  await deps.rateLimiter.consume("webhook-replay", accountId, REPLAYS_PER_MINUTE);
  const { webhookDelivery } = deps.db.prisma;
  const delivery = await webhookDelivery.findFirst({ where: { id, endpoint: { accountId } } });
  if (!delivery) throw new NotFoundError("There is no such delivery.");
  await findEnabled(deps, accountId, delivery.endpointId, "id");
  await deps.db.query(REPLAY, [id]);
  await retryNow(deps.db, delivery.endpointId);
  deps.events.deliverer.wake();
  return await webhookDelivery.findUniqueOrThrow({ where: { id } });
}

/**
 * Sends a webhook the retained events since a time that were never sent to it or that failed. Events are never sent while a
 * webhook does not exist or is disabled. With `includeDelivered`, delivered events are sent too.
 * @returns the number of queued events
 * @throws {NotFoundError}
 * @throws {InvalidRequestError} when the webhook is disabled
 */
export async function replayEventsSince(
  deps: EventDeps,
  viewer: Viewer | null,
  input: { readonly webhookId: string; readonly since: Date; readonly includeDelivered: boolean },
): Promise<number> {
  const { accountId } = requireManager(viewer);
  await deps.rateLimiter.consume("webhook-replay-since", accountId, REPLAYS_SINCE_PER_MINUTE);
  const { eventTypes } = await findEnabled(deps, accountId, input.webhookId, "webhookId");
  const values = [input.webhookId, accountId, input.since, eventTypes as EventType[], input.includeDelivered];
  const rows = await deps.db.query(REPLAY_SINCE, values);
  await retryNow(deps.db, input.webhookId);
  deps.events.deliverer.wake();
  return rows.length;
}

async function findEnabled(deps: EventDeps, accountId: string, id: string, field: string) {
  const webhook = await findWebhook(deps, accountId, id);
  if (webhook.disabledAt === null) return webhook;
  throw new InvalidRequestError(`${field} is a disabled webhook. No event was sent. Enable the webhook first.`, field);
}
