/**
 * Delivers one email to the relay. A claim on its row, longer than an attempt, ensures that one node at a time tries.
 * A process that ends after the relay accepted the email and before the row is updated causes a second delivery. It has the
 * same Message-ID, by which receivers detect duplicates.
 */
import { randomUUID } from "node:crypto";
import type { MailAttachment, MailMessage } from "../../../generated/prisma/client.ts";
import { findFreeze, isHeldOpen, isOpen } from "../../accounts/freeze/freeze-state.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { IN_INDEX_ORDER, type Queue, visitOwners } from "../../platform/database/due-owners.ts";
import { warnOncePerMinute } from "../../platform/observability/failure-log.ts";
import { readAttachmentContent } from "../attachments.ts";
import type { AgentMailDeps } from "../deps.ts";
import { publishMail } from "../mail-events.ts";
import { isActive } from "../mailboxes.ts";
import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome, type OutgoingEmail } from "./relay.ts";

/** Duration of a claim: an attempt, with time to read and update the row. */
export const CLAIM_MS = 2 * ATTEMPT_TIMEOUT_MS;
/** Maximum number of accounts visited for due emails at a time. */
const MAX_ACCOUNTS = 500;
const GIVE_UP_AFTER_MS = 3 * 86_400_000;
const FIRST_RETRY_MS = 5_000;
/** Maximum delay while the relay is unavailable. Short, because few attempts are made until it is available again. */
const MAX_RETRY_UNAVAILABLE_MS = 300_000;
const MAX_RETRY_MS = 3_600_000;

/** The agent was revoked while the email was queued. */
const AGENT_REVOKED: DeliveryOutcome = {
  kind: "refused",
  reason: "The agent was revoked before the mail server accepted the email.",
  failure: { code: undefined, command: undefined, responseCode: undefined, enhancedCode: undefined, isPermanent: true },
};

/** Failure reason of an email whose account was frozen before the attempt. */
const FROZEN = "The account is frozen. The email is sent when the freeze ends.";

/** A claim on a row, identified by the attempt number. */
export interface DeliveryClaim {
  readonly id: string;
  readonly attempt: number;
}

// An email has no failure reason during an attempt. One with a failure reason waits and may be claimed before it is due.
const CLAIM: Statement = {
  name: "claim-mail-delivery",
  text: `UPDATE mail_messages SET send_attempts = send_attempts + 1, failure_reason = NULL,
      next_attempt_at = now() + interval '${CLAIM_MS} milliseconds'
    WHERE id = $1 AND status = 'queued' AND (next_attempt_at <= now() OR failure_reason IS NOT NULL) AND ${isHeldOpen("account_id")}
    RETURNING id, send_attempts AS attempt`,
};

const CLAIM_DUE: Statement = {
  name: "claim-due-mail-delivery",
  text: `UPDATE mail_messages SET send_attempts = send_attempts + 1, failure_reason = NULL,
      next_attempt_at = now() + interval '${CLAIM_MS} milliseconds'
    WHERE id = (SELECT q.id FROM mail_messages q ${IN_INDEX_ORDER}
      WHERE q.account_id = $1::uuid AND q.next_attempt_at <= now() AND q.status = 'queued'
        AND (SELECT ${isOpen("a")} FROM accounts a WHERE a.id = $1::uuid)
      ORDER BY q.next_attempt_at LIMIT 1 FOR UPDATE OF q SKIP LOCKED)
    RETURNING id, send_attempts AS attempt`,
};

const QUEUE: Queue = { table: "mail_messages", owner: "account_id", dueAt: "next_attempt_at" };
const FIND_DUE_ACCOUNTS: Statement = {
  name: "find-accounts-with-due-mail",
  text: `WITH RECURSIVE ${visitOwners(QUEUE, "$1::uuid", MAX_ACCOUNTS)}
    SELECT owner AS "accountId" FROM visited JOIN accounts a ON a.id = owner
    WHERE due_at <= now() AND ${isOpen("a")} ORDER BY due_at`,
};

/** Claims a queued email. Returns null when another process is trying it or it is no longer queued. */
export async function claimDelivery({ db }: AgentMailDeps, id: string): Promise<DeliveryClaim | null> {
  return (await db.query<DeliveryClaim>(CLAIM, [id]))[0] ?? null;
}

