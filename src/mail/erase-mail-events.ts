/**
 * Removal of a deleted message's subject and addresses from its stored events, and so from later webhook deliveries. It is part
 * of the transaction that deletes the message.
 */
import { Prisma } from "../../generated/prisma/client.ts";

/** Types of events about a message. Their `subject_id` is its id. */
export const MAIL_EVENT_TYPES = "ARRAY['mail.received', 'mail.sent', 'mail.failed', 'mail.bounced']";

/** Types of events about one recipient of a message. Their `subject_id` is the id of the delivery. */
export const RECIPIENT_EVENT_TYPES =
  "ARRAY['mail.recipient_deferred', 'mail.recipient_delivered', 'mail.recipient_failed', 'mail.recipient_bounced', 'mail.recipient_complained']";

/** The payload of an event whose message is deleted. A failure reason may contain an address. */
export const ERASED_PAYLOAD = `e.payload
  || '{"from": "", "fromName": "", "to": [], "cc": [], "subject": "", "isDeleted": true}'::jsonb
  || CASE WHEN jsonb_exists(e.payload, 'failureReason') THEN '{"failureReason": null}'::jsonb ELSE '{}'::jsonb END
  || CASE WHEN jsonb_exists(e.payload, 'recipient')
    THEN jsonb_build_object('recipient', e.payload -> 'recipient' || '{"address": "", "failureReason": null}'::jsonb)
    ELSE '{}'::jsonb END`;

/** Removes subject and addresses from the events of the account's messages. */
export async function eraseMailEvents(
  tx: Prisma.TransactionClient,
  accountId: string,
  messageIds: readonly string[],
): Promise<void> {
  await tx.$executeRaw`UPDATE account_events e SET payload = ${Prisma.raw(ERASED_PAYLOAD)}
    WHERE account_id = ${accountId}::uuid AND type = ANY(${Prisma.raw(MAIL_EVENT_TYPES)}) AND subject_id = ANY(${[...messageIds]})`;
  // The deliveries may be deleted already, but the payload has the id of the message.
  await tx.$executeRaw`UPDATE account_events e SET payload = ${Prisma.raw(ERASED_PAYLOAD)}
    WHERE account_id = ${accountId}::uuid AND type = ANY(${Prisma.raw(RECIPIENT_EVENT_TYPES)}) AND payload ->> 'id' = ANY(${[...messageIds]})`;
}
