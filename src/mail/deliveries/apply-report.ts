/**
 * Applies what a verified report or a signed event of the mail provider states to the delivery that it names. Other reports change
 * nothing.
 */
import type { MailDelivery, Prisma } from "../../../generated/prisma/client.ts";
import type { MailReport, ReportedRecipient } from "../incoming/incoming-message.ts";
import { type DeliveryStatus, setDeliveryState } from "./delivery.ts";
import { updateMessageStatus } from "./message-status.ts";
import { suppressRecipient } from "./suppressions.ts";

interface Transition {
  readonly status: Extract<DeliveryStatus, "bounced" | "deferred" | "delivered" | "complained">;
  readonly from: readonly DeliveryStatus[];
}

/** Late reports never undo a later state: a delay after a bounce is old news. */
const TRANSITIONS: Readonly<Record<ReportedRecipient["action"], Transition | null>> = {
  failed: { status: "bounced", from: ["queued", "deferred", "accepted", "delivered"] },
  delayed: { status: "deferred", from: ["queued", "accepted", "deferred"] },
  delivered: { status: "delivered", from: ["queued", "deferred", "accepted"] },
  // The next server sends no reports, so nothing is known beyond the acceptance.
  relayed: null,
  expanded: null,
  complained: { status: "complained", from: ["queued", "deferred", "accepted", "delivered", "bounced"] },
};

/** Status codes of addresses that will not accept email later either (RFC 3463: 5.1.x, and disabled mailboxes). */
const UNUSABLE_ADDRESS = /^5\.(?:1\.\d{1,3}|2\.1)$/;

function isUndone(from: DeliveryStatus, { status }: Transition): boolean {
  return from === "delivered" && status === "bounced";
}

/** Returns the condition that no later delay is known. Of several delays, the latest applies, and a repetition changes nothing. */
const isNewDelay = (at: Date): Prisma.MailDeliveryWhereInput => ({
  OR: [{ status: { not: "deferred" } }, { deferredAt: null }, { deferredAt: { lt: at } }],
});

/** A delivery that changed, with its message. */
export type ChangedDelivery = Pick<MailDelivery, "id" | "messageId" | "accountId">;

/**
 * Applies the report within `tx`. Returns the delivery that changed, or null.
 * @param returnKey the key of a verified return path
 */
export async function applyReport(
  tx: Prisma.TransactionClient,
  accountId: string,
  returnKey: string,
  report: MailReport,
): Promise<ChangedDelivery | null> {
  const delivery = await tx.mailDelivery.findUnique({ where: { returnKey } });
  if (delivery?.accountId !== accountId) return null;
  const isOwn = ({ address }: ReportedRecipient) => address.toLowerCase() === delivery.address.toLowerCase();
  const { recipients } = report;
  const reported = recipients.find(isOwn) ?? recipients.find(({ action }) => action === "failed") ?? recipients[0];
  if (!reported) return null;
  const isForwarded = reported.address !== "" && !isOwn(reported);
  return await applyToDelivery(tx, delivery, reported, new Date(), isForwarded);
}

/**
 * Applies a verified statement within `tx`. Returns the delivery if it changed, or null: a state never goes backwards, and a repeated
 * statement changes nothing.
 * @param at the time of what is stated
 * @param isForwarded whether it concerns another address, to which the recipient's server passed the email on. It may be one of
 *   several, so its failure does not undo a delivery and is no reason to suppress the recipient
 */
export async function applyToDelivery(
  tx: Prisma.TransactionClient,
  delivery: MailDelivery,
  reported: Pick<ReportedRecipient, "action" | "status" | "reason">,
  at: Date,
  isForwarded = false,
): Promise<ChangedDelivery | null> {
  const transition = TRANSITIONS[reported.action];
  if (!transition) return null;
  const { id, messageId, accountId, address } = delivery;
  const reason = transition.status === "delivered" ? null : reported.reason;
  const { count } = await tx.mailDelivery.updateMany({
    where: {
      id,
      status: { in: transition.from.filter((from) => !(isForwarded && isUndone(from, transition))) },
      ...(transition.status === "deferred" ? isNewDelay(at) : {}),
    },
    // A report proves that the relay accepted the email, even if its reply was lost.
    data: { ...setDeliveryState(transition.status, reason, at), acceptedAt: delivery.acceptedAt ?? new Date() },
  });
  if (count === 0) return null;
  if (transition.status === "complained") await suppressRecipient(tx, accountId, address, "complaint");
  else if (transition.status === "bounced" && !isForwarded && UNUSABLE_ADDRESS.test(reported.status)) {
    await suppressRecipient(tx, accountId, address, "bounce");
  }
  await updateMessageStatus(tx, messageId, null);
  return { id, messageId, accountId };
}
