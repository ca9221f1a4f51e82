/** Pages of a mailbox's messages, with filters. */
import type { Database } from "../../platform/database/connection.ts";
import {
  type Condition,
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
import { IS_UNREAD } from "./unread.ts";

/** Filters for messages; null disables a filter. */
export interface MessageFilter {
  readonly directions: readonly string[] | null;
  /** True: unread incoming messages. False: all others. */
  readonly isUnread: boolean | null;
  /** Search terms for the subject, the addresses and the text. */
  readonly text: string | null;
  /** An address or a domain. */
  readonly from: string | null;
  readonly threadId: string | null;
  readonly hasAttachments: boolean | null;
  /** Inclusive. */
  readonly createdAfter: Date | null;
  /** Exclusive. */
  readonly createdBefore: Date | null;
}

const MESSAGES: RowList = {
  ...{ table: "mail_messages", parentColumn: "mailbox_id", timeColumn: "created_at", order: "newest first" },
  facets: { isUnread: IS_UNREAD, direction: "child.direction" },
};
const MESSAGES_OF_THREAD: RowList = {
  ...{ table: "mail_messages", parentColumn: "thread_id", timeColumn: "created_at", order: "newest first" },
};

const HAS_ATTACHMENTS = `EXISTS (SELECT FROM mail_attachments AS attachment
  WHERE attachment.message_id = child.id AND NOT attachment.is_inline)`;

/** Returns the ids of a page of messages. The page is empty if the cursor is not a message of the mailbox. */
export async function readMessagePage(
  { db }: { readonly db: Database },
  mailboxId: string,
  filter: MessageFilter,
  page: ListPage,
  order: ListOrder,
): Promise<ListRows<{ readonly id: string }>> {
  const { list, parentId, listFilter } = await findList(db, mailboxId, filter);
  const [rows] = await readListPages<{ id: string }>(db, { ...list, order }, [parentId], page, listFilter);
  return rows as ListRows<{ id: string }>;
}

/** Counts the messages, up to `MAX_COUNT`. */
export async function countMessages(
  { db }: { readonly db: Database },
  mailboxId: string,
  filter: MessageFilter,
): Promise<RowCount> {
  const { list, parentId, listFilter } = await findList(db, mailboxId, filter);
  const [count] = await countListRows(db, list, [parentId], listFilter);
  return count as RowCount;
}

/** Returns the list whose index serves the filter: that of the thread, or of the mailbox. */
async function findList(
  db: Database,
  mailboxId: string,
  filter: MessageFilter,
): Promise<{ readonly list: RowList; readonly parentId: string; readonly listFilter: ListFilter }> {
  const { directions, isUnread, text, from, threadId, hasAttachments, createdAfter, createdBefore } = filter;
  const matches = await findMatches({ db }, mailboxId, { text, from });
  const ids = matches?.filter((match) => threadId === null || match.threadId === threadId).map(({ id }) => id) ?? null;
  const conditions = [
    ...(ids ? [] : toSearchConditions(mailboxId, { text, from })),
    ...(hasAttachments === null ? [] : [{ sql: hasAttachments ? HAS_ATTACHMENTS : `NOT ${HAS_ATTACHMENTS}` }]),
  ];
  const facets = { isUnread: isUnread === null ? null : [String(isUnread)], direction: directions };
  const times = { from: createdAfter, to: createdBefore };
  if (threadId === null || ids) {
    return { list: MESSAGES, parentId: mailboxId, listFilter: { ids, facets, ...times, conditions } };
  }
  const ofMailbox = { sql: "child.mailbox_id = ?", values: [mailboxId] };
  return {
    list: MESSAGES_OF_THREAD,
    parentId: threadId,
    listFilter: { ...times, conditions: [ofMailbox, ...toConditions(facets), ...conditions] },
  };
}

/** Returns the filters of a thread's messages as conditions: it has no index of filters. */
function toConditions({
  isUnread,
  direction,
}: Readonly<Record<"isUnread" | "direction", readonly string[] | null>>): Condition[] {
  return [
    ...(direction ? [{ sql: "child.direction = ANY(?::text[])", values: [direction] }] : []),
    ...(isUnread ? [{ sql: `${IS_UNREAD}::text = ANY(?::text[])`, values: [isUnread] }] : []),
  ];
}
