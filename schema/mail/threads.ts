import type { Prisma } from "../../generated/prisma/client.ts";
import {
  countUnread,
  MAX_PARTICIPANTS,
  type Participant,
  readLastMessageIds,
  readParticipants,
} from "../../src/mail/reading/thread-summaries.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { orderedBy } from "../list-order.ts";
import { requireScopedAccountId } from "../owner.ts";
import { UPDATES_CURSOR } from "../resumable-updates.ts";
import { createVisibleFinder } from "../visible-finder.ts";
import { MailMessageNode, MailMessageOrder } from "./messages.ts";

const MailParticipant = builder.objectRef<Participant>("MailParticipant").implement({
  description: "The author of messages in a thread.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The author's address, in lower case." }),
    name: t.exposeString("name", {
      description: "The author's name in the From field. Can be forged; may be empty.",
    }),
  }),
});

/** Counts change during a subscription, so results are not cached. */
const loaderOptions = { cache: false } as const;

const messagesOf = createConnectionReader(
  { table: "mail_messages", parentColumn: "thread_id", timeColumn: "created_at", order: "oldest first" },
  ({ deps }, selection: Prisma.MailMessageDefaultArgs, ids) =>
    deps.db.prisma.mailMessage.findMany({ ...selection, where: { id: { in: ids } } }),
  (context, id) => {
    const accountId = requireScopedAccountId(context, "email:read");
    return context.deps.db.prisma.mailMessage.count({ where: { id, accountId } });
  },
);

const THREAD_BY_TIME = orderedBy(MailMessageOrder, "ASC");

export const MailThreadNode = builder.prismaNode("MailThread", {
  id: { field: "id", description: "The thread's global id." },
  findUnique: createVisibleFinder((ids, context) =>
    context.deps.db.prisma.mailThread.findMany({
      select: { id: true },
      where: { id: { in: ids }, mailbox: { accountId: requireScopedAccountId(context, "email:read") } },
    }),
  ),
  nullable: true,
  description: "A thread of messages, by Message-ID, In-Reply-To and References.",
  fields: (t) => ({
    threadId: t.exposeID("id", { description: "The thread's id, `mth_…`, as used by the REST API." }),
    subject: t.exposeString("subject", {
      description: "The subject of the first message, without `Re:`. May be empty.",
    }),
    lastMessageAt: t.expose("lastMessageAt", {
      type: "DateTime",
      description: "Timestamp when the last message was received or created.",
    }),
    messageCount: t.relationCount("messages", { description: "The number of messages." }),
    unreadCount: t.loadable({
      type: "Int",
      description: "The number of unread incoming messages.",
      loaderOptions,
      load: (ids: string[], { deps }: Context) => countUnread(deps, ids),
      resolve: ({ id }) => id,
    }),
    participants: t.loadableList({
      type: MailParticipant,
      description: `The authors of messages, in the order of their first message; at most ${MAX_PARTICIPANTS}.`,
      loaderOptions,
      load: (ids: string[], { deps }: Context) => readParticipants(deps, ids),
      resolve: ({ id }) => id,
    }),
    lastMessage: t.loadable({
      type: MailMessageNode,
      nullable: true,
      description: "The last message.",
      loaderOptions,
      load: async (ids: string[], { deps }: Context) => {
        const lastIds = await readLastMessageIds(deps, ids);
        const rows = await deps.db.prisma.mailMessage.findMany({
          where: { id: { in: lastIds.filter((id) => id !== null) } },
        });
        return lastIds.map((lastId) => rows.find(({ id }) => id === lastId) ?? null);
      },
      resolve: ({ id }) => id,
    }),
    messages: t.connection(
      {
        type: MailMessageNode,
        ...THREAD_BY_TIME.pages,
        description: "The messages, oldest first.",
        args: { orderBy: t.arg(THREAD_BY_TIME.argument) },
        resolve: ({ id }, args, context, info) =>
          resolveConnection(args, context, info, messagesOf(context, id, {}, THREAD_BY_TIME.orderOf(args))),
      },
      {
        name: "MailThreadMessageConnection",
        description: "A page of a thread's messages.",
        fields: (t) => ({ updatesCursor: t.string(UPDATES_CURSOR) }),
      },
      { name: "MailThreadMessageEdge", description: "A message in a thread." },
    ),
  }),
});

lookUpById("mailThread", "MailThread", MailThreadNode, "the thread");

builder.prismaObjectField(MailMessageNode, "thread", (t) =>
  t.relation("thread", { type: MailThreadNode, description: "The message's thread." }),
);
