/** Pages of a mailbox's threads, ordered by last message. */
import type { Database } from "../../platform/database/connection.ts";
import {
  countListRows,
  type ListFilter,
  type ListOrder,
  type ListPage,
  type ListRows,
  type RowCount,
  type RowList,
  readListPages,
} from "../../platform/database/list-page.ts";
import { findMatches, toSearchConditions } from "./mail-search.ts";
import { findUnread, IS_UNREAD } from "./unread.ts";

/** Filters for threads; null disables a filter. Each filter needs a matching message in the thread. */
export interface ThreadFilter {
  readonly isUnread: boolean | null;
  readonly text: string | null;
}

const THREADS: RowList = {
  ...{ table: "mail_threads", parentColumn: "mailbox_id", timeColumn: "last_message_at", order: "newest first" },
};

/** Returns the ids of a page of threads. The page is empty if the cursor is not a thread of the mailbox. */
export async function readThreadPage(
  { db }: { readonly db: Database },
  mailboxId: string,
  filter: ThreadFilter,
  page: ListPage,
  order: ListOrder,
): Promise<ListRows<{ readonly id: string }>> {
  const listFilter = await toListFilter(db, mailboxId, filter);
  const [rows] = await readListPages<{ id: string }>(db, { ...THREADS, order }, [mailboxId], page, listFilter);
  return rows as ListRows<{ id: string }>;
}

/** Counts the threads, up to `MAX_COUNT`. */
export async function countThreads(
  { db }: { readonly db: Database },
  mailboxId: string,
  filter: ThreadFilter,
): Promise<RowCount> {
  const [count] = await countListRows(db, THREADS, [mailboxId], await toListFilter(db, mailboxId, filter));
  return count as RowCount;
}

async function toListFilter(db: Database, mailboxId: string, { isUnread, text }: ThreadFilter): Promise<ListFilter> {
  const search = { text, from: null };
  // Threads of few matching or unread messages are read by their ids.
  const few =
    (await findMatches({ db }, mailboxId, search)) ?? (isUnread === true ? await findUnread({ db }, mailboxId) : null);
  const conditions = [
    ...toSearchConditions(mailboxId, search).map(({ sql, values = [] }) => ({ sql: hasMessage(sql), values })),
    ...(isUnread === null ? [] : [{ sql: isUnread ? hasMessage(IS_UNREAD) : `NOT ${hasMessage(IS_UNREAD)}` }]),
  ];
  return { ids: few && [...new Set(few.map(({ threadId }) => threadId))], conditions };
}

/** Returns the condition that a message of the thread `child` satisfies a condition on a message, which is also named `child`. */
const hasMessage = (condition: string) => `EXISTS (SELECT FROM mail_messages AS message
  WHERE message.thread_id = child.id AND ${condition.replaceAll("child.", "message.")})`;
