/** Stores an email, then tries to deliver it. A stored email is sent once or its status becomes `failed`. */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { MailMessage, Prisma } from "../../../generated/prisma/client.ts";
import { holdOpen } from "../../accounts/freeze/freeze-state.ts";
import type { AccountViewer } from "../../accounts/viewer.ts";
import { MailNotConfiguredError } from "../../platform/email/mailer.ts";
import { NotFoundError, ServiceError } from "../../platform/errors.ts";
import { claimIdempotencyKey, type IdempotencyClaim } from "../../platform/idempotency/claim.ts";
import { newId } from "../../platform/ids.ts";
import { assignAttachments } from "../attachments.ts";
import { createDeliveries } from "../deliveries/delivery.ts";
import { refuseSuppressed } from "../deliveries/suppressions.ts";
import type { AgentMailDeps } from "../deps.ts";
import { publishMail } from "../mail-events.ts";
import { type AgentMailbox, isActive, NoActiveAgentError } from "../mailboxes.ts";
import { assignThread, withMailboxLock } from "../threads.ts";
import { CLAIM_MS, claimDelivery, deliver } from "./deliver.ts";
import { type EmailInput, hashEmail } from "./email-input.ts";
import { ATTEMPT_TIMEOUT_MS } from "./relay.ts";
import { createReferences, isSynthetic } from "./reply-headers.ts";

/** The mail server did not accept the email: it refused it permanently, or the email is queued for a retry. */
export class MailNotSentError extends ServiceError {
  readonly code = "mail_failed";
  /** Whether delivery is retried automatically, for up to three days. */
  readonly isQueued: boolean;
  /** The stored message. */
  readonly row: MailMessage;
  constructor(row: MailMessage) {
    const isQueued = row.status === "queued";
    const reason = row.failureReason ?? "The mail server has not responded yet.";
    const next = isQueued
      ? "Delivery is retried automatically for up to three days; do not send the email again."
      : "The email was not sent.";
    super(`${reason} ${next}`);
    this.isQueued = isQueued;
    this.row = row;
  }
}

const DAY_SECONDS = 86_400;
const CALLS_PER_MINUTE = 60;
const POLL_MS = 100;

/** A validated email. */
export interface Submission {
  readonly email: EmailInput;
  /** The message it replies to; null for a new email. */
  readonly repliesTo: MailMessage | null;
  /** The draft to delete when the email is stored. */
  readonly draftId: string | null;
}

/** A request to send an email. */
export interface SubmissionRequest {
  /** The values compared when an idempotency key is reused. */
  readonly request: readonly unknown[];
  /** Loads and validates the email. Not called when the idempotency key has a stored result: its draft may be deleted. */
  prepare(): Promise<Submission>;
}

