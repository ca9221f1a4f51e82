/** Endpoints that fail and go on failing: turned off after five days, and their people are told. */
import type { Database, Statement } from "../platform/database/connection.ts";
import type { QueueEmail } from "../platform/email/email-queue.ts";
import type { Logger } from "../platform/observability/logger.ts";
import { type DisabledWebhook, webhookDisabledEmail } from "./webhook-disabled-email.ts";

export interface HealthDeps {
  readonly db: Database;
  readonly logger: Logger;
  readonly queueEmail: QueueEmail;
  readonly settings: { readonly dashboardUrl: string };
}

const FAILS_FOR_DAYS = 5;
/** Letters of endpoints turned off longer ago were queued, or are too late. */
const LETTERS_FOR_DAYS = 2;

const NOTE_SUCCESS: Statement = {
  name: "note-webhook-success",
  text: "UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL",
};

const NOTE_FAILURE: Statement = {
  name: "note-webhook-failure",
  text: `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, now()),
      disabled_at = CASE WHEN $2 OR failing_since < now() - interval '${FAILS_FOR_DAYS} days' THEN now() END,
      disabled_reason = CASE WHEN $2 THEN 'gone' WHEN failing_since < now() - interval '${FAILS_FOR_DAYS} days' THEN 'failing' END
    WHERE id = $1 AND disabled_at IS NULL
    RETURNING disabled_at IS NOT NULL AS "isDisabled"`,
};

const FAIL_PENDING: Statement = {
  name: "fail-pending-webhook-deliveries",
  text: `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, failure_reason = $2
    WHERE endpoint_id = $1 AND status = 'pending'`,
};

const OWED_LETTERS: Statement = {
  name: "webhooks-turned-off",
  text: `SELECT e.id, e.url, e.description, e.disabled_reason AS "disabledReason", e.disabled_at AS "disabledAt", a.email
    FROM webhook_endpoints e JOIN accounts a ON a.id = e.account_id
    WHERE e.disabled_at > now() - interval '${LETTERS_FOR_DAYS} days' AND e.disabled_reason IN ('failing', 'gone')
      AND a.email IS NOT NULL`,
};

/** Some attempt was successful: whatever failed before is forgiven. */
export async function noteSuccess(db: Database, endpointId: string): Promise<void> {
  await db.query(NOTE_SUCCESS, [endpointId]);
}

/** Attempts failed and none was successful. After five days of that, or once it is gone, it is told of nothing any more. */
export async function noteFailure(deps: HealthDeps, endpointId: string, isGone: boolean): Promise<void> {
  const [noted] = await deps.db.query<{ isDisabled: boolean }>(NOTE_FAILURE, [endpointId, isGone]);
  if (!noted?.isDisabled) return;
  await failPending(deps.db, endpointId, "The webhook was turned off, because it did not answer as it should.");
  await sendDisabledLetters(deps);
}

/** What still waits for an endpoint has failed. */
export async function failPending(db: Database, endpointId: string, reason: string): Promise<void> {
  await db.query(FAIL_PENDING, [endpointId, reason]);
}

/** Queues the letters about endpoints that were turned off; the queue takes each once, also after a crash in between. */
export async function sendDisabledLetters({ db, logger, queueEmail, settings }: HealthDeps): Promise<void> {
  for (const webhook of await db.query<DisabledWebhook & { email: string }>(OWED_LETTERS, [])) {
    const idempotencyKey = `webhook-off:${webhook.id}:${webhook.disabledAt.getTime()}`;
    try {
      await queueEmail({ ...webhookDisabledEmail(webhook, settings.dashboardUrl), to: webhook.email, idempotencyKey });
    } catch (error) {
      logger.error({ err: error, webhookId: webhook.id }, "a letter about a webhook was not queued; tried again");
    }
  }
}
