/** Tries the open deliveries of one email, each with an SMTP transaction of its own, and stores each outcome when it is known. */
import type { MailAttachment, Mailbox, MailDelivery, MailMessage } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { warnOncePerMinute } from "../../platform/observability/failure-log.ts";
import { readAttachmentContent } from "../attachments.ts";
import { createDeliveries, OPEN, setDeliveryState } from "../deliveries/delivery.ts";
import { formatReturnPath } from "../deliveries/return-path.ts";
import { describeSuppression, findSuppressions } from "../deliveries/suppressions.ts";
import type { AgentMailDeps } from "../deps.ts";
import { publishDelivery } from "../mail-events.ts";
import { type AgentMailbox, isActive } from "../mailboxes.ts";
import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome, type OutgoingEmail } from "./relay.ts";

/** Concurrent transactions of one email; the relay opens as many connections. */
const CONCURRENCY = 5;

/** The agent was revoked while the email was queued. */
const AGENT_REVOKED = "The agent was revoked before the mail server accepted the email.";

export interface DeliveryResult {
  /** The relay did not respond, so any email would fail now. */
  readonly isRelayUnavailable: boolean;
  /** The relay's first acceptance in this attempt. */
  readonly sent: { readonly response: string; readonly sizeBytes: number } | null;
}

type Message = MailMessage & {
  readonly attachments: readonly MailAttachment[];
  readonly mailbox: Mailbox & Pick<AgentMailbox, "agent">;
};

/** Tries the deliveries for at most one attempt's time; those that were not begun remain open. */
export async function deliverToRecipients(deps: AgentMailDeps, message: Message): Promise<DeliveryResult> {
  const { prisma } = deps.db;
  const { id: messageId, accountId, toAddresses, ccAddresses } = message;
  // Emails that were queued before deliveries had rows.
  if ((await prisma.mailDelivery.count({ where: { messageId } })) === 0) {
    await createDeliveries(prisma, message, [...toAddresses, ...ccAddresses]);
  }
  const open = await prisma.mailDelivery.findMany({ where: { messageId, ...OPEN }, orderBy: { id: "asc" } });
  if (!isActive(message.mailbox)) {
    for (const delivery of open) await recordFailure(deps, delivery, "failed", AGENT_REVOKED);
    return { isRelayUnavailable: false, sent: null };
  }
  const suppressed = await findSuppressions(
    prisma,
    accountId,
    open.map(({ address }) => address),
  );
  const isAutoReply = await repliesToAutomated(deps.db, message);
  const untilMs = Date.now() + ATTEMPT_TIMEOUT_MS;
  const waiting = [...open];
  let isRelayUnavailable = false;
  let sent: DeliveryResult["sent"] = null;
  const work = async () => {
    while (!isRelayUnavailable && Date.now() < untilMs) {
      const delivery = waiting.shift();
      if (!delivery) return;
      const suppression = suppressed.get(delivery.address.toLowerCase());
      if (suppression) {
        await recordFailure(deps, delivery, "failed", describeSuppression(suppression));
        continue;
      }
      const from = await formatReturnPath(deps.agentMail.deriveIdentifier, message.mailbox, delivery.returnKey);
      const outcome = await deps.agentMail.relay.send(
        toOutgoingEmail(deps, message, { from, to: delivery.address }, isAutoReply),
      );
      await recordOutcome(deps, delivery, outcome);
      if (outcome.kind === "sent") sent ??= { response: outcome.response, sizeBytes: outcome.sizeBytes };
      if (outcome.kind === "deferred" && outcome.isUnavailable) isRelayUnavailable = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, open.length) }, work));
  return { isRelayUnavailable, sent };
}

async function recordOutcome(deps: AgentMailDeps, delivery: MailDelivery, outcome: DeliveryOutcome): Promise<void> {
  const { db, pubsub, logger } = deps;
  if (outcome.kind === "sent") {
    // A success counts even if another process has recorded a failure meanwhile.
    const { count } = await db.prisma.mailDelivery.updateMany({
      where: { id: delivery.id, acceptedAt: null },
      data: {
        status: "accepted",
        acceptedAt: new Date(),
        failureReason: null,
        attempts: { increment: 1 },
        updatedAt: new Date(),
      },
    });
    if (count > 0) publishDelivery(pubsub, delivery.accountId, delivery.id);
    return;
  }
  const example = { ...outcome.failure, messageId: delivery.messageId, deliveryId: delivery.id };
  const cause = JSON.stringify(outcome.failure);
  warnOncePerMinute(logger, cause, example, { ...outcome.failure }, "Email delivery attempt failed");
  await recordFailure(deps, delivery, outcome.kind === "refused" ? "failed" : "deferred", outcome.reason);
}

async function recordFailure(
  { db, pubsub }: Pick<AgentMailDeps, "db" | "pubsub">,
  { id, accountId }: MailDelivery,
  status: "failed" | "deferred",
  failureReason: string,
): Promise<void> {
  const { count } = await db.prisma.mailDelivery.updateMany({
    where: { id, ...OPEN },
    data: { ...setDeliveryState(status, failureReason, new Date()), attempts: { increment: 1 } },
  });
  if (count > 0) publishDelivery(pubsub, accountId, id);
}

/** Returns whether the email replies to an automated message. */
async function repliesToAutomated({ prisma }: Database, { repliesToId }: MailMessage): Promise<boolean> {
  if (repliesToId === null) return false;
  const where = { id: repliesToId, direction: "inbound", automated: { not: null } };
  return (await prisma.mailMessage.count({ where })) > 0;
}

function toOutgoingEmail(
  deps: AgentMailDeps,
  message: Message,
  envelope: OutgoingEmail["envelope"],
  isAutoReply: boolean,
): OutgoingEmail {
  return {
    envelope,
    messageIdHeader: message.messageIdHeader,
    from: { name: message.fromName, address: message.fromAddress },
    to: message.toAddresses,
    cc: message.ccAddresses,
    subject: message.subject,
    text: message.bodyText,
    inReplyTo: message.inReplyTo,
    references: message.references,
    at: message.createdAt,
    isAutoReply,
    attachments: message.attachments.map((file) => ({
      filename: file.filename,
      contentType: file.contentType,
      read: () => readAttachmentContent(deps, file),
    })),
  };
}
