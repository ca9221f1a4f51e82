/** The recipients of a message, each with the state of its delivery. */
import type { MailDelivery, MailMessage } from "../../generated/prisma/client.ts";
import type { DeliveryStatus } from "../../src/mail/deliveries/delivery.ts";
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";
import { MailMessageNode } from "./messages.ts";

const MailRecipientKind = wireEnum("MailRecipientKind", "The header field that names a recipient.", {
  to: "The To field.",
  cc: "The Cc field.",
});

type RecipientStatus = Exclude<DeliveryStatus, "accepted"> | "sent";

export const MailRecipientStatus = wireEnum<RecipientStatus>(
  "MailRecipientStatus",
  "The state of the delivery to one recipient.",
  {
    queued: "The message waits to be sent. Delivery is retried automatically.",
    sent: "The mail server accepted the message for the recipient.",
    failed: "The message was not sent to the recipient and is not retried. See `failureReason`.",
    bounced: "The message was sent but could not be delivered. See `failureReason`.",
    deferred: "A mail server refused the message temporarily, and delivery is retried. See `failureReason`.",
    delivered: "The recipient's mail server reported the delivery.",
    complained: "The message was delivered, and the recipient reported it as spam.",
  },
);

interface Recipient {
  readonly address: string;
  readonly kind: "to" | "cc";
  readonly message: MailMessage;
  readonly delivery: MailDelivery | null;
}

export const MailRecipient = builder.objectRef<Recipient>("MailRecipient").implement({
  description: "A recipient of a message.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address." }),
    kind: t.expose("kind", { type: MailRecipientKind, description: "Whether the recipient is in To or Cc." }),
    deliveryId: t.id({
      nullable: true,
      description:
        "The own id of the delivery, as in events. Null for received messages, and for those sent before deliveries were stored.",
      resolve: ({ delivery }) => delivery?.id,
    }),
    status: t.field({
      type: MailRecipientStatus,
      nullable: true,
      description: "The state of the delivery. Null for received messages.",
      resolve: ({ message, delivery }) => (message.direction === "outbound" ? statusOf(message, delivery) : null),
    }),
    failureReason: t.string({
      nullable: true,
      description:
        "The reason why the message was not delivered to the recipient, is delayed or was reported. Null otherwise.",
      resolve: ({ message, delivery }) => {
        if (delivery) return delivery.failureReason;
        return message.status === "failed" || message.status === "bounced" ? message.failureReason : null;
      },
    }),
    attempts: t.int({
      description: "The number of attempts to send the message to the recipient.",
      resolve: ({ delivery }) => delivery?.attempts ?? 0,
    }),
    updatedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the state last changed. Null for received messages.",
      resolve: ({ delivery }) => delivery?.updatedAt,
    }),
  }),
});

/** Returns the delivery's state. Messages from before deliveries were stored have one state for all recipients. */
function statusOf(message: MailMessage, delivery: MailDelivery | null): RecipientStatus {
  if (!delivery) return message.status as RecipientStatus;
  if (delivery.status === "accepted") return "sent";
  // The account was deleted, which ends what was queued.
  if (message.status === "failed") return "failed";
  return delivery.status as RecipientStatus;
}

builder.prismaObjectField(MailMessageNode, "recipients", (t) =>
  t.field({
    type: [MailRecipient],
    description: "The recipients in To and Cc, in the order of the header fields, each with the state of its delivery.",
    select: { deliveries: true },
    resolve: ({ deliveries, ...message }) => {
      const find = (address: string) => deliveries.find((one) => one.address === address) ?? null;
      const toRecipient =
        (kind: "to" | "cc") =>
        (address: string): Recipient => ({
          address,
          kind,
          message: message as MailMessage,
          delivery: find(address),
        });
      return [...message.toAddresses.map(toRecipient("to")), ...message.ccAddresses.map(toRecipient("cc"))];
    },
  }),
);
