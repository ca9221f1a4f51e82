import { Prisma } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { requireCorrespondent } from "../mailboxes.ts";
import { withMailboxLock } from "../threads.ts";
import { readMessageIds } from "./mark-read.ts";

/**
 * Deletes messages with their attachments, for good, and threads that they leave empty. Answers the ids given, each once.
 * A message that still waits to be sent is refused: it may be on its way at this moment.
 * @throws {InvalidRequestError | NotFoundError | ForbiddenError} and deletes none
 */
export async function deleteMail(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  { messageIds }: { readonly messageIds: readonly string[] },
): Promise<string[]> {
  const { accountId } = requireCorrespondent(viewer);
  const ids = readMessageIds(messageIds);
  // As whoever stores a message does: neither finds a thread that the other is about to empty or fill.
  await withMailboxLock(db, accountId, async (tx) => {
    const rows = await tx.$queryRaw<{ threadId: string; status: string }[]>`
      SELECT thread_id AS "threadId", status FROM mail_messages
      WHERE id IN (${Prisma.join(ids)}) AND account_id = ${accountId}::uuid ORDER BY id FOR UPDATE`;
    if (rows.length < ids.length)
      throw new NotFoundError("Not all of these messages are in this mailbox. None was deleted.");
    if (rows.some(({ status }) => status === "queued")) {
      const text =
        "messageIds names a message that still waits to be sent; it can be deleted once it was sent or failed. None was deleted.";
      throw new InvalidRequestError(text, "messageIds");
    }
    await tx.mailMessage.deleteMany({ where: { id: { in: ids }, accountId } });
    const threadIds = [...new Set(rows.map(({ threadId }) => threadId))];
    await tx.mailThread.deleteMany({ where: { id: { in: threadIds }, messages: { none: {} } } });
    // A thread stands in its list where its last message does.
    await tx.$executeRaw`UPDATE mail_threads SET last_message_at = last.at
      FROM (SELECT thread_id, max(created_at) AS at FROM mail_messages WHERE thread_id IN (${Prisma.join(threadIds)}) GROUP BY thread_id) last
      WHERE mail_threads.id = last.thread_id`;
  });
  return ids;
}
