/** Event source of the deliveries of sent messages, each to one recipient. */
import type { MailEventData, MailRecipientData } from "../../events/event-data.ts";
import { defineSource } from "../../events/event-source.ts";
import { DELIVERY_CHANNEL } from "../../mail/mail-events.ts";
import { MAIL_COLUMNS, type MailRow, toMailEventData } from "./agent.ts";

interface DeliveryRow extends MailRow {
  readonly delivery_id: string;
  readonly address: string;
  readonly recipient_status: MailRecipientData["status"];
  readonly recipient_reason: string | null;
  readonly attempts: number;
}

/**
 * The states of the delivery to each recipient, one event for each state. Events derive from timestamps, because a delivery can have
 * the next state before its former one was collected.
 */
export const mailRecipientEvents = defineSource<DeliveryRow, MailEventData>({
  name: "mail-recipients",
  channel: DELIVERY_CHANNEL,
  sql: `SELECT d.account_id, d.id AS row_id, d.id AS subject_id, 'mail.recipient_' || moment.status AS type, moment.occurred_at,
      d.updated_at, d.id AS delivery_id, d.address, d.attempts, moment.status AS recipient_status,
      CASE WHEN moment.status = d.status THEN d.failure_reason END AS recipient_reason, ${MAIL_COLUMNS}
    FROM mail_deliveries d JOIN mail_messages m ON m.id = d.message_id CROSS JOIN LATERAL (VALUES
      ('deferred', d.deferred_at),
      ('delivered', d.delivered_at),
      ('failed', d.failed_at),
      ('bounced', d.bounced_at),
      ('complained', d.complained_at)
    ) AS moment (status, occurred_at) WHERE moment.occurred_at IS NOT NULL`,
  dataOf: (row) => ({
    ...toMailEventData(row),
    recipient: {
      deliveryId: row.delivery_id,
      address: row.address,
      status: row.recipient_status,
      failureReason: row.recipient_reason,
      attempts: row.attempts,
    },
  }),
});
