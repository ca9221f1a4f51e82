/** Threading of messages by Message-ID, In-Reply-To and References (RFC 5322 section 3.6.4). */
import type { Prisma } from "../../generated/prisma/client.ts";
import { createRowLock } from "../platform/concurrency/row-lock.ts";
import { newId } from "../platform/ids.ts";

/** The stored fields of a message that determine its thread. */
export interface Threading {
  /** With angle brackets. */
  readonly messageIdHeader: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly subject: string;
  readonly at: Date;
}

/** Repeated `Re:`, `Fwd[2]:`, `AW:` and similar prefixes (after RFC 5256 section 2.1). */
const REPLY_PREFIXES = /^(?:\s*(?:re|fwd?|aw|wg|sv|vs|antw|rif|tr|res|enc|odp|ynt)\s*(?:\[\d{1,3}\])?\s*[:：])+\s*/i;

/** Returns the subject without reply and forward prefixes. */
export function stripReplyPrefixes(subject: string): string {
  return subject.replace(REPLY_PREFIXES, "").trim();
}

/** Of a longer chain, the root and the most recent ids are used. */
const MAX_REFERENCES = 100;

/**
 * Returns the id of a message's thread: that of its nearest stored ancestor, of a stored reply to it, or of a sibling reply.
 * Without any of these, creates a thread. Threads of replies that arrived before the message are merged into it.
 * Locks the mailbox until `tx` ends, so concurrent messages find each other. Store the message within `tx`.
 */
export async function assignThread(
  tx: Prisma.TransactionClient,
  mailboxId: string,
  message: Threading,
): Promise<string> {
  const { subject, at } = message;
  await lockMailbox(tx, mailboxId);
  const ancestorThreadId = await findAncestorThread(tx, mailboxId, message);
  const replyThreadIds = await findThreadsToMerge(tx, mailboxId, message.messageIdHeader);
  const threadId = ancestorThreadId ?? replyThreadIds[0] ?? (await findSiblingThread(tx, mailboxId, message.inReplyTo));
  if (threadId === null) {
    const data = {
      id: newId("mth"),
      mailboxId,
      subject: stripReplyPrefixes(subject),
      lastMessageAt: at,
      createdAt: at,
    };
    return (await tx.mailThread.create({ data })).id;
  }
  const others = replyThreadIds.filter((id) => id !== threadId);
  if (others.length > 0) await mergeInto(tx, threadId, others);
  await tx.mailThread.updateMany({ where: { id: threadId, lastMessageAt: { lt: at } }, data: { lastMessageAt: at } });
  return threadId;
}

/** Runs a transaction that locks an account's mailbox, by account id. No other transaction stores a message in it meanwhile. */
export const withMailboxLock = createRowLock(
  (tx, accountId) => tx.$queryRaw`SELECT id FROM mailboxes WHERE account_id = ${accountId}::uuid FOR NO KEY UPDATE`,
);

/** Locks a mailbox within an existing transaction, until it ends. */
async function lockMailbox(tx: Prisma.TransactionClient, mailboxId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM mailboxes WHERE id = ${mailboxId} FOR NO KEY UPDATE`;
}

async function findAncestorThread(
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

/** Returns threads with replies that arrived before the message itself, oldest first. */
async function findThreadsToMerge(
  tx: Prisma.TransactionClient,
  mailboxId: string,
  messageIdHeader: string,
): Promise<string[]> {
  const found = await findThreadsWithReplies(tx, mailboxId, messageIdHeader);
  if (found.length === 0) return [];
  // The message they reply to is already stored, so another one with its Message-ID is a forgery and gets none of them.
  return (await tx.mailMessage.count({ where: { mailboxId, messageIdHeader } })) > 0 ? [] : found;
}

/** Returns the threads with replies to a message, oldest first. */
async function findThreadsWithReplies(
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

/** Returns the thread of another reply to the same parent, which may never have arrived. */
async function findSiblingThread(tx: Prisma.TransactionClient, mailboxId: string, inReplyTo: string | null) {
  if (inReplyTo === null) return null;
  return (await findThreadsWithReplies(tx, mailboxId, inReplyTo))[0] ?? null;
}

async function mergeInto(tx: Prisma.TransactionClient, threadId: string, others: readonly string[]): Promise<void> {
  const from = [...others];
  const { _max } = await tx.mailThread.aggregate({ where: { id: { in: from } }, _max: { lastMessageAt: true } });
  const at = _max.lastMessageAt ?? new Date(0);
  await tx.mailMessage.updateMany({ where: { threadId: { in: from } }, data: { threadId, updatedAt: new Date() } });
  await tx.mailThread.deleteMany({ where: { id: { in: from } } });
  await tx.mailThread.updateMany({ where: { id: threadId, lastMessageAt: { lt: at } }, data: { lastMessageAt: at } });
}
