/** Fields of a mailbox for its messages and threads. */
import type { Prisma } from "../../generated/prisma/client.ts";
import { countMessages, readMessagePage } from "../../src/mail/reading/message-page.ts";
import { countThreads, readThreadPage } from "../../src/mail/reading/thread-page.ts";
import { countUnreadOf } from "../../src/mail/reading/unread.ts";
import type { ListRows } from "../../src/platform/database/list-page.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import { resolveConnection } from "../connection.ts";
import { selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { orderedBy, orderType } from "../list-order.ts";
import { type ConnectionPage, requireCursorRow } from "../paging.ts";
import { UPDATES_CURSOR } from "../resumable-updates.ts";
import { StorableText } from "../text.ts";
import { MailboxNode } from "./mailbox.ts";
import { MailDirection, MailMessageNode, MailMessageOrder } from "./messages.ts";
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

const MESSAGES_BY_TIME = orderedBy(MailMessageOrder, "DESC");

builder.objectField(MailboxNode, "messages", (t) =>
  t.connection(
    {
      type: MailMessageNode,
      ...MESSAGES_BY_TIME.pages,
      description: "Received and outgoing messages, newest first.",
      args: {
        filter: t.arg({ type: MailFilter, description: "Filter for the messages. Default: all messages." }),
        orderBy: t.arg(MESSAGES_BY_TIME.argument),
        offset: t.arg.int({
          description: `The number of messages to skip, from 0 to ${MAX_OFFSET}. Default: 0.`,
        }),
      },
      resolve: ({ id: mailboxId }, args, context, info) => {
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
        const { order, orderMark } = MESSAGES_BY_TIME.orderOf(args);
        return resolveConnection(args, context, info, {
          orderMark,
          async read(position, select: () => Prisma.MailMessageDefaultArgs) {
            // With an offset, a short page would mark the end of the list.
            const isExact = typeof offset === "number";
            const { cursor, take } = position;
            const page = { cursorId: cursor?.id ?? null, take, offset: offset ?? 0, isExact };
            const found = await readMessagePage({ db }, mailboxId, filters, page, order);
            const ids = found.rows.map(({ id }) => id);
            if (found.scannedToId === null) {
              await requireCursorRow(ids, position, (id) => mailMessage.count({ where: { id, mailboxId } }));
            }
            return toPage(found, await mailMessage.findMany({ ...select(), where: { id: { in: ids } } }));
          },
          count: () => countMessages({ db }, mailboxId, filters),
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

const THREADS_BY_TIME = orderedBy(
  orderType("MailThreadOrder", "threads", "LAST_MESSAGE_AT", "The time when the last message was received or created."),
  "DESC",
);

builder.objectField(MailboxNode, "threads", (t) =>
  t.connection(
    {
      type: MailThreadNode,
      ...THREADS_BY_TIME.pages,
      description: "The mailbox's threads, ordered by last message, newest first.",
      args: {
        filter: t.arg({ type: MailThreadFilter, description: "Filter for the threads. Default: all threads." }),
        orderBy: t.arg(THREADS_BY_TIME.argument),
      },
      resolve: ({ id: mailboxId }, args, context, info) => {
        const filters = { isUnread: args.filter?.isUnread ?? null, text: args.filter?.q ?? null };
        const { db } = context.deps;
        const { mailThread } = db.prisma;
        const { order, orderMark } = THREADS_BY_TIME.orderOf(args);
        return resolveConnection(args, context, info, {
          orderMark,
          async read(position, select: () => Prisma.MailThreadDefaultArgs) {
            const page = { cursorId: position.cursor?.id ?? null, take: position.take };
            const found = await readThreadPage({ db }, mailboxId, filters, page, order);
            const ids = found.rows.map(({ id }) => id);
            if (found.scannedToId === null) {
              await requireCursorRow(ids, position, (id) => mailThread.count({ where: { id, mailboxId } }));
            }
            return toPage(found, await mailThread.findMany({ ...select(), where: { id: { in: ids } } }));
          },
          count: () => countThreads({ db }, mailboxId, filters),
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
