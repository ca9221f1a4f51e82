/** An answer to a message (`POST /api/agent/email/reply`, mutation `replyToMail`). */
import type { MailMessage } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { isOneAddress } from "../../platform/email/mailer.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import type { AgentMailDeps } from "../deps.ts";
import { type AgentMailbox, requireCorrespondent, requireMailbox } from "../mailboxes.ts";
import { MAX_SUBJECT_LENGTH, readLetter } from "./letter.ts";
import { replySubject } from "./reply-headers.ts";
import { submitMessage } from "./submit.ts";

/** A machine wrote the message: an answer reaches nobody, or another machine that answers in turn (RFC 3834). */
export class AutomatedMailError extends ServiceError {
  readonly code = "automated_mail";
  readonly field = "messageId";
  constructor(automated: string) {
    const what = { auto_reply: "an automatic answer", bulk: "sent to many", bounce: "a mail server's notice" }[
      automated
    ];
    super(`This message is ${what ?? "automatic"}, so it was not answered. Say force to answer it all the same.`);
  }
}

export interface ReplyToMailInput {
  /** The message's own id, `aem_…`. */
  readonly messageId: string;
  readonly body: string;
  /** Whether the other recipients are written to as well. */
  readonly replyAll: boolean;
  readonly attachmentIds: readonly string[];
  /** Answers a machine, too. */
  readonly force: boolean;
  readonly idempotencyKey: string | null;
}

/**
 * Answers it in its thread, and marks it read.
 * @throws what `submitMessage` does, and {AutomatedMailError | NotFoundError | ForbiddenError}
 */
export async function replyToMail(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  input: ReplyToMailInput,
): Promise<MailMessage> {
  const account = requireCorrespondent(viewer);
  const mailbox = await requireMailbox(deps.db, account.accountId);
  const { messageId, body, replyAll, attachmentIds, force, idempotencyKey } = input;
  const prepare = async () => {
    const answers = await findAnswerable(deps, mailbox, messageId, force);
    const recipients = recipientsOf(answers, mailbox.address, replyAll);
    const letter = readLetter({ ...recipients, subject: subjectOf(answers), body, attachmentIds });
    return { letter, answers, draftId: null };
  };
  const request = ["reply-to-mail", messageId, body, replyAll, attachmentIds];
  return await submitMessage(deps, account, mailbox, { request, prepare }, idempotencyKey);
}

/** A message of the mailbox that may be answered. @throws {NotFoundError | AutomatedMailError} */
export async function findAnswerable(
  deps: AgentMailDeps,
  mailbox: AgentMailbox,
  messageId: string,
  force: boolean,
): Promise<MailMessage> {
  const message = await deps.db.prisma.mailMessage.findFirst({ where: { id: messageId, mailboxId: mailbox.id } });
  if (!message) throw new NotFoundError("There is no such message in this mailbox.");
  const { automated, fromAddress } = message;
  if (automated === null || force) return message;
  // Mail of this service's agents is marked so that others' machines stay silent; whoever wrote it may be answered.
  const isOfAgent = fromAddress.endsWith(`@${deps.agentMail.domain()}`);
  if (!(automated === "auto_reply" && isOfAgent)) throw new AutomatedMailError(automated);
  return message;
}

/**
 * Whom an answer goes to: whoever wrote the message, or where they ask for answers; of a message of our own, whom it went to.
 * @throws {InvalidRequestError} when it says nobody
 */
export function recipientsOf(message: MailMessage, ownAddress: string, replyAll: boolean) {
  const { direction, fromAddress, replyToAddress, toAddresses, ccAddresses } = message;
  const to = direction === "outbound" ? toAddresses : [replyToAddress ?? fromAddress];
  if (!to.every(isOneAddress)) {
    throw new InvalidRequestError("messageId names a message without a sender that can be answered.", "messageId");
  }
  if (!replyAll) return { to, cc: [] };
  const written = new Set([ownAddress, ...to].map((address) => address.toLowerCase()));
  const others = [...(direction === "outbound" ? [] : toAddresses), ...ccAddresses];
  return { to, cc: others.filter((address) => isOneAddress(address) && !written.has(address.toLowerCase())) };
}

/** The message's subject as an answer has it, whatever stood in it. */
export function subjectOf({ subject }: Pick<MailMessage, "subject">): string {
  const line = subject.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return replySubject(line).slice(0, MAX_SUBJECT_LENGTH).toWellFormed();
}
