/** Pages of a mailbox's threads, ordered by last message, newest first. */
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { IS_UNREAD, matchesSearch, type Page } from "./message-page.ts";
import { buildSearchQuery } from "./search-query.ts";

/** Filters for threads; null disables a filter. Each filter needs a matching message in the thread. */
export interface ThreadFilter {
  readonly isUnread: boolean | null;
  readonly text: string | null;
}

/** Returns the ids of a page of threads. The page is empty if the cursor is not a thread of the mailbox. */
export async function readThreadPage(
  { db }: { readonly db: Database },
  mailboxId: string,
  { isUnread, text }: ThreadFilter,
  page: Omit<Page, "offset">,
): Promise<string[]> {
  const isNewer = page.take < 0;
  const conditions = [Prisma.sql`mailbox_id = ${mailboxId}`];
  const query = text === null ? null : buildSearchQuery(text);
  if (query !== null) conditions.push(hasMessage(matchesSearch(query)));
  if (isUnread !== null) conditions.push(isUnread ? hasMessage(IS_UNREAD) : Prisma.sql`NOT ${hasMessage(IS_UNREAD)}`);
  if (page.cursorId !== null) {
    const cursor = Prisma.sql`(SELECT last_message_at, id FROM mail_threads WHERE id = ${page.cursorId} AND mailbox_id = ${mailboxId})`;
    conditions.push(
      isNewer ? Prisma.sql`(last_message_at, id) > ${cursor}` : Prisma.sql`(last_message_at, id) < ${cursor}`,
    );
  }
  const order = isNewer ? Prisma.sql`last_message_at ASC, id ASC` : Prisma.sql`last_message_at DESC, id DESC`;
  const rows = await db.prisma.$queryRaw<{ id: string }[]>`SELECT id FROM mail_threads
    WHERE ${Prisma.join(conditions, " AND ")} ORDER BY ${order} LIMIT ${Math.abs(page.take)}`;
  const ids = rows.map(({ id }) => id);
  return isNewer ? ids.reverse() : ids;
}

const hasMessage = (condition: Prisma.Sql) =>
  Prisma.sql`EXISTS (SELECT 1 FROM mail_messages WHERE thread_id = mail_threads.id AND ${condition})`;
