/**
 * Delivers one email to the relay. A claim on its row, longer than an attempt, ensures that one node at a time tries.
 * A process that ends after the relay accepted the email and before the delivery is updated causes a second one. It has the same
 * Message-ID, by which receivers detect duplicates.
 */
import { randomUUID } from "node:crypto";
import type { Prisma } from "../../../generated/prisma/client.ts";
import { findFreeze, isHeldOpen, isOpen } from "../../accounts/freeze/freeze-state.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { IN_INDEX_ORDER, type Queue, visitOwners } from "../../platform/database/due-owners.ts";
import { OPEN, setDeliveryState } from "../deliveries/delivery.ts";
import { updateMessageStatus } from "../deliveries/message-status.ts";
import type { AgentMailDeps } from "../deps.ts";
import { publishDelivery, publishMail } from "../mail-events.ts";
import { type DeliveryResult, deliverToRecipients } from "./deliver-to-recipients.ts";
import { ATTEMPT_TIMEOUT_MS } from "./relay.ts";

/** Duration of a claim: connecting and sending, at most an attempt each, with time to read and update the row. */
export const CLAIM_MS = 3 * ATTEMPT_TIMEOUT_MS;
/** Maximum number of accounts visited for due emails at a time. */
const MAX_ACCOUNTS = 500;
const GIVE_UP_AFTER_MS = 3 * 86_400_000;
const FIRST_RETRY_MS = 5_000;
/** Maximum delay while the relay is unavailable. Short, because few attempts are made until it is available again. */
const MAX_RETRY_UNAVAILABLE_MS = 300_000;
const MAX_RETRY_MS = 3_600_000;

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
      WHERE q.account_id = $1::uuid AND q.next_attempt_at <= now() AND q.status IN ('queued', 'sent')
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
 * Tries an email once for each recipient that the relay has not accepted yet. Stores each outcome at once, so after a crash only the
 * others are tried. Returns null when the email was deleted or is no longer queued. While the account is frozen, it also returns null
 * and the email remains queued.
 */
export async function deliver(deps: AgentMailDeps, claim: DeliveryClaim): Promise<DeliveryResult | null> {
  const { mailMessage } = deps.db.prisma;
  const message = await mailMessage.findUnique({
    where: { id: claim.id },
    include: { attachments: true, mailbox: { include: { agent: true } } },
  });
  if (!message || message.nextAttemptAt === null) return null;
  if ((await findFreeze(deps.db, message.accountId)) !== null) {
    const waiting = { failureReason: FROZEN, nextAttemptAt: new Date(), updatedAt: new Date() };
    await mailMessage.updateMany({
      where: { id: claim.id, nextAttemptAt: { not: null }, sendAttempts: claim.attempt },
      data: waiting,
    });
    return null;
  }
  const result = await deliverToRecipients(deps, message);
  const endedIds = await deps.db.prisma.$transaction(async (tx) => {
    const isOld = Date.now() - message.createdAt.getTime() >= GIVE_UP_AFTER_MS;
    const ended = isOld ? await giveUp(tx, message.id) : [];
    const nextAttemptAt = new Date(Date.now() + getRetryDelayMs(claim.attempt, result.isRelayUnavailable));
    await updateMessageStatus(tx, message.id, { number: claim.attempt, nextAttemptAt, sent: result.sent });
    return ended;
  });
  for (const id of endedIds) publishDelivery(deps.pubsub, message.accountId, id);
  publishMail(deps.pubsub, message.accountId, message.id);
  return result;
}

/** Ends the deliveries that are still open. Returns their ids. */
async function giveUp(tx: Prisma.TransactionClient, messageId: string): Promise<string[]> {
  const open = await tx.mailDelivery.findMany({ where: { messageId, ...OPEN } });
  for (const { id, failureReason } of open) {
    const reason = `${failureReason ?? "The mail server was not reached."} Retries ended after three days.`;
    await tx.mailDelivery.updateMany({ where: { id, ...OPEN }, data: setDeliveryState("failed", reason, new Date()) });
  }
  return open.map(({ id }) => id);
}

function getRetryDelayMs(attempt: number, isRelayUnavailable: boolean): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), isRelayUnavailable ? MAX_RETRY_UNAVAILABLE_MS : MAX_RETRY_MS);
}
