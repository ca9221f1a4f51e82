/** Keeps a letter, then tries it: whatever happens after it is kept, it is sent once, or known to have failed. */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { MailMessage, Prisma } from "../../../generated/prisma/client.ts";
import type { AccountViewer } from "../../accounts/viewer.ts";
import { MailNotConfiguredError } from "../../platform/email/mailer.ts";
import { NotFoundError, ServiceError } from "../../platform/errors.ts";
import { claimIdempotencyKey, type IdempotencyClaim } from "../../platform/idempotency/claim.ts";
import { newId } from "../../platform/ids.ts";
import { attach } from "../attachments.ts";
import type { AgentMailDeps } from "../deps.ts";
import { publishMail } from "../mail-events.ts";
import { type AgentMailbox, isActive, NoActiveAgentError } from "../mailboxes.ts";
import { threadFor, withMailboxLock } from "../threads.ts";
import { CLAIM_MS, claimDelivery, deliver } from "./deliver.ts";
import { type LetterInput, letterSha256 } from "./letter.ts";
import { ATTEMPT_TIMEOUT_MS } from "./relay.ts";
import { isSynthetic, referencesOf } from "./reply-headers.ts";

/** The mail server did not take the letter: refused for good, or kept here and tried again. */
export class MailNotSentError extends ServiceError {
  readonly code = "mail_failed";
  /** Whether it is tried again by itself, for three days. */
  readonly isQueued: boolean;
  /** The message as it is kept. */
  readonly row: MailMessage;
  constructor(row: MailMessage) {
    const isQueued = row.status === "queued";
    const reason = row.failureReason ?? "The mail server has not answered yet.";
    super(`${reason} ${isQueued ? "The letter is kept and tried again; do not send it again." : "It was not sent."}`);
    this.isQueued = isQueued;
    this.row = row;
  }
}

const DAY_SECONDS = 86_400;
const CALLS_PER_MINUTE = 60;
const POLL_MS = 100;

/** A letter that was checked. */
export interface Submission {
  readonly letter: LetterInput;
  /** The message it answers. */
  readonly answers: MailMessage | null;
  /** The draft it was, which is deleted as the letter is kept. */
  readonly draftId: string | null;
}

/** A letter that is asked for. */
export interface SubmissionRequest {
  /** What makes two requests with one idempotency key the same. */
  readonly request: readonly unknown[];
  /** Reads what is to be sent; not asked where the key came before, for that may be gone. */
  prepare(): Promise<Submission>;
}

/**
 * Keeps the letter and hands it to the relay. The same letter again, while the first one waits, is that one.
 * @param idempotencyKey the same key with the same request answers what became of the first, for a day
 * @throws {MailNotSentError} when the relay did not take it; it may be kept and tried again
 * @throws {NoActiveAgentError | MailNotConfiguredError | InvalidRequestError | NotFoundError | RateLimitedError |
 *   IdempotencyKeyReusedError | IdempotencyInFlightError} and whatever `prepare` throws
 */
export async function submitMessage(
  deps: AgentMailDeps,
  { accountId }: AccountViewer,
  mailbox: AgentMailbox,
  { request, prepare }: SubmissionRequest,
  idempotencyKey: string | null,
): Promise<MailMessage> {
  if (!isActive(mailbox)) throw new NoActiveAgentError();
  if (!deps.agentMail.relay.isConfigured) throw new MailNotConfiguredError();
  await deps.rateLimiter.consume("mail-send", accountId, CALLS_PER_MINUTE);
  const key = idempotencyKey === null ? null : await claimIdempotencyKey(deps.db, accountId, idempotencyKey, request);
  if (key?.stored) return await outcomeOf(deps, (key.stored as { id: string }).id);
  let kept: { id: string; isNew: boolean };
  try {
    kept = await keep(deps, mailbox, await prepare(), key);
  } catch (error) {
    await key?.discard();
    throw error;
  }
  const claim = kept.isNew ? { id: kept.id, attempt: 1 } : await claimDelivery(deps, kept.id);
  if (claim) await deliver(deps, claim);
  return await outcomeOf(deps, kept.id);
}

