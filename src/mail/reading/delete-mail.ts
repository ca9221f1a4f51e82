import { Prisma } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { eraseMailEvents } from "../erase-mail-events.ts";
import { requireMailAccess } from "../mailboxes.ts";
import { withMailboxLock } from "../threads.ts";
import { readMessageIds } from "./mark-read.ts";

export interface DeletedMail {
  /** The given ids without duplicates. */
  readonly messageIds: readonly string[];
  readonly deletedThreadIds: readonly string[];
  /** Ids of the threads that still have messages. */
  readonly changedThreadIds: readonly string[];
}

/**
 * Permanently deletes messages with their attachments, and threads that become empty. Their events lose subject and addresses. A queued message cannot be deleted: an
 * attempt to send it may be in progress.
 * @throws {InvalidRequestError | NotFoundError | ForbiddenError} without deleting any message
 */
export async function deleteMail(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  { messageIds }: { readonly messageIds: readonly string[] },
): Promise<DeletedMail> {
  const { accountId } = requireMailAccess(viewer);
  const ids = readMessageIds(messageIds);
  // The lock also serialises the storing of messages, which could otherwise use a thread that is deleted here.
  return await withMailboxLock(db, accountId, async (tx) => {
    const rows = await tx.$queryRaw<{ threadId: string; status: string }[]>`
      SELECT thread_id AS "threadId", status FROM mail_messages
      WHERE id IN (${Prisma.join(ids)}) AND account_id = ${accountId}::uuid ORDER BY id FOR UPDATE`;
    if (rows.length < ids.length)
      throw new NotFoundError("messageIds contains an id that is not in this mailbox. No message was deleted.");
    if (rows.some(({ status }) => status === "queued")) {
      const text =
        "messageIds contains a queued message. No message was deleted. Retry when its status is sent or failed.";
      throw new InvalidRequestError(text, "messageIds");
    }
    await tx.mailMessage.deleteMany({ where: { id: { in: ids }, accountId } });
    await eraseMailEvents(tx, accountId, ids);
    const threadIds = [...new Set(rows.map(({ threadId }) => threadId))];
    const emptyThreads = await tx.mailThread.findMany({
      where: { id: { in: threadIds }, messages: { none: {} } },
      select: { id: true },
    });
    const deletedThreadIds = emptyThreads.map(({ id }) => id);
    await tx.mailThread.deleteMany({ where: { id: { in: deletedThreadIds } } });
    // Threads are ordered by their last message.
    await tx.$executeRaw`UPDATE mail_threads SET last_message_at = last.at
      FROM (SELECT thread_id, max(created_at) AS at FROM mail_messages WHERE thread_id IN (${Prisma.join(threadIds)}) GROUP BY thread_id) last
      WHERE mail_threads.id = last.thread_id`;
    const changedThreadIds = threadIds.filter((id) => !deletedThreadIds.includes(id));
    return { messageIds: ids, deletedThreadIds, changedThreadIds };
  });
}
