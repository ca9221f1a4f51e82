/** Watching a mailbox: what comes, and what becomes of every message. */
import type { MailMessage } from "../../generated/prisma/client.ts";
import { mailChannel } from "../../src/mail/mail-events.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { type Position, type Update, watchRows } from "../resumable-updates.ts";
import { MailMessageNode } from "./messages.ts";

/** A large message may be under way to the disk for so long before it is announced. */
const ARRIVAL_MS = 60_000;
/** One that moved later than this after it came has moved by itself: somebody read it. */
const STILL_NEW_MS = 1_000;

const CURSOR = "Pass it as `after` to go on from here after a lost connection.";
const AFTER = "The cursor of the last event seen; default: from now on.";
// Only those that start with what comes next may share one source: one that resumes sees other events first.
const SHARED = { shared: (args: { after?: string | null }) => args.after === undefined || args.after === null };

const MailUpdateType = builder.objectRef<Update<MailMessage>>("MailUpdate").implement({
  description: "A message that is new or has moved.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { description: CURSOR }),
    message: t.expose("row", { type: MailMessageNode, description: "The message as it now stands." }),
  }),
});

builder.subscriptionField("mailUpdated", (t) =>
  t.field({
    type: MailUpdateType,
    complexity: 5,
    extensions: SHARED,
    description:
      "Every message of the mailbox that comes, is written, or moves: read, sent, failed, bounced. With `after`, first what moved since that event, and perhaps again what moved just before it. What was deleted is not told. A client too slow for the events is ended with an error and may resume.",
    args: { after: t.arg.string({ description: AFTER }) },
    subscribe: (_root, { after }, context) => {
      const accountId = ownAccountIdWithin(context, "email:read");
      const { mailMessage } = context.deps.db.prisma;
      return watchRows<MailMessage>({
        listen: () => context.deps.pubsub.subscribe(mailChannel(accountId)),
        find: (id) => mailMessage.findFirst({ where: { id, accountId } }),
        findSince: ({ updatedAt, id }, take) =>
          mailMessage.findMany({
            where: { accountId, OR: [{ updatedAt: { gt: updatedAt } }, { updatedAt, id: { gt: id } }] },
            orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
            take,
          }),
        after: after ?? null,
      });
    },
    resolve: (update) => update,
  }),
);

/** A message that came. It stands where it came, not where it last moved: whether it is read makes it no newer. */
interface Arrival {
  readonly id: string;
  readonly updatedAt: Date;
  readonly message: MailMessage;
}

const arrivalOf = (message: MailMessage): Arrival => ({ id: message.id, updatedAt: message.createdAt, message });

const MailReceiptType = builder.objectRef<Update<Arrival>>("MailReceipt").implement({
  description: "A message that has come.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { description: CURSOR }),
    message: t.field({
      type: MailMessageNode,
      description: "The message as it now stands.",
      resolve: ({ row }) => row.message,
    }),
  }),
});

builder.subscriptionField("mailReceived", (t) =>
  t.field({
    type: MailReceiptType,
    complexity: 5,
    extensions: SHARED,
    description:
      "Every message that comes to the mailbox, once. With `after`, first what came since that event, and perhaps again what came just before it. A client too slow for the events is ended with an error and may resume.",
    args: { after: t.arg.string({ description: AFTER }) },
    subscribe: (_root, { after }, context) =>
      watchRows<Arrival>(arrivals(context, ownAccountIdWithin(context, "email:read"), after ?? null)),
    resolve: (update) => update,
  }),
);

/** Messages that come, each once, however often it moves afterwards. */
function arrivals({ deps }: Context, accountId: string, after: string | null) {
  const { mailMessage } = deps.db.prisma;
  const startedAtMs = Date.now();
  const told = new Map<string, number>();
  const isArrival = ({ createdAt, updatedAt }: MailMessage) =>
    createdAt.getTime() >= startedAtMs || updatedAt.getTime() - createdAt.getTime() < STILL_NEW_MS;
  const tell = (message: MailMessage): Arrival => {
    const oldestMs = Date.now() - ARRIVAL_MS;
    for (const [id, createdAtMs] of told) {
      // In the order they were told, which is nearly that of their times.
      if (createdAtMs >= oldestMs) break;
      told.delete(id);
    }
    told.set(message.id, message.createdAt.getTime());
    return arrivalOf(message);
  };
  return {
    listen: () => deps.pubsub.subscribe(mailChannel(accountId)),
    async find(id: string): Promise<Arrival | null> {
      if (told.has(id)) return null;
      const createdAt = { gte: new Date(Date.now() - ARRIVAL_MS) };
      const message = await mailMessage.findFirst({ where: { id, accountId, direction: "inbound", createdAt } });
      return message && isArrival(message) ? tell(message) : null;
    },
    async findSince({ updatedAt: createdAt, id }: Position, take: number): Promise<Arrival[]> {
      const rows = await mailMessage.findMany({
        where: {
          accountId,
          direction: "inbound",
          OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }],
        },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take,
      });
      return rows.map(tell);
    },
    after,
  };
}
