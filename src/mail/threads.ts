/** Which messages belong together: by Message-ID, In-Reply-To and References (RFC 5322 section 3.6.4), in our own table. */
import type { Prisma } from "../../generated/prisma/client.ts";
import { createRowLock } from "../platform/concurrency/row-lock.ts";
import { newId } from "../platform/ids.ts";

/** What a message says of itself, as its row keeps it. */
export interface Threading {
  /** With its angle brackets. */
  readonly messageIdHeader: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly subject: string;
  readonly at: Date;
}

/** `Re:`, `Fwd[2]:`, `AW:` and the like, as often as they stand there (after RFC 5256 section 2.1). */
const REPLY_MARKS = /^(?:\s*(?:re|fwd?|aw|wg|sv|vs|antw|rif|tr|res|enc|odp|ynt)\s*(?:\[\d{1,3}\])?\s*[:：])+\s*/i;

/** The subject without marks of replies and forwards. */
export function baseSubject(subject: string): string {
  return subject.replace(REPLY_MARKS, "").trim();
}

/** Of longer chains the nearest count, and the root. */
const MAX_REFERENCES = 100;

/**
 * The thread a message belongs to: that of the nearest message it answers, of those that answer it or the same one, else a
 * new one. Answers that came before what they answer are taken over into its thread. Holds the mailbox's row until `tx`
 * ends, so that two messages stored at once find each other; store the message within `tx`.
 */
export async function threadFor(tx: Prisma.TransactionClient, mailboxId: string, message: Threading): Promise<string> {
  const { subject, at } = message;
  await lockMailbox(tx, mailboxId);
  const answered = await threadOfAnswered(tx, mailboxId, message);
  const answering = await threadsToTakeOver(tx, mailboxId, message.messageIdHeader);
  const threadId = answered ?? answering[0] ?? (await threadOfSibling(tx, mailboxId, message.inReplyTo));
  if (threadId === null) {
    const data = { id: newId("mth"), mailboxId, subject: baseSubject(subject), lastMessageAt: at, createdAt: at };
    return (await tx.mailThread.create({ data })).id;
  }
  const others = answering.filter((id) => id !== threadId);
  if (others.length > 0) await mergeInto(tx, threadId, others);
  await tx.mailThread.updateMany({ where: { id: threadId, lastMessageAt: { lt: at } }, data: { lastMessageAt: at } });
  return threadId;
}

/** By the account's id: nobody else stores a message in its mailbox meanwhile, or sends one from it. */
export const withMailboxLock = createRowLock(
  (tx, accountId) => tx.$queryRaw`SELECT id FROM mailboxes WHERE account_id = ${accountId}::uuid FOR NO KEY UPDATE`,
);

/** The same for a transaction that has begun, until it ends. */
async function lockMailbox(tx: Prisma.TransactionClient, mailboxId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM mailboxes WHERE id = ${mailboxId} FOR NO KEY UPDATE`;
}

async function threadOfAnswered(
  tx: Prisma.TransactionClient,
  mailboxId: string,
  { inReplyTo, references }: Threading,
): Promise<string | null> {
  const [root, ...chain] = references;
  const nearestFirst = [inReplyTo, ...chain.slice(-MAX_REFERENCES).reverse(), root].filter(
    (id) => typeof id === "string",
  );
  if (nearestFirst.length === 0) return null;
  const found = await tx.mailMessage.findMany({
    where: { mailboxId, messageIdHeader: { in: nearestFirst } },
    select: { messageIdHeader: true, threadId: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const threadIds = new Map(found.map(({ messageIdHeader, threadId }) => [messageIdHeader, threadId]));
  const nearest = nearestFirst.find((id) => threadIds.has(id));
  return nearest === undefined ? null : (threadIds.get(nearest) ?? null);
}

/** Those with answers that came before what they answer, oldest first. */
async function threadsToTakeOver(
  tx: Prisma.TransactionClient,
  mailboxId: string,
  messageIdHeader: string,
): Promise<string[]> {
  const found = await threadsWithAnswersTo(tx, mailboxId, messageIdHeader);
  if (found.length === 0) return [];
  // What they answer is there: whoever borrows its Message-ID takes none of them along.
  return (await tx.mailMessage.count({ where: { mailboxId, messageIdHeader } })) > 0 ? [] : found;
}

/** Oldest first. */
async function threadsWithAnswersTo(
  tx: Prisma.TransactionClient,
  mailboxId: string,
  messageIdHeader: string,
): Promise<string[]> {
  const found = await tx.mailMessage.groupBy({
    by: ["threadId"],
    where: { mailboxId, inReplyTo: messageIdHeader },
    _min: { createdAt: true },
    orderBy: [{ _min: { createdAt: "asc" } }, { threadId: "asc" }],
  });
  return found.map(({ threadId }) => threadId);
}

/** Two answers to a message that never came belong together. */
async function threadOfSibling(tx: Prisma.TransactionClient, mailboxId: string, inReplyTo: string | null) {
  if (inReplyTo === null) return null;
  return (await threadsWithAnswersTo(tx, mailboxId, inReplyTo))[0] ?? null;
}

async function mergeInto(tx: Prisma.TransactionClient, threadId: string, others: readonly string[]): Promise<void> {
  const from = [...others];
  const { _max } = await tx.mailThread.aggregate({ where: { id: { in: from } }, _max: { lastMessageAt: true } });
  const at = _max.lastMessageAt ?? new Date(0);
  await tx.mailMessage.updateMany({ where: { threadId: { in: from } }, data: { threadId, updatedAt: new Date() } });
  await tx.mailThread.deleteMany({ where: { id: { in: from } } });
  await tx.mailThread.updateMany({ where: { id: threadId, lastMessageAt: { lt: at } }, data: { lastMessageAt: at } });
}
