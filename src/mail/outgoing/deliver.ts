/**
 * Takes one letter to the relay. Whoever does holds a claim on its row for a while, longer than an attempt lasts, so that of
 * many nodes one tries at a time. A process that dies after the relay took the letter and before the row says so leaves it
 * to be sent twice, with the same Message-ID: by that receivers tell a repetition.
 */
import type { MailAttachment, MailMessage } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { attachmentBytes } from "../attachments.ts";
import type { AgentMailDeps } from "../deps.ts";
import { publishMail } from "../mail-events.ts";
import { isActive } from "../mailboxes.ts";
import { ATTEMPT_TIMEOUT_MS, type Outcome, type OutgoingLetter } from "./relay.ts";

/** Beyond an attempt there is time for what stands before and after it. */
export const CLAIM_MS = 2 * ATTEMPT_TIMEOUT_MS;
const GIVE_UP_AFTER_MS = 3 * 86_400_000;
const FIRST_RETRY_MS = 5_000;
/** A relay that is away refuses all letters alike, so that asking again is cheap. */
const MAX_RETRY_AWAY_MS = 300_000;
const MAX_RETRY_MS = 3_600_000;

/** Its agent was revoked while the letter waited. */
const REVOKED: Outcome = {
  kind: "refused",
  reason: "The agent was revoked before the mail server took the letter.",
  failure: { code: undefined, command: undefined, responseCode: undefined, enhancedCode: undefined, isPermanent: true },
};

/** A claim on a row: its number is the attempt's. */
export interface Claim {
  readonly id: string;
  readonly attempt: number;
}

// While a letter is being tried it has no failure reason; one that waits has, and may be tried before its time.
const CLAIM: Statement = {
  name: "claim-mail-delivery",
  text: `UPDATE mail_messages SET send_attempts = send_attempts + 1, failure_reason = NULL,
      next_attempt_at = now() + interval '${CLAIM_MS} milliseconds'
    WHERE id = $1 AND status = 'queued' AND (next_attempt_at <= now() OR failure_reason IS NOT NULL)
    RETURNING id, send_attempts AS attempt`,
};

const CLAIM_DUE: Statement = {
  name: "claim-due-mail-delivery",
  text: `UPDATE mail_messages SET send_attempts = send_attempts + 1, failure_reason = NULL,
      next_attempt_at = now() + interval '${CLAIM_MS} milliseconds'
    WHERE id = (SELECT id FROM mail_messages WHERE next_attempt_at <= now() AND status = 'queued'
      ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, send_attempts AS attempt`,
};

/** Claims a letter that waits; null while somebody else tries it, and once it waits no more. */
export async function claimDelivery({ db }: AgentMailDeps, id: string): Promise<Claim | null> {
  return (await db.query<Claim>(CLAIM, [id]))[0] ?? null;
}

/** Claims the letter that waited longest beyond its time. */
export async function claimDueDelivery({ db }: AgentMailDeps): Promise<Claim | null> {
  return (await db.query<Claim>(CLAIM_DUE, []))[0] ?? null;
}

/** Tries a letter once, and writes down what became of it. Null when it was deleted meanwhile. */
export async function deliver(deps: AgentMailDeps, claim: Claim): Promise<Outcome | null> {
  const { mailMessage } = deps.db.prisma;
  const message = await mailMessage.findUnique({
    where: { id: claim.id },
    include: { attachments: true, mailbox: { include: { agent: true } } },
  });
  if (message?.status !== "queued") return null;
  // What waited when an agent was revoked is not said in its name any more.
  const outcome = isActive(message.mailbox) ? await deps.agentMail.relay.send(letterOf(deps, message)) : REVOKED;
  if (outcome.kind !== "sent") {
    deps.logger.warn({ ...outcome.failure, messageId: claim.id, attempt: claim.attempt }, "mail was not taken");
  }
  // A claim that ran out meanwhile decides nothing more, unless the letter is gone out.
  const isHeld = outcome.kind === "sent" ? {} : { sendAttempts: claim.attempt };
  const { count } = await mailMessage.updateMany({
    where: { id: claim.id, status: "queued", ...isHeld },
    data: { ...movedBy(outcome, message, claim.attempt), updatedAt: new Date() },
  });
  if (count > 0) publishMail(deps.pubsub, message.accountId, message.id);
  return outcome;
}

function movedBy(outcome: Outcome, { createdAt }: MailMessage, attempt: number) {
  if (outcome.kind === "sent") {
    const { response, reason, sizeBytes } = outcome;
    const sent = { sentAt: new Date(), providerMessageId: response, failureReason: reason, sizeBytes };
    return { status: "sent", nextAttemptAt: null, ...sent };
  }
  if (outcome.kind === "refused") return { status: "failed", nextAttemptAt: null, failureReason: outcome.reason };
  const now = Date.now();
  if (now - createdAt.getTime() >= GIVE_UP_AFTER_MS) {
    const failureReason = `${outcome.reason} It was tried for three days.`;
    return { status: "failed", nextAttemptAt: null, failureReason };
  }
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), outcome.isAway ? MAX_RETRY_AWAY_MS : MAX_RETRY_MS);
  return { failureReason: outcome.reason, nextAttemptAt: new Date(now + waitMs) };
}

function letterOf(
  { db }: AgentMailDeps,
  message: MailMessage & { readonly attachments: readonly MailAttachment[] },
): OutgoingLetter {
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
      read: () => attachmentBytes(db, id),
    })),
  };
}
