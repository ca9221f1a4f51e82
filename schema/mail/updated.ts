/** Watching a mailbox: what comes, and what becomes of every message. */
import type { MailMessage } from "../../generated/prisma/client.ts";
import { mailChannel } from "../../src/mail/mail-events.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { AFTER, CURSOR, RESUMABLE, resuming, type Update, type Watched, watchRows } from "../resumable-updates.ts";
import { MailMessageNode } from "./messages.ts";

/** A large message may be under way to the disk for so long before it is announced. */
const ARRIVAL_MS = 60_000;
/** One that moved later than this after it came has moved by itself: somebody read it. */
const STILL_NEW_MS = 1_000;

const MailUpdateType = builder.objectRef<Update<MailMessage>>("MailUpdate").implement({
  description: "A message that is new or has moved.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    message: t.expose("row", { type: MailMessageNode, description: "The message as it now stands." }),
  }),
});

builder.subscriptionField("mailUpdated", (t) =>
  t.field({
    type: MailUpdateType,
    ...RESUMABLE,
    description: `Every message of the mailbox that comes, is written, or moves: read, sent, failed, bounced. What was deleted is not told. ${resuming()}`,
    args: { after: t.arg.string(AFTER) },
    subscribe: (_root, { after }, context) => {
      const accountId = ownAccountIdWithin(context, "email:read");
      const { mailMessage } = context.deps.db.prisma;
      return watchRows({
        movedAt: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(mailChannel(accountId)),
        find: (id) => mailMessage.findFirst({ where: { id, accountId } }),
        findSince: ({ where, ...page }) => mailMessage.findMany({ where: { accountId, ...where }, ...page }),
        after,
      });
    },
    resolve: (update) => update,
  }),
);

const MailReceiptType = builder.objectRef<Update<MailMessage>>("MailReceipt").implement({
  description: "A message that has come.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    message: t.expose("row", { type: MailMessageNode, description: "The message as it now stands." }),
  }),
});

builder.subscriptionField("mailReceived", (t) =>
  t.field({
    type: MailReceiptType,
    ...RESUMABLE,
    description: `Every message that comes to the mailbox, once. ${resuming("came")}`,
    args: { after: t.arg.string(AFTER) },
    subscribe: (_root, { after }, context) =>
      watchRows({ ...arrivals(context, ownAccountIdWithin(context, "email:read")), after }),
    resolve: (update) => update,
  }),
);

/** Messages that come, each once, however often it moves afterwards. */
function arrivals({ deps }: Context, accountId: string): Omit<Watched<MailMessage, "createdAt">, "after"> {
  const { mailMessage } = deps.db.prisma;
  const startedAtMs = Date.now();
  const told = new Map<string, number>();
  const isArrival = ({ createdAt, updatedAt }: MailMessage) =>
    createdAt.getTime() >= startedAtMs || updatedAt.getTime() - createdAt.getTime() < STILL_NEW_MS;
  const tell = (message: MailMessage): MailMessage => {
    const oldestMs = Date.now() - ARRIVAL_MS;
    for (const [id, createdAtMs] of told) {
      // In the order they were told, which is nearly that of their times.
      if (createdAtMs >= oldestMs) break;
      told.delete(id);
    }
    told.set(message.id, message.createdAt.getTime());
    return message;
  };
  return {
    // It stands where it came, not where it last moved: whether it is read makes it no newer.
    movedAt: "createdAt",
    listen: () => deps.pubsub.subscribe(mailChannel(accountId)),
    async find(id) {
      if (told.has(id)) return null;
      const createdAt = { gte: new Date(Date.now() - ARRIVAL_MS) };
      const message = await mailMessage.findFirst({ where: { id, accountId, direction: "inbound", createdAt } });
      return message && isArrival(message) ? tell(message) : null;
    },
    async findSince({ where, ...page }) {
      return (await mailMessage.findMany({ where: { accountId, direction: "inbound", ...where }, ...page })).map(tell);
    },
  };
}
