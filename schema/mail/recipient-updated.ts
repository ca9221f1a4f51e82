/** Subscription for the state of the delivery to each recipient of sent messages. */
import type { MailDelivery, MailMessage } from "../../generated/prisma/client.ts";
import { deliveryChannel } from "../../src/mail/mail-events.ts";
import { NotFoundError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId, resolveWithScope } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { MailMessageNode } from "./messages.ts";
import { MailRecipient } from "./recipients.ts";

type Delivery = MailDelivery & { readonly message: MailMessage };

const MailRecipientUpdateType = builder.objectRef<Update<Delivery>>("MailRecipientUpdate").implement({
  description: "A recipient of a sent message whose delivery has a new state.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    recipient: t.field({
      type: MailRecipient,
      description: "The recipient with the current state of the delivery.",
      resolve: ({ row: { message, ...delivery } }) => ({
        address: delivery.address,
        kind: message.toAddresses.includes(delivery.address) ? ("to" as const) : ("cc" as const),
        message,
        delivery,
      }),
    }),
    message: t.field({
      type: MailMessageNode,
      description: "The current message.",
      resolve: ({ row }) => row.message,
    }),
  }),
});

builder.subscriptionField("mailRecipientUpdated", (t) =>
  t.field({
    type: MailRecipientUpdateType,
    ...RESUMABLE,
    description: `Publishes each recipient of a sent message whose delivery has a new state: sent, deferred, delivered, failed, bounced, complained. ${describeResumption()}`,
    args: {
      messageId: t.arg.id({
        description: "The id of the message whose recipients are published. Default: all sent messages.",
        validate: idOf("MailMessage"),
      }),
      after: t.arg.string(AFTER),
    },
    subscribe: async (_root, { messageId, after }, context) => {
      const accountId = requireScopedAccountId(context, "email:read");
      const { mailDelivery, mailMessage } = context.deps.db.prisma;
      if (messageId && (await mailMessage.count({ where: { id: messageId, accountId } })) === 0) {
        throw new NotFoundError("There is no such message.");
      }
      // A new message is published by `mailUpdated`.
      const filter = { accountId, status: { not: "queued" }, ...(messageId ? { messageId } : {}) };
      const include = { message: true };
      return watchRows({
        changeColumn: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(deliveryChannel(accountId)),
        find: (id) => mailDelivery.findFirst({ where: { id, ...filter }, include }),
        findSince: ({ where, ...page }) => mailDelivery.findMany({ where: { ...filter, ...where }, include, ...page }),
        after,
      });
    },
    resolve: resolveWithScope("email:read"),
  }),
);