/** Returns accounts with due emails, the longest due first. The cost does not depend on the number of emails. */
export async function findAccountsWithDueMail({ db }: AgentMailDeps): Promise<string[]> {
  const rows = await db.query<{ accountId: string }>(FIND_DUE_ACCOUNTS, [randomUUID()]);
  return rows.map(({ accountId }) => accountId);
}

/** Claims the account's email that has been due longest; null when none is due. */
export async function claimDueDelivery({ db }: AgentMailDeps, accountId: string): Promise<DeliveryClaim | null> {
  return (await db.query<DeliveryClaim>(CLAIM_DUE, [accountId]))[0] ?? null;
}

/**
 * Tries to deliver an email once and stores the outcome. Returns null when the email was deleted or is no longer queued. While
 * the account is frozen, it also returns null and the email remains queued.
 */
export async function deliver(deps: AgentMailDeps, claim: DeliveryClaim): Promise<DeliveryOutcome | null> {
  const { mailMessage } = deps.db.prisma;
  const message = await mailMessage.findUnique({
    where: { id: claim.id },
    include: { attachments: true, mailbox: { include: { agent: true } } },
  });
  if (message?.status !== "queued") return null;
  if ((await findFreeze(deps.db, message.accountId)) !== null) {
    const waiting = { failureReason: FROZEN, nextAttemptAt: new Date(), updatedAt: new Date() };
    await mailMessage.updateMany({
      where: { id: claim.id, status: "queued", sendAttempts: claim.attempt },
      data: waiting,
    });
    return null;
  }
  // No email is sent in the name of a revoked agent.
  const outcome = isActive(message.mailbox)
    ? await deps.agentMail.relay.send(toOutgoingEmail(deps, message))
    : AGENT_REVOKED;
  if (outcome.kind !== "sent") {
    const example = { ...outcome.failure, messageId: claim.id, attempt: claim.attempt };
    const cause = JSON.stringify(outcome.failure);
    warnOncePerMinute(deps.logger, cause, example, { ...outcome.failure }, "Email delivery attempt failed");
  }
  // An expired claim may only record a success.
  const claimCondition = outcome.kind === "sent" ? {} : { sendAttempts: claim.attempt };
  const { count } = await mailMessage.updateMany({
    where: { id: claim.id, status: "queued", ...claimCondition },
    data: { ...toRowChanges(outcome, message, claim.attempt), updatedAt: new Date() },
  });
  if (count > 0) publishMail(deps.pubsub, message.accountId, message.id);
  return outcome;
}

function toRowChanges(outcome: DeliveryOutcome, { createdAt }: MailMessage, attempt: number) {
  if (outcome.kind === "sent") {
    const { response, reason, sizeBytes } = outcome;
    const sent = { sentAt: new Date(), providerMessageId: response, failureReason: reason, sizeBytes };
    return { status: "sent", nextAttemptAt: null, ...sent };
  }
  if (outcome.kind === "refused") return { status: "failed", nextAttemptAt: null, failureReason: outcome.reason };
  const now = Date.now();
  if (now - createdAt.getTime() >= GIVE_UP_AFTER_MS) {
    const failureReason = `${outcome.reason} Retries ended after three days.`;
    return { status: "failed", nextAttemptAt: null, failureReason };
  }
  const waitMs = Math.min(
    FIRST_RETRY_MS * 2 ** (attempt - 1),
    outcome.isUnavailable ? MAX_RETRY_UNAVAILABLE_MS : MAX_RETRY_MS,
  );
  return { failureReason: outcome.reason, nextAttemptAt: new Date(now + waitMs) };
}

function toOutgoingEmail(
  { db }: AgentMailDeps,
  message: MailMessage & { readonly attachments: readonly MailAttachment[] },
): OutgoingEmail {
  return {
    messageIdHeader: message.messageIdHeader,
    from: { name: message.fromName, address: message.fromAddress },
    to: message.toAddresses,
    cc: message.ccAddresses,
    subject: message.subject,
    text: message.bodyText,
    inReplyTo: message.inReplyTo,
    references: message.references,
    at: message.createdAt,
    attachments: message.attachments.map(({ id, filename, contentType }) => ({
      filename,
      contentType,
      read: () => readAttachmentContent(db, id),
    })),
  };
}
