/** Fields of a mailbox for its messages and threads. */
import { readMessagePage } from "../../src/mail/reading/message-page.ts";
import { readThreadPage } from "../../src/mail/reading/thread-page.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import { selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { PAGES, type PagePosition, requireCursorRow } from "../paging.ts";
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

/** The query that Pothos passes for a page, without the selected fields. */
interface PageQuery extends PagePosition {
  readonly skip: number;
}

/** Returns the rows in the order of their ids; skips rows that were deleted meanwhile. */
function sortByIds<Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

builder.objectField(MailboxNode, "messages", (t) =>
  t.prismaConnection(
    {
      type: MailMessageNode,
      ...PAGES,
      description: "Received and outgoing messages, newest first.",
      args: {
        filter: t.arg({ type: MailFilter, description: "Filter for the messages. Default: all messages." }),
        offset: t.arg.int({
          description: `The number of messages to skip, from 0 to ${MAX_OFFSET}. Default: 0.`,
        }),
      },
      resolve: async (
        { cursor = {}, take, skip: _skip, ...query }: PageQuery & object,
        { id },
        { filter, offset },
        { deps },
      ) => {
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
        const ids = await readMessagePage(deps, id, filters, {
          cursorId: cursor.id ?? null,
          take,
          offset: offset ?? 0,
        });
        const { mailMessage } = deps.db.prisma;
        await requireCursorRow(ids, { cursor, take }, (messageId) =>
          mailMessage.count({ where: { id: messageId, mailboxId: id } }),
        );
        return sortByIds(ids, await mailMessage.findMany({ ...query, where: { id: { in: ids } } }));
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
  t.prismaConnection(
    {
      type: MailThreadNode,
      ...PAGES,
      description: "The mailbox's threads, ordered by last message, newest first.",
      args: { filter: t.arg({ type: MailThreadFilter, description: "Filter for the threads. Default: all threads." }) },
      resolve: async (
        { cursor = {}, take, skip: _skip, ...query }: PageQuery & object,
        { id },
        { filter },
        { deps },
      ) => {
        const filters = { isUnread: filter?.isUnread ?? null, text: filter?.q ?? null };
        const ids = await readThreadPage(deps, id, filters, { cursorId: cursor.id ?? null, take });
        const { mailThread } = deps.db.prisma;
        await requireCursorRow(ids, { cursor, take }, (threadId) =>
          mailThread.count({ where: { id: threadId, mailboxId: id } }),
        );
        return sortByIds(ids, await mailThread.findMany({ ...query, where: { id: { in: ids } } }));
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
    resolve: ({ id: mailboxId }, _args, { deps }) =>
      deps.db.prisma.mailMessage.count({ where: { mailboxId, direction: "inbound", isRead: false } }),
  }),
}));
