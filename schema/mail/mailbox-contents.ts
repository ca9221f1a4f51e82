/** Fields of a mailbox for its messages and threads. */
import { readMessagePage } from "../../src/mail/reading/message-page.ts";
import { readThreadPage } from "../../src/mail/reading/thread-page.ts";
import { countUnreadOf } from "../../src/mail/reading/unread.ts";
import type { ListRows } from "../../src/platform/database/list-page.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { BOUNDED_PAGES, resolveBounded } from "../bounded-connection.ts";
import { builder } from "../builder.ts";
import type { ConnectionPage } from "../child-pages.ts";
import { selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { requireCursorRow } from "../paging.ts";
import { UPDATES_CURSOR } from "../resumable-updates.ts";
import { StorableText } from "../text.ts";
import { MailboxNode } from "./mailbox.ts";
import { MailDirection, MailMessageNode } from "./messages.ts";
import { MailThreadNode } from "./threads.ts";

/** Bounds the cost of an offset. Filters find older messages more efficiently. */
const MAX_OFFSET = 100_000;

const SEARCH =
  'Search terms for the subject, the addresses and the text. Each must be a prefix of a word. `"quoted words"` match a phrase; `-word` excludes a word.';

const MailFilter = builder.inputType("MailFilter", {
  description: "Filter for messages. All given conditions must match.",
  fields: (t) => ({
    directions: t.field({ type: [MailDirection], description: "The directions of the messages. Default: both." }),
    isUnread: t.boolean({ description: "True: unread incoming messages. False: all others." }),
    q: t.string({ validate: StorableText, description: SEARCH }),
    from: t.string({ validate: StorableText, description: "The sender's address or its domain." }),
    threadId: t.id({ description: "The id of the thread.", validate: idOf("MailThread") }),
    createdAfter: t.field({ type: "DateTime", description: "Messages created at or after this time." }),
    createdBefore: t.field({ type: "DateTime", description: "Messages created before this time." }),
    hasAttachments: t.boolean({ description: "Whether the messages have attachments, not counting inline images." }),
  }),
});

const MailThreadFilter = builder.inputType("MailThreadFilter", {
  description: "Filter for threads. All given conditions must match.",
  fields: (t) => ({
    isUnread: t.boolean({ description: "True: threads with an unread incoming message. False: all others." }),
    q: t.string({ validate: StorableText, description: `One message of the thread must match. ${SEARCH}` }),
  }),
});

/** Returns the rows in the order of the page; skips rows that were deleted meanwhile. */
function toPage<Row extends { readonly id: string }>(
  { rows: ids, scannedToId }: ListRows<{ readonly id: string }>,
  rows: readonly Row[],
): ConnectionPage<Row> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const page = ids.flatMap(({ id }) => byId.get(id) ?? []);
  return Object.assign(page, { scannedToId });
}

builder.objectField(MailboxNode, "messages", (t) =>
  t.connection(
    {
      type: MailMessageNode,
      ...BOUNDED_PAGES,
      description: "Received and outgoing messages, newest first.",
      args: {
        filter: t.arg({ type: MailFilter, description: "Filter for the messages. Default: all messages." }),
        offset: t.arg.int({
          description: `The number of messages to skip, from 0 to ${MAX_OFFSET}. Default: 0.`,
        }),
      },
      resolve: ({ id }, args, context, info) => {
        const { filter, offset } = args;
        if (offset && !(offset > 0 && offset <= MAX_OFFSET)) {
          throw new InvalidRequestError(`offset must be from 0 to ${MAX_OFFSET}.`, "offset");
        }
        const { directions, isUnread, q, from, threadId, createdAfter, createdBefore, hasAttachments } = filter ?? {};
        const filters = {
          directions: selectedOf(directions),
          isUnread: isUnread ?? null,
          text: q ?? null,
          from: from ?? null,
          threadId: threadId ?? null,
          createdAfter: createdAfter ?? null,
          createdBefore: createdBefore ?? null,
          hasAttachments: hasAttachments ?? null,
        };
        const { db } = context.deps;
        const { mailMessage } = db.prisma;
        return resolveBounded(args, context, info, async ({ cursor, take, skip: _, ...query }) => {
          // With an offset, a short page would mark the end of the list.
          const isExact = typeof offset === "number";
          const position = { cursorId: cursor?.id ?? null, take, offset: offset ?? 0, isExact };
          const found = await readMessagePage({ db }, id, filters, position);
          const ids = found.rows.map((row) => row.id);
          if (found.scannedToId === null) {
            await requireCursorRow(ids, { take, ...(cursor && { cursor }) }, (messageId) =>
              mailMessage.count({ where: { id: messageId, mailboxId: id } }),
            );
          }
          return toPage(found, await mailMessage.findMany({ ...query, where: { id: { in: ids } } }));
        });
      },
    },
    {
      name: "MailMessageConnection",
      description: "A page of messages.",
      fields: (t) => ({ updatesCursor: t.string(UPDATES_CURSOR) }),
    },
    { name: "MailMessageEdge", description: "A message in a list." },
  ),
);

builder.objectField(MailboxNode, "threads", (t) =>
  t.connection(
    {
      type: MailThreadNode,
      ...BOUNDED_PAGES,
      description: "The mailbox's threads, ordered by last message, newest first.",
      args: { filter: t.arg({ type: MailThreadFilter, description: "Filter for the threads. Default: all threads." }) },
      resolve: ({ id }, args, context, info) => {
        const filters = { isUnread: args.filter?.isUnread ?? null, text: args.filter?.q ?? null };
        const { db } = context.deps;
        const { mailThread } = db.prisma;
        return resolveBounded(args, context, info, async ({ cursor, take, skip: _, ...query }) => {
          const found = await readThreadPage({ db }, id, filters, { cursorId: cursor?.id ?? null, take });
          const ids = found.rows.map((row) => row.id);
          if (found.scannedToId === null) {
            await requireCursorRow(ids, { take, ...(cursor && { cursor }) }, (threadId) =>
              mailThread.count({ where: { id: threadId, mailboxId: id } }),
            );
          }
          return toPage(found, await mailThread.findMany({ ...query, where: { id: { in: ids } } }));
        });
      },
    },
    {
      name: "MailThreadConnection",
      description: "A page of threads.",
      fields: (t) => ({ updatesCursor: t.string(UPDATES_CURSOR) }),
    },
    { name: "MailThreadEdge", description: "A thread in a list." },
  ),
);

builder.prismaObjectFields(MailboxNode, (t) => ({
  unreadCount: t.int({
    complexity: 5,
    description: "The number of unread incoming messages.",
    resolve: ({ id: mailboxId }, _args, { deps }) => countUnreadOf(deps, mailboxId),
  }),
}));
