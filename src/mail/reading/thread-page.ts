/** Pages of a mailbox's threads, the one that moved last first. */
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { matches, type Page, UNREAD } from "./message-page.ts";
import { searchQuery } from "./search-query.ts";

/** Which threads: those with a message for which all that is given holds. */
export interface ThreadFilter {
  readonly isUnread: boolean | null;
  readonly text: string | null;
}

/** The ids of a page of threads. A cursor that is none of the mailbox's threads has nothing after it. */
export async function readThreadPage(
  { db }: { readonly db: Database },
  mailboxId: string,
  { isUnread, text }: ThreadFilter,
  page: Omit<Page, "offset">,
): Promise<string[]> {
  const isNewer = page.take < 0;
  const conditions = [Prisma.sql`mailbox_id = ${mailboxId}`];
  const query = text === null ? null : searchQuery(text);
  if (query !== null) conditions.push(some(matches(query)));
  if (isUnread !== null) conditions.push(isUnread ? some(UNREAD) : Prisma.sql`NOT ${some(UNREAD)}`);
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

const some = (condition: Prisma.Sql) =>
  Prisma.sql`EXISTS (SELECT 1 FROM mail_messages WHERE thread_id = mail_threads.id AND ${condition})`;
