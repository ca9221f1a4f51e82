/** What is in a mailbox: its messages and threads, as lists and one by one. */
import { readMessagePage } from "../../src/mail/reading/message-page.ts";
import { readThreadPage } from "../../src/mail/reading/thread-page.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import { readOwnId } from "../global-id.ts";
import { keptPlace, PAGES, type PagePlace } from "../paging.ts";
import { StorableText } from "../text.ts";
import { MailboxNode } from "./mailbox.ts";
import { MailDirection, MailMessageNode } from "./messages.ts";
import { MailThreadNode } from "./threads.ts";

/** Messages live 30 days: whoever looks further back than this wants a filter. */
const MAX_OFFSET = 100_000;

const SEARCH =
  'Words that all begin words of the subject, the addresses or the text; `"quoted words"` stand together, and `-word` is not there.';

const MailFilter = builder.inputType("MailFilter", {
  description: "Which messages; all that is given must hold.",
  fields: (t) => ({
    direction: t.field({ type: MailDirection, description: "Which way they go." }),
    unread: t.boolean({ description: "Those that came and were not read; `false`: all others." }),
    q: t.string({ validate: StorableText, description: SEARCH }),
    from: t.string({ validate: StorableText, description: "The sender's address, or its domain." }),
    threadId: t.id({ description: "The thread, by its own id or its global id." }),
    since: t.field({ type: "DateTime", description: "At this time or later." }),
    until: t.field({ type: "DateTime", description: "Before this time." }),
    hasAttachments: t.boolean({ description: "Whether they have files, other than images of their HTML." }),
  }),
});

const MailThreadFilter = builder.inputType("MailThreadFilter", {
  description: "Which threads; all that is given must hold.",
  fields: (t) => ({
    unread: t.boolean({ description: "Those with a message that came and was not read; `false`: all others." }),
    q: t.string({ validate: StorableText, description: `Found in one of their messages. ${SEARCH}` }),
  }),
});

/** What Pothos asks for of a page, apart from its fields. */
interface Wanted extends PagePlace {
  readonly skip: number;
}

/** The page's rows in the order of their ids; one that went meanwhile is left out. */
function inOrder<Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

builder.objectField(MailboxNode, "messages", (t) =>
  t.prismaConnection(
    {
      type: MailMessageNode,
      ...PAGES,
      description: "What came and what was written, newest first.",
      args: {
        filter: t.arg({ type: MailFilter, description: "Which of them; default all." }),
        offset: t.arg.int({ description: "How many to leave out first, for lists that are paged by number." }),
      },
      resolve: async (
        { cursor = {}, take, skip: _skip, ...query }: Wanted & object,
        { id },
        { filter, offset },
        { deps },
      ) => {
        if (offset && !(offset > 0 && offset <= MAX_OFFSET)) {
          throw new InvalidRequestError(`offset must be from 0 to ${MAX_OFFSET}.`, "offset");
        }
        const { direction, unread, q, from, threadId, since, until, hasAttachments } = filter ?? {};
        const wanted = {
          direction: direction ?? null,
          isUnread: unread ?? null,
          text: q ?? null,
          from: from ?? null,
          threadId: threadId ? readOwnId("MailThread", threadId, "filter.threadId") : null,
          since: since ?? null,
          until: until ?? null,
          hasAttachments: hasAttachments ?? null,
        };
        const ids = await readMessagePage(deps, id, wanted, {
          cursorId: cursor.id ?? null,
          take,
          offset: offset ?? 0,
        });
        const { mailMessage } = deps.db.prisma;
        await keptPlace(ids, { cursor, take }, (messageId) =>
          mailMessage.count({ where: { id: messageId, mailboxId: id } }),
        );
        return inOrder(ids, await mailMessage.findMany({ ...query, where: { id: { in: ids } } }));
      },
    },
    { name: "MailMessageConnection", description: "A page of messages." },
    { name: "MailMessageEdge", description: "A message in a list." },
  ),
);

builder.objectField(MailboxNode, "threads", (t) =>
  t.prismaConnection(
    {
      type: MailThreadNode,
      ...PAGES,
      description: "Its threads, the one with the newest message first.",
      args: { filter: t.arg({ type: MailThreadFilter, description: "Which of them; default all." }) },
      resolve: async ({ cursor = {}, take, skip: _skip, ...query }: Wanted & object, { id }, { filter }, { deps }) => {
        const wanted = { isUnread: filter?.unread ?? null, text: filter?.q ?? null };
        const ids = await readThreadPage(deps, id, wanted, { cursorId: cursor.id ?? null, take });
        const { mailThread } = deps.db.prisma;
        await keptPlace(ids, { cursor, take }, (threadId) =>
          mailThread.count({ where: { id: threadId, mailboxId: id } }),
        );
        return inOrder(ids, await mailThread.findMany({ ...query, where: { id: { in: ids } } }));
      },
    },
    { name: "MailThreadConnection", description: "A page of threads." },
    { name: "MailThreadEdge", description: "A thread in a list." },
  ),
);

builder.prismaObjectFields(MailboxNode, (t) => ({
  unreadCount: t.int({
    complexity: 5,
    description: "How many messages came and were not read.",
    resolve: ({ id: mailboxId }, _args, { deps }) =>
      deps.db.prisma.mailMessage.count({ where: { mailboxId, direction: "inbound", isRead: false } }),
  }),
  message: t.prismaField({
    type: MailMessageNode,
    nullable: true,
    description: "One message; null when there is none of that id.",
    args: { messageId: t.arg.id({ required: true, description: "The message, by its own id or its global id." }) },
    resolve: (query, { id: mailboxId }, { messageId }, { deps }) => {
      const id = readOwnId("MailMessage", messageId, "messageId");
      return deps.db.prisma.mailMessage.findUnique({ ...query, where: { id, mailboxId } });
    },
  }),
  thread: t.prismaField({
    type: MailThreadNode,
    nullable: true,
    description: "One thread; null when there is none of that id.",
    args: { threadId: t.arg.id({ required: true, description: "The thread, by its own id or its global id." }) },
    resolve: (query, { id: mailboxId }, { threadId }, { deps }) => {
      const id = readOwnId("MailThread", threadId, "threadId");
      return deps.db.prisma.mailThread.findUnique({ ...query, where: { id, mailboxId } });
    },
  }),
}));
