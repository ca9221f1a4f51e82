/**
 * Search of a mailbox by the text and the sender of messages. Each lexeme of a message's search vector contains its mailbox, so
 * the index finds the matches of one mailbox only.
 */
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { Condition } from "../../platform/database/list-page.ts";
import { buildSearchQuery } from "./search-query.ts";

/** Up to this number of matches, a page reads all of them. Of more, it finds enough in the order of the list. */
const MAX_MATCHES = 500;

/** A search; null disables a condition. */
export interface MailSearch {
  /** Search terms for the subject, the addresses and the text. */
  readonly text: string | null;
  /** An address, or a domain (`example.com`, `@example.com`). */
  readonly from: string | null;
}

/** A message that matches a search. */
export interface Match {
  readonly id: string;
  readonly threadId: string;
}

/** Returns the conditions of a search on the message `child`. Text without words is no condition. */
export function toSearchConditions(mailboxId: string, { text, from }: MailSearch): Condition[] {
  const query = text === null ? null : buildSearchQuery(text);
  const sender = from?.trim().toLowerCase();
  const senderQuery = sender?.includes("@") ? sender : `@${sender}`;
  return [
    ...(query === null ? [] : [{ sql: "child.search @@ mail_text_query(?, ?)", values: [mailboxId, query] }]),
    ...(sender === undefined
      ? []
      : [{ sql: "child.search @@ mail_sender_query(?, ?)", values: [mailboxId, senderQuery] }]),
  ];
}

/** Returns the messages that match the search; null if there are more than 500, or if it only excludes words. */
export async function findMatches(
  { db }: { readonly db: Database },
  mailboxId: string,
  search: MailSearch,
): Promise<Match[] | null> {
  const query = search.text === null ? null : buildSearchQuery(search.text);
  const isSelective = search.from !== null || /(^|& )'/.test(query ?? "");
  if (!isSelective) return null;
  const conditions = toSearchConditions(mailboxId, search).map(({ sql, values = [] }) =>
    Prisma.sql(sql.split("?"), ...values),
  );
  // The inner query uses the index of the search: PostgreSQL would read the mailbox, because it cannot estimate the matches.
  const matches = await db.prisma.$queryRaw<Match[]>`SELECT id, thread_id AS "threadId" FROM (
      SELECT child.id, child.thread_id, child.mailbox_id FROM mail_messages AS child
      WHERE ${Prisma.join(conditions, " AND ")} OFFSET 0) AS matching
    WHERE mailbox_id = ${mailboxId} LIMIT ${MAX_MATCHES + 1}`;
  return matches.length > MAX_MATCHES ? null : matches;
}
