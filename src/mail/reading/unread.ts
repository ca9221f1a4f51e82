/** Unread incoming messages of a mailbox, by the index of the mailbox's filters. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { Match } from "./mail-search.ts";

/** SQL for whether the message `child` is an unread incoming one. PostgreSQL recognises a CASE as an indexed expression. */
export const IS_UNREAD = "(CASE WHEN child.direction = 'inbound' THEN NOT child.is_read ELSE false END)";

const MAX_UNREAD = 500;

const FIND: Statement = {
  name: "unread-mail",
  text: `SELECT child.id, child.thread_id AS "threadId" FROM mail_messages AS child
    WHERE child.mailbox_id = $1 AND ${IS_UNREAD} LIMIT ${MAX_UNREAD + 1}`,
};

const COUNT: Statement = {
  name: "count-unread-mail",
  text: `SELECT count(*)::int AS count FROM mail_messages AS child WHERE child.mailbox_id = $1 AND ${IS_UNREAD}`,
};

/** Returns the unread messages; null if there are more than 500. */
export async function findUnread({ db }: { readonly db: Database }, mailboxId: string): Promise<Match[] | null> {
  const unread = await db.query<Match>(FIND, [mailboxId]);
  return unread.length > MAX_UNREAD ? null : unread;
}

/** Returns the number of unread messages. */
export async function countUnreadOf({ db }: { readonly db: Database }, mailboxId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT, [mailboxId]);
  return row?.count ?? 0;
}
