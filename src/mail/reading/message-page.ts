/** Pages of a mailbox's messages, newest first, narrowed by what is looked for. */
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { searchQuery } from "./search-query.ts";

/** Which messages; null lets all through. */
export interface MessageFilter {
  readonly direction: string | null;
  /** Messages that came and were not read, or all others. */
  readonly isUnread: boolean | null;
  /** Words of the subject, the addresses or the text. */
  readonly text: string | null;
  /** An address, or a domain. */
  readonly from: string | null;
  readonly threadId: string | null;
  readonly hasAttachments: boolean | null;
  /** At this time or later, and before that one. */
  readonly since: Date | null;
  readonly until: Date | null;
}

export interface Page {
  /** The row to go on from, by its id; null starts at the end. */
  readonly cursorId: string | null;
  /** How many rows after the cursor; below zero, before it. */
  readonly take: number;
  /** How many rows to leave out first. */
  readonly offset: number;
}

/** The ids of a page of messages, newest first. A cursor that is none of the mailbox's messages has nothing after it. */
export async function readMessagePage(
  { db }: { readonly db: Database },
  mailboxId: string,
  filter: MessageFilter,
  page: Page,
): Promise<string[]> {
  const isNewer = page.take < 0;
  const conditions = [Prisma.sql`mailbox_id = ${mailboxId}`, ...conditionsOf(filter)];
  if (page.cursorId !== null) {
    const cursor = Prisma.sql`(SELECT created_at, id FROM mail_messages WHERE id = ${page.cursorId} AND mailbox_id = ${mailboxId})`;
    conditions.push(isNewer ? Prisma.sql`(created_at, id) > ${cursor}` : Prisma.sql`(created_at, id) < ${cursor}`);
  }
  const order = isNewer ? Prisma.sql`created_at ASC, id ASC` : Prisma.sql`created_at DESC, id DESC`;
  const rows = await db.prisma.$queryRaw<{ id: string }[]>`SELECT id FROM mail_messages
    WHERE ${Prisma.join(conditions, " AND ")} ORDER BY ${order} LIMIT ${Math.abs(page.take)} OFFSET ${page.offset}`;
  const ids = rows.map(({ id }) => id);
  return isNewer ? ids.reverse() : ids;
}

function conditionsOf(filter: MessageFilter): Prisma.Sql[] {
  const { direction, isUnread, text, from, threadId, hasAttachments, since, until } = filter;
  const query = text === null ? null : searchQuery(text);
  const conditions: Prisma.Sql[] = [];
  if (direction !== null) conditions.push(Prisma.sql`direction = ${direction}`);
  if (isUnread === true) conditions.push(UNREAD);
  if (isUnread === false) conditions.push(Prisma.sql`NOT (${UNREAD})`);
  if (query !== null) conditions.push(matches(query));
  if (from !== null) conditions.push(isFrom(from));
  if (threadId !== null) conditions.push(Prisma.sql`thread_id = ${threadId}`);
  if (hasAttachments !== null) {
    const attached = Prisma.sql`EXISTS (SELECT 1 FROM mail_attachments a WHERE a.message_id = mail_messages.id AND NOT a.is_inline)`;
    conditions.push(hasAttachments ? attached : Prisma.sql`NOT ${attached}`);
  }
  if (since !== null) conditions.push(Prisma.sql`created_at >= ${since}`);
  if (until !== null) conditions.push(Prisma.sql`created_at < ${until}`);
  return conditions;
}

/** A message that came and that nobody has read. */
export const UNREAD = Prisma.sql`direction = 'inbound' AND NOT is_read`;

/** The condition that a message holds what is looked for. @param query as `searchQuery` writes it */
export function matches(query: string): Prisma.Sql {
  return Prisma.sql`search @@ to_tsquery('simple', ${query})`;
}

/** By the whole address, or by its domain where no `@` is given, or nothing before it. */
function isFrom(given: string): Prisma.Sql {
  const wanted = given.trim().toLowerCase();
  const domain = /^@?([^@]+)$/.exec(wanted)?.[1];
  return domain === undefined
    ? Prisma.sql`lower(from_address) = ${wanted}`
    : Prisma.sql`split_part(lower(from_address), '@', 2) = ${domain}`;
}
