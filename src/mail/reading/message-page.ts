/** Pages of a mailbox's messages, newest first, with filters. */
import type { Database } from "../../platform/database/connection.ts";
import {
  type Condition,
  type ListPage,
  type ListRows,
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

/** Returns the ids of a page of messages, newest first. The page is empty if the cursor is not a message of the mailbox. */
export async function readMessagePage(
  { db }: { readonly db: Database },
  mailboxId: string,
  filter: MessageFilter,
  page: ListPage,
): Promise<ListRows<{ readonly id: string }>> {
  const { directions, isUnread, text, from, threadId, hasAttachments, createdAfter, createdBefore } = filter;
  const matches = await findMatches({ db }, mailboxId, { text, from });
  const ids = matches?.filter((match) => threadId === null || match.threadId === threadId).map(({ id }) => id) ?? null;
  const conditions = [
    ...(ids ? [] : toSearchConditions(mailboxId, { text, from })),
    ...(hasAttachments === null ? [] : [{ sql: hasAttachments ? HAS_ATTACHMENTS : `NOT ${HAS_ATTACHMENTS}` }]),
  ];
  const isOfThread = threadId !== null && !ids;
  const facets = { isUnread: isUnread === null ? null : [String(isUnread)], direction: directions };
  const [rows] = isOfThread
    ? await readListPages<{ id: string }>(db, MESSAGES_OF_THREAD, [threadId], page, {
        ...{ from: createdAfter, to: createdBefore },
        conditions: [{ sql: "child.mailbox_id = ?", values: [mailboxId] }, ...toConditions(facets), ...conditions],
      })
    : await readListPages<{ id: string }>(db, MESSAGES, [mailboxId], page, {
        ...{ ids, facets, from: createdAfter, to: createdBefore, conditions },
      });
  return rows as ListRows<{ id: string }>;
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
