/** Health of endpoints: disables those that fail for five days and emails the account owner. */
import type { Database, Statement } from "../platform/database/connection.ts";
import type { QueueEmail } from "../platform/email/email-queue.ts";
import type { Logger } from "../platform/observability/logger.ts";
import { createWebhookDisabledEmail, type DisabledWebhook } from "./webhook-disabled-email.ts";

export interface HealthDeps {
  readonly db: Database;
  readonly logger: Logger;
  readonly queueEmail: QueueEmail;
  readonly settings: { readonly dashboardUrl: string };
}

const MAX_FAILING_DAYS = 5;
/**
 * Delays of an endpoint after its second and later attempts without a success. The delay applies to all of its deliveries, so
 * a backlog is not attempted one by one. The first failure delays nothing, because it may concern one event.
 */
const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 300;
/** Days after disabling in which an email may still be queued. Later, it was queued already or is obsolete. */
const EMAIL_WINDOW_DAYS = 2;

const RECORD_SUCCESS: Statement = {
  name: "note-webhook-success",
  text: `UPDATE webhook_endpoints SET failing_since = NULL, failed_attempts = 0, retry_at = NULL
    WHERE id = $1 AND failing_since IS NOT NULL`,
};

const RECORD_FAILURE: Statement = {
  name: "note-webhook-failure",
  text: `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, now()), failed_attempts = failed_attempts + 1,
      retry_at = CASE WHEN failed_attempts > 0 THEN now() + least(interval '${MAX_RETRY_SECONDS} seconds',
        interval '${FIRST_RETRY_SECONDS} seconds' * power(2, least(failed_attempts - 1, 20))) END,
      disabled_at = CASE WHEN $2 OR failing_since < now() - interval '${MAX_FAILING_DAYS} days' THEN now() END,
      disabled_reason = CASE WHEN $2 THEN 'gone' WHEN failing_since < now() - interval '${MAX_FAILING_DAYS} days' THEN 'failing' END
    WHERE id = $1 AND disabled_at IS NULL
    RETURNING disabled_at IS NOT NULL AS "isDisabled"`,
};

const FAIL_PENDING: Statement = {
  name: "fail-pending-webhook-deliveries",
  text: `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, failure_reason = $2
    WHERE endpoint_id = $1 AND status = 'pending'`,
};

const DISABLED_WEBHOOKS: Statement = {
  name: "webhooks-turned-off",
  text: `SELECT e.id, e.url, e.description, e.disabled_reason AS "disabledReason", e.disabled_at AS "disabledAt", a.email
    FROM webhook_endpoints e JOIN accounts a ON a.id = e.account_id
    WHERE e.disabled_at > now() - interval '${EMAIL_WINDOW_DAYS} days' AND e.disabled_reason IN ('failing', 'gone')
      AND a.email IS NOT NULL`,
};

/** Records a successful attempt, which ends the failing period of the endpoint. */
export async function recordSuccess(db: Database, endpointId: string): Promise<void> {
  await db.query(RECORD_SUCCESS, [endpointId]);
}

// A request of the account owner to send events is due at once, such as after the endpoint was mended.
const RETRY_NOW: Statement = {
  name: "retry-webhook-now",
  text: "UPDATE webhook_endpoints SET retry_at = NULL WHERE id = $1 AND retry_at IS NOT NULL",
};

/** Ends the delay of a failing endpoint, so that its due deliveries are attempted now. */
export async function retryNow(db: Database, endpointId: string): Promise<void> {
  await db.query(RETRY_NOW, [endpointId]);
}

/** Records failed attempts without a success, and delays the next. Disables the endpoint if it is gone or has been failing for five days. */
export async function recordFailure(deps: HealthDeps, endpointId: string, isGone: boolean): Promise<void> {
  const [recorded] = await deps.db.query<{ isDisabled: boolean }>(RECORD_FAILURE, [endpointId, isGone]);
  if (!recorded?.isDisabled) return;
  await failPending(deps.db, endpointId, "The webhook was disabled because its endpoint did not accept events.");
  await queueDisabledEmails(deps);
}

/** Fails the pending deliveries of an endpoint. */
export async function failPending(db: Database, endpointId: string, reason: string): Promise<void> {
  await db.query(FAIL_PENDING, [endpointId, reason]);
}

/** Queues emails about recently disabled endpoints. The idempotency key ensures one email each, even after a crash. */
export async function queueDisabledEmails({ db, logger, queueEmail, settings }: HealthDeps): Promise<void> {
  for (const webhook of await db.query<DisabledWebhook & { email: string }>(DISABLED_WEBHOOKS, [])) {
    const idempotencyKey = `webhook-off:${webhook.id}:${webhook.disabledAt.getTime()}`;
    try {
      await queueEmail({
        ...createWebhookDisabledEmail(webhook, settings.dashboardUrl),
        to: webhook.email,
        idempotencyKey,
      });
    } catch (error) {
      logger.error({ err: error, webhookId: webhook.id }, "Email about a disabled webhook not queued; retry scheduled");
    }
  }
}
