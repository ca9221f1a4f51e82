import type { Prisma } from "../../generated/prisma/client.ts";
import {
  lastMessageIds,
  type Participant,
  participantsOf,
  unreadCounts,
} from "../../src/mail/reading/thread-summaries.ts";
import { builder } from "../builder.ts";
import { childPages } from "../child-pages.ts";
import type { Context } from "../context.ts";
import { findVisible } from "../find-visible.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { PAGES } from "../paging.ts";
import { MailMessageNode } from "./messages.ts";

const MailParticipant = builder.objectRef<Participant>("MailParticipant").implement({
  description: "Somebody who wrote in a thread.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address, in lower case." }),
    name: t.exposeString("name", { description: "The name the messages give; may be empty, and may be anybody's." }),
  }),
});

/** A thread's figures move while a subscription lasts: each look counts afresh. */
const loaderOptions = { cache: false } as const;

const messagesOf = childPages(
  { table: "mail_messages", parentColumn: "thread_id", timeColumn: "created_at", order: "oldest first" },
  ({ deps }, selection: Prisma.MailMessageDefaultArgs, ids) =>
    deps.db.prisma.mailMessage.findMany({ ...selection, where: { id: { in: ids } } }),
  (context, id) => {
    const accountId = ownAccountIdWithin(context, "email:read");
    return context.deps.db.prisma.mailMessage.count({ where: { id, accountId } });
  },
);

export const MailThreadNode = builder.prismaNode("MailThread", {
  id: { field: "id", description: "The thread's global id." },
  findUnique: findVisible((ids, context) =>
    context.deps.db.prisma.mailThread.findMany({
      select: { id: true },
      where: { id: { in: ids }, mailbox: { accountId: ownAccountIdWithin(context, "email:read") } },
    }),
  ),
  nullable: true,
  description: "Messages that answer each other, by their Message-ID, In-Reply-To and References.",
  fields: (t) => ({
    threadId: t.exposeID("id", { description: "The thread's own id, as REST shows it." }),
    subject: t.exposeString("subject", { description: "The first message's subject, without `Re:`; may be empty." }),
    lastMessageAt: t.expose("lastMessageAt", {
      type: "DateTime",
      description: "When its last message came or was written.",
    }),
    messageCount: t.relationCount("messages", { description: "How many messages it has." }),
    unreadCount: t.loadable({
      type: "Int",
      description: "How many of them came and were not read.",
      loaderOptions,
      load: (ids: string[], { deps }: Context) => unreadCounts(deps, ids),
      resolve: ({ id }) => id,
    }),
    participants: t.loadableList({
      type: MailParticipant,
      description: "Who wrote in it, in the order of their first message.",
      loaderOptions,
      load: (ids: string[], { deps }: Context) => participantsOf(deps, ids),
      resolve: ({ id }) => id,
    }),
    lastMessage: t.loadable({
      type: MailMessageNode,
      nullable: true,
      description: "Its last message.",
      loaderOptions,
      load: async (ids: string[], { deps }: Context) => {
        const lastIds = await lastMessageIds(deps, ids);
        const rows = await deps.db.prisma.mailMessage.findMany({
          where: { id: { in: lastIds.filter((id) => id !== null) } },
        });
        return lastIds.map((lastId) => rows.find(({ id }) => id === lastId) ?? null);
      },
      resolve: ({ id }) => id,
    }),
    messages: t.prismaConnection(
      {
        type: MailMessageNode,
        ...PAGES,
        description: "Its messages, oldest first.",
        resolve: (query, { id }, _args, context) => messagesOf(context, query, id),
      },
      { name: "MailThreadMessageConnection", description: "A page of a thread's messages." },
      { name: "MailThreadMessageEdge", description: "A message in a thread." },
    ),
  }),
});

builder.prismaObjectField(MailMessageNode, "thread", (t) =>
  t.relation("thread", { type: MailThreadNode, description: "The thread that it belongs to." }),
);