/** Commits the letter as a message that waits, claimed by this process; or finds the same one waiting. */
async function keep(
  deps: AgentMailDeps,
  mailbox: AgentMailbox,
  submission: Submission,
  key: IdempotencyClaim | null,
): Promise<{ id: string; isNew: boolean }> {
  const { letter, answers, draftId } = submission;
  const requestSha256 = letterSha256(letter, answers?.id ?? null);
  // Of the same letter sent twice at once, the second one finds the first.
  const store = async (tx: Prisma.TransactionClient) => {
    const waiting = await tx.mailMessage.findFirst({
      where: { mailboxId: mailbox.id, status: "queued", nextAttemptAt: { not: null }, requestSha256 },
      select: { id: true },
    });
    // Only letters that are new count against the day's, and only whoever holds the mailbox knows which are.
    if (!waiting) {
      await deps.rateLimiter.consume("agent-mail", mailbox.agentId, deps.agentMail.mailsPerDay, DAY_SECONDS);
    }
    const id = waiting?.id ?? (await storeLetter(tx, mailbox, submission, requestSha256));
    if (draftId !== null) {
      const { count } = await tx.mailDraft.deleteMany({ where: { id: draftId, mailboxId: mailbox.id } });
      // A draft is one letter, however often somebody presses the button.
      if (count === 0 && !waiting) throw new NotFoundError("There is no such draft; it may have been sent.");
    }
    await key?.completeWithin(tx, { id });
    return { id, isNew: !waiting };
  };
  const kept = await withMailboxLock(deps.db, mailbox.accountId, store);
  if (kept.isNew) publishMail(deps.pubsub, mailbox.accountId, kept.id);
  if (answers && !answers.isRead) publishMail(deps.pubsub, mailbox.accountId, answers.id);
  return kept;
}

async function storeLetter(
  tx: Prisma.TransactionClient,
  mailbox: AgentMailbox,
  { letter, answers, draftId }: Submission,
  requestSha256: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const id = newId("aem");
  const domain = mailbox.address.slice(mailbox.address.lastIndexOf("@") + 1);
  const messageIdHeader = `<${randomBytes(18).toString("hex")}@${domain}>`;
  const references = answers ? referencesOf(answers) : [];
  const inReplyTo = answers?.messageIdHeader ?? null;
  const at = new Date();
  const { to, cc, subject, body, attachmentIds } = letter;
  const threadId = await threadFor(tx, mailbox.id, { messageIdHeader, inReplyTo, references, subject, at });
  await tx.mailMessage.create({
    data: {
      id,
      mailboxId: mailbox.id,
      accountId: mailbox.accountId,
      threadId,
      direction: "outbound",
      status: "queued",
      fromAddress: mailbox.address,
      fromName: mailbox.displayName,
      toAddresses: [...to],
      ccAddresses: [...cc],
      subject,
      bodyText: body,
      extractedText: body,
      messageIdHeader,
      // A name of our own means nothing to others.
      inReplyTo: inReplyTo !== null && isSynthetic(inReplyTo) ? null : inReplyTo,
      references,
      isRead: true,
      sizeBytes: Buffer.byteLength(body),
      repliesToId: answers?.id ?? null,
      sendAttempts: 1,
      nextAttemptAt: new Date(at.getTime() + CLAIM_MS),
      requestSha256,
      createdAt: at,
      updatedAt: at,
    },
  });
  const filesBytes = await attach(tx, mailbox.accountId, attachmentIds, { messageId: id }, draftId);
  if (filesBytes > 0) await tx.mailMessage.update({ where: { id }, data: { sizeBytes: { increment: filesBytes } } });
  if (answers && !answers.isRead) {
    await tx.mailMessage.updateMany({
      where: { id: answers.id, isRead: false },
      data: { isRead: true, updatedAt: at },
    });
  }
  return id;
}

/** What became of a letter, waiting while somebody tries it. @throws {MailNotSentError | NotFoundError} */
async function outcomeOf(deps: AgentMailDeps, id: string): Promise<MailMessage> {
  const untilMs = Date.now() + ATTEMPT_TIMEOUT_MS;
  for (;;) {
    const row = await deps.db.prisma.mailMessage.findUnique({ where: { id } });
    if (!row) throw new NotFoundError("The message was sent before, and has been deleted since.");
    if (row.status === "sent" || row.status === "bounced") return row;
    const isTried = row.status === "queued" && row.failureReason === null;
    if (!isTried || Date.now() >= untilMs) throw new MailNotSentError(row);
    await wait(POLL_MS);
  }
}