/**
 * Stores the email and sends it to the relay. An equal email that is already queued is reused instead of a second one.
 *
 * @param idempotencyKey a repeated request with the same key returns the outcome of the first, for 24 hours
 *
 * @throws {MailNotSentError} when the relay did not accept the email, which may be queued for a retry
 *
 * @throws {AccountFrozenError | ServiceFrozenError | NoActiveAgentError | MailNotConfiguredError | InvalidRequestError | NotFoundError | RateLimitedError |
 *   IdempotencyKeyReusedError | IdempotencyInFlightError} and errors of `prepare`
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
  if (key?.stored) return await awaitOutcome(deps, (key.stored as { id: string }).id);
  let stored: { id: string; isNew: boolean };
  try {
    stored = await storeSubmission(deps, mailbox, await prepare(), key);
  } catch (error) {
    await key?.discard();
    throw error;
  }
  const claim = stored.isNew ? { id: stored.id, attempt: 1 } : await claimDelivery(deps, stored.id);
  if (claim) await deliver(deps, claim);
  return await awaitOutcome(deps, stored.id);
}

/** Commits the email as a queued message, claimed by this process. Returns an equal queued message instead if there is one. */
async function storeSubmission(
  deps: AgentMailDeps,
  mailbox: AgentMailbox,
  submission: Submission,
  key: IdempotencyClaim | null,
): Promise<{ id: string; isNew: boolean }> {
  const { email, repliesTo, draftId } = submission;
  const requestSha256 = hashEmail(email, repliesTo?.id ?? null);
  // Runs under the mailbox lock: of two equal concurrent emails, the second finds the first.
  const store = async (tx: Prisma.TransactionClient) => {
    await holdOpen(tx, mailbox.accountId);
    const queued = await tx.mailMessage.findFirst({
      where: { mailboxId: mailbox.id, status: "queued", nextAttemptAt: { not: null }, requestSha256 },
      select: { id: true },
    });
    // Only new emails count against the daily limit. Under the mailbox lock it is certain which are new.
    if (!queued) {
      await refuseSuppressed(tx, mailbox.accountId, submission.email);
      await deps.rateLimiter.consume("agent-mail", mailbox.agentId, deps.agentMail.mailsPerDay, DAY_SECONDS);
    }
    const id = queued?.id ?? (await storeEmail(tx, mailbox, submission, requestSha256));
    if (draftId !== null) {
      const { count } = await tx.mailDraft.deleteMany({ where: { id: draftId, mailboxId: mailbox.id } });
      // A draft becomes one email, even if sent twice.
      if (count === 0 && !queued) throw new NotFoundError("Draft not found. It may have been sent or deleted.");
    }
    await key?.completeWithin(tx, { id });
    return { id, isNew: !queued };
  };
  const stored = await withMailboxLock(deps.db, mailbox.accountId, store);
  if (stored.isNew) publishMail(deps.pubsub, mailbox.accountId, stored.id);
  if (repliesTo && !repliesTo.isRead) publishMail(deps.pubsub, mailbox.accountId, repliesTo.id);
  return stored;
}

async function storeEmail(
  tx: Prisma.TransactionClient,
  mailbox: AgentMailbox,
  { email, repliesTo, draftId }: Submission,
  requestSha256: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const id = newId("aem");
  const domain = mailbox.address.slice(mailbox.address.lastIndexOf("@") + 1);
  const messageIdHeader = `<${randomBytes(18).toString("hex")}@${domain}>`;
  const references = repliesTo ? createReferences(repliesTo) : [];
  const inReplyTo = repliesTo?.messageIdHeader ?? null;
  const at = new Date();
  const { to, cc, subject, body, attachmentIds } = email;
  const threadId = await assignThread(tx, mailbox.id, { messageIdHeader, inReplyTo, references, subject, at });
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
      // Other servers do not know a generated Message-ID.
      inReplyTo: inReplyTo !== null && isSynthetic(inReplyTo) ? null : inReplyTo,
      references,
      isRead: true,
      sizeBytes: Buffer.byteLength(body),
      repliesToId: repliesTo?.id ?? null,
      sendAttempts: 1,
      nextAttemptAt: new Date(at.getTime() + CLAIM_MS),
      requestSha256,
      createdAt: at,
      updatedAt: at,
    },
  });
  await createDeliveries(tx, { id, accountId: mailbox.accountId }, [...to, ...cc]);
  const filesBytes = await assignAttachments(tx, mailbox.accountId, attachmentIds, { messageId: id }, draftId);
  if (filesBytes > 0) await tx.mailMessage.update({ where: { id }, data: { sizeBytes: { increment: filesBytes } } });
  if (repliesTo && !repliesTo.isRead) {
    await tx.mailMessage.updateMany({
      where: { id: repliesTo.id, isRead: false },
      data: { isRead: true, updatedAt: at },
    });
  }
  return id;
}

/** Returns the sent message, after waiting for an attempt in progress. @throws {MailNotSentError | NotFoundError} */
async function awaitOutcome(deps: AgentMailDeps, id: string): Promise<MailMessage> {
  const untilMs = Date.now() + ATTEMPT_TIMEOUT_MS;
  for (;;) {
    const row = await deps.db.prisma.mailMessage.findUnique({ where: { id } });
    if (!row) throw new NotFoundError("The message of this earlier request was deleted. Nothing was sent again.");
    if (row.status === "sent" || row.status === "bounced") return row;
    const isAttemptInFlight = row.status === "queued" && row.failureReason === null;
    if (!isAttemptInFlight || Date.now() >= untilMs) throw new MailNotSentError(row);
    await wait(POLL_MS);
  }
}
