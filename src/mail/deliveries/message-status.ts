/** The status of an outgoing message, which follows from its deliveries. */
import type { MailDelivery, MailMessage, Prisma } from "../../../generated/prisma/client.ts";
import { isOpen } from "./delivery.ts";

const MAX_REASON_LENGTH = 1_000;
const NOT_TRIED = "The mail server has not been tried for every recipient yet.";

/** A finished attempt of the claim `number`. */
export interface FinishedAttempt {
  readonly number: number;
  /** Timestamp of the next attempt if deliveries remain open. */
  readonly nextAttemptAt: Date;
  /** The relay's reply and the size as sent, if it accepted the message for a recipient. */
  readonly sent: { readonly response: string; readonly sizeBytes: number } | null;
}

/**
 * Updates the message after changes of its deliveries. Locks it until `tx` ends.
 * @param attempt the attempt that ended, or null for a report
 */
export async function updateMessageStatus(
  tx: Prisma.TransactionClient,
  messageId: string,
  attempt: FinishedAttempt | null,
): Promise<void> {
  await tx.$queryRaw`SELECT id FROM mail_messages WHERE id = ${messageId} FOR NO KEY UPDATE`;
  const message = await tx.mailMessage.findUnique({ where: { id: messageId }, include: { deliveries: true } });
  if (!message) return;
  const { deliveries } = message;
  const status = summariseStatus(deliveries);
  const hasOpen = deliveries.some(isOpen);
  // A claim that expired may record what it sent, but not the schedule of the claim that followed it.
  const isCurrent = attempt?.number === message.sendAttempts;
  const reason = describeFailures(deliveries);
  const schedule = isCurrent && hasOpen ? { nextAttemptAt: attempt.nextAttemptAt } : {};
  await tx.mailMessage.update({
    where: { id: messageId },
    data: {
      status,
      ...(hasOpen ? schedule : { nextAttemptAt: null }),
      // A queued message without a reason is being tried.
      ...(status === "queued" ? (isCurrent ? { failureReason: reason ?? NOT_TRIED } : {}) : { failureReason: reason }),
      ...firstSent(message, attempt?.sent ?? null),
      updatedAt: new Date(),
    },
  });
}

/** Returns the status of a message with these deliveries. */
export function summariseStatus(deliveries: readonly Pick<MailDelivery, "status" | "acceptedAt">[]) {
  if (deliveries.every(({ acceptedAt }) => acceptedAt === null)) return deliveries.some(isOpen) ? "queued" : "failed";
  return deliveries.every(({ status }) => status === "bounced" || status === "failed") ? "bounced" : "sent";
}

function firstSent(message: MailMessage, sent: FinishedAttempt["sent"]) {
  if (sent === null || message.sentAt !== null) return {};
  return { sentAt: new Date(), providerMessageId: sent.response, sizeBytes: sent.sizeBytes };
}

/** Returns the reasons of failed, bounced and deferred deliveries, with the addresses if there are several recipients. */
function describeFailures(deliveries: readonly MailDelivery[]): string | null {
  const failures = deliveries.filter(({ failureReason }) => failureReason !== null);
  if (failures.length === 0) return null;
  const texts = failures.map(({ address, failureReason }) =>
    deliveries.length === 1 ? failureReason : `${address}: ${failureReason}`,
  );
  return texts.join(" ").slice(0, MAX_REASON_LENGTH).toWellFormed();
}
