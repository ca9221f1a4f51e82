/** Subscriptions for received messages and for changes of messages. */
import type { MailMessage } from "../../generated/prisma/client.ts";
import { mailChannel } from "../../src/mail/mail-events.ts";
import { NotFoundError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId, resolveWithScope } from "../owner.ts";
import {
  AFTER,
  CURSOR,
  describeResumption,
  RESUMABLE,
  type RowSubscription,
  type Update,
  watchRows,
} from "../resumable-updates.ts";
import { MailDirection, MailMessageNode } from "./messages.ts";

/** The longest time between a message's `createdAt` and its publication: storing a large one lasts that long. */
const MAX_STORE_MS = 60_000;
/** A message updated later than this after its creation was changed, for example marked as read. It is not a new arrival. */
const MAX_ARRIVAL_UPDATE_MS = 1_000;

const MailUpdateType = builder.objectRef<Update<MailMessage>>("MailUpdate").implement({
  description: "A message that is new or has changed.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    message: t.expose("row", { type: MailMessageNode, description: "The current message." }),
  }),
});

builder.subscriptionField("mailUpdated", (t) =>
  t.field({
    type: MailUpdateType,
    ...RESUMABLE,
    description: `Publishes every new message of the mailbox and every change: read, sent, failed, bounced. Deletions are not published. ${describeResumption()}`,
    args: {
      threadId: t.arg.id({
        description: "The id of the thread whose messages are published. Default: all threads.",
        validate: idOf("MailThread"),
      }),
      directions: t.arg({ type: [MailDirection], description: "The directions of the messages. Default: both." }),
      after: t.arg.string(AFTER),
    },
    subscribe: async (_root, { threadId, directions, after }, context) => {
      const accountId = requireScopedAccountId(context, "email:read");
      const { mailMessage, mailThread } = context.deps.db.prisma;
      if (threadId && (await mailThread.count({ where: { id: threadId, mailbox: { accountId } } })) === 0) {
        throw new NotFoundError("There is no such thread.");
      }
      const filter = {
        accountId,
        ...(threadId ? { threadId } : {}),
        ...(directions?.length ? { direction: { in: directions } } : {}),
      };
      return watchRows({
        changeColumn: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(mailChannel(accountId)),
        find: (id) => mailMessage.findFirst({ where: { id, ...filter } }),
        findSince: ({ where, ...page }) => mailMessage.findMany({ where: { ...filter, ...where }, ...page }),
        after,
      });
    },
    resolve: resolveWithScope("email:read"),
  }),
);

const MailReceiptType = builder.objectRef<Update<MailMessage>>("MailReceipt").implement({
  description: "A received message.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    message: t.expose("row", { type: MailMessageNode, description: "The current message." }),
  }),
});

builder.subscriptionField("mailReceived", (t) =>
  t.field({
    type: MailReceiptType,
    ...RESUMABLE,
    description: `Publishes every received message of the mailbox once. ${describeResumption("came")}`,
    args: { after: t.arg.string(AFTER) },
    subscribe: (_root, { after }, context) =>
      watchRows({ ...receivedMessages(context, requireScopedAccountId(context, "email:read")), after }),
    resolve: resolveWithScope("email:read"),
  }),
);

/** Returns a source of received messages, each published once regardless of later changes. */
function receivedMessages(
  { deps }: Context,
  accountId: string,
): Omit<RowSubscription<MailMessage, "createdAt">, "after"> {
  const { mailMessage } = deps.db.prisma;
  const startedAtMs = Date.now();
  const publishedAt = new Map<string, number>();
  const isArrival = ({ createdAt, updatedAt }: MailMessage) =>
    createdAt.getTime() >= startedAtMs || updatedAt.getTime() - createdAt.getTime() < MAX_ARRIVAL_UPDATE_MS;
  const recordPublished = (message: MailMessage): MailMessage => {
    const oldestMs = Date.now() - MAX_STORE_MS;
    for (const [id, createdAtMs] of publishedAt) {
      // Insertion order, which is nearly the order of creation.
      if (createdAtMs >= oldestMs) break;
      publishedAt.delete(id);
    }
    publishedAt.set(message.id, message.createdAt.getTime());
    return message;
  };
  return {
    // Ordered by creation, because marking a message as read does not make it newer.
    changeColumn: "createdAt",
    listen: () => deps.pubsub.subscribe(mailChannel(accountId)),
    async find(id) {
      if (publishedAt.has(id)) return null;
      const createdAt = { gte: new Date(Date.now() - MAX_STORE_MS) };
      const message = await mailMessage.findFirst({ where: { id, accountId, direction: "inbound", createdAt } });
      return message && isArrival(message) ? recordPublished(message) : null;
    },
    async findSince({ where, ...page }) {
      return (await mailMessage.findMany({ where: { accountId, direction: "inbound", ...where }, ...page })).map(
        recordPublished,
      );
    },
  };
}
