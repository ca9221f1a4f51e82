/** Pages of a mailbox's messages, newest first, with filters. */
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { buildSearchQuery } from "./search-query.ts";

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

export interface Page {
  /** Id of the row that the page continues from; null for the first or last page. */
  readonly cursorId: string | null;
  /** The number of rows after the cursor; if negative, before it. */
  readonly take: number;
  /** The number of rows to skip. */
  readonly offset: number;
}

/** Returns the ids of a page of messages, newest first. The page is empty if the cursor is not a message of the mailbox. */
export async function readMessagePage(
  { db }: { readonly db: Database },
  mailboxId: string,
  filter: MessageFilter,
  page: Page,
): Promise<string[]> {
  const isNewer = page.take < 0;
  const conditions = [Prisma.sql`mailbox_id = ${mailboxId}`, ...buildConditions(filter)];
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

function buildConditions(filter: MessageFilter): Prisma.Sql[] {
  const { directions, isUnread, text, from, threadId, hasAttachments, createdAfter, createdBefore } = filter;
  const query = text === null ? null : buildSearchQuery(text);
  const conditions: Prisma.Sql[] = [];
  if (directions !== null) conditions.push(Prisma.sql`direction = ANY(${[...directions]})`);
  if (isUnread === true) conditions.push(IS_UNREAD);
  if (isUnread === false) conditions.push(Prisma.sql`NOT (${IS_UNREAD})`);
  if (query !== null) conditions.push(matchesSearch(query));
  if (from !== null) conditions.push(matchesSender(from));
  if (threadId !== null) conditions.push(Prisma.sql`thread_id = ${threadId}`);
  if (hasAttachments !== null) {
    const attached = Prisma.sql`EXISTS (SELECT 1 FROM mail_attachments a WHERE a.message_id = mail_messages.id AND NOT a.is_inline)`;
    conditions.push(hasAttachments ? attached : Prisma.sql`NOT ${attached}`);
  }
  if (createdAfter !== null) conditions.push(Prisma.sql`created_at >= ${createdAfter}`);
  if (createdBefore !== null) conditions.push(Prisma.sql`created_at < ${createdBefore}`);
  return conditions;
}

/** SQL condition for an unread incoming message. */
export const IS_UNREAD = Prisma.sql`direction = 'inbound' AND NOT is_read`;

/** Returns the SQL condition for a full-text match. @param query a `tsquery` from `buildSearchQuery` */
export function matchesSearch(query: string): Prisma.Sql {
  return Prisma.sql`search @@ to_tsquery('simple', ${query})`;
}

/** Returns the SQL condition for the sender. Input without a local part (`example.com`, `@example.com`) matches the domain. */
function matchesSender(input: string): Prisma.Sql {
  const sender = input.trim().toLowerCase();
  const domain = /^@?([^@]+)$/.exec(sender)?.[1];
  return domain === undefined
    ? Prisma.sql`lower(from_address) = ${sender}`
    : Prisma.sql`split_part(lower(from_address), '@', 2) = ${domain}`;
}
