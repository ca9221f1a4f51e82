/** Replies to messages (`POST /api/agent/email/reply`, mutation `replyToMail`). */
import type { MailMessage } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { isOneAddress } from "../../platform/email/mailer.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import type { AgentMailDeps } from "../deps.ts";
import type { Automated } from "../incoming/incoming-message.ts";
import { type AgentMailbox, requireMailAccess, requireMailbox } from "../mailboxes.ts";
import { MAX_SUBJECT_LENGTH, validateEmail } from "./email-input.ts";
import { addReplyPrefix } from "./reply-headers.ts";
import { submitMessage } from "./submit-message.ts";

const AUTOMATED_KINDS: Readonly<Record<Automated, string>> = {
  auto_reply: "an automatic reply",
  bulk: "bulk mail",
  bounce: "a bounce",
  delivery_delay: "a report of a delay",
  delivery_receipt: "a report of a delivery",
  read_receipt: "a read receipt",
  complaint: "a complaint",
};

/** The message is automated. A reply is useless or could start a mail loop (RFC 3834). */
export class AutomatedMailError extends ServiceError {
  readonly code = "automated_mail";
  readonly field = "messageId";
  constructor(automated: string) {
    const kind = AUTOMATED_KINDS[automated as Automated];
    super(`The message is ${kind}. No reply was sent. To reply anyway, set force to true.`);
  }
}

export interface ReplyToMailInput {
  /** Message id, `aem_…`. */
  readonly messageId: string;
  readonly body: string;
  /** Whether the reply also goes to the other recipients. */
  readonly replyAll: boolean;
  readonly attachmentIds: readonly string[];
  /** Whether to reply even if the message is automated. */
  readonly force: boolean;
  readonly idempotencyKey: string | null;
}

/**
 * Sends a reply in the message's thread and marks the message as read.
 * @throws as `submitMessage` does, and {AutomatedMailError | NotFoundError | ForbiddenError}
 */
export async function replyToMail(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  input: ReplyToMailInput,
): Promise<MailMessage> {
  const account = requireMailAccess(viewer);
  const mailbox = await requireMailbox(deps.db, account.accountId);
  const { messageId, body, replyAll, attachmentIds, force, idempotencyKey } = input;
  const prepare = async () => {
    const repliesTo = await findReplyTarget(deps, mailbox, messageId, force);
    const recipients = selectReplyRecipients(repliesTo, mailbox.address, replyAll);
    const email = validateEmail({ ...recipients, subject: createReplySubject(repliesTo), body, attachmentIds });
    return { email, repliesTo, draftId: null };
  };
  const request = ["reply-to-mail", messageId, body, replyAll, attachmentIds];
  return await submitMessage(deps, account, mailbox, { request, prepare }, idempotencyKey);
}

/** Returns a message of the mailbox if a reply is permitted. @throws {NotFoundError | AutomatedMailError} */
export async function findReplyTarget(
  deps: AgentMailDeps,
  mailbox: AgentMailbox,
  messageId: string,
  force: boolean,
): Promise<MailMessage> {
  const message = await deps.db.prisma.mailMessage.findFirst({ where: { id: messageId, mailboxId: mailbox.id } });
  if (!message) throw new NotFoundError("Message not found in this mailbox.");
  const { automated, fromAddress } = message;
  if (automated === null || force) return message;
  // Email from agents of this service is always marked as automated; agents may still reply to each other.
  const isOfAgent = fromAddress.endsWith(`@${deps.agentMail.domain()}`);
  if (!(automated === "auto_reply" && isOfAgent)) throw new AutomatedMailError(automated);
  return message;
}

/**
 * Returns the recipients of a reply: Reply-To, or From without one. For an outbound message, its original recipients.
 * @throws {InvalidRequestError} when the message has no valid address to reply to
 */
export function selectReplyRecipients(message: MailMessage, ownAddress: string, replyAll: boolean) {
  const { direction, fromAddress, replyToAddress, replyToAddresses, toAddresses, ccAddresses } = message;
  const replyTo = replyToAddresses.length > 0 ? replyToAddresses : [replyToAddress ?? fromAddress];
  const to = direction === "outbound" ? toAddresses : replyTo;
  if (!to.every(isOneAddress)) {
    throw new InvalidRequestError("The message has no valid sender address to reply to.", "messageId");
  }
  if (!replyAll) return { to, cc: [] };
  const addressed = new Set([ownAddress, ...to].map((address) => address.toLowerCase()));
  const others = [...(direction === "outbound" ? [] : toAddresses), ...ccAddresses];
  return { to, cc: others.filter((address) => isOneAddress(address) && !addressed.has(address.toLowerCase())) };
}

/** Returns the subject of a reply: one line with `Re: `, truncated to the limit. */
export function createReplySubject({ subject }: Pick<MailMessage, "subject">): string {
  const line = subject.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return addReplyPrefix(line).slice(0, MAX_SUBJECT_LENGTH).toWellFormed();
}
