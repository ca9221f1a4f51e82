/** The recipients of a message, each with the state of its delivery. */
import type { MailMessage } from "../../generated/prisma/client.ts";
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";
import { MailMessageNode } from "./messages.ts";

const MailRecipientKind = wireEnum("MailRecipientKind", "The header field that names a recipient.", {
  to: "The To field.",
  cc: "The Cc field.",
});

const MailRecipientStatus = wireEnum("MailRecipientStatus", "The state of the delivery to one recipient.", {
  queued: "The message waits to be sent. Delivery is retried automatically.",
  sent: "The mail server accepted the message for the recipient.",
  failed: "The message was not sent to the recipient and is not retried. See `failureReason`.",
  bounced: "The message was sent but could not be delivered. See `failureReason`.",
});

interface Recipient {
  readonly address: string;
  readonly kind: "to" | "cc";
  readonly message: MailMessage;
}

const MailRecipient = builder.objectRef<Recipient>("MailRecipient").implement({
  description: "A recipient of a message.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address." }),
    kind: t.expose("kind", { type: MailRecipientKind, description: "Whether the recipient is in To or Cc." }),
    status: t.field({
      type: MailRecipientStatus,
      nullable: true,
      description: "The state of the delivery. Null for received messages.",
      // The mail server accepts or rejects a message for all recipients together.
      resolve: ({ message: { direction, status } }) => (direction === "outbound" ? (status as "sent") : null),
    }),
    failureReason: t.string({
      nullable: true,
      description: "The reason why the message was not delivered to the recipient. Null unless it failed or bounced.",
      resolve: ({ message: { status, failureReason } }) =>
        status === "failed" || status === "bounced" ? failureReason : null,
    }),
  }),
});

builder.objectField(MailMessageNode, "recipients", (t) =>
  t.field({
    type: [MailRecipient],
    description: "The recipients in To and Cc, in the order of the header fields, each with the state of its delivery.",
    resolve: (message) => [
      ...message.toAddresses.map((address): Recipient => ({ address, kind: "to", message })),
      ...message.ccAddresses.map((address): Recipient => ({ address, kind: "cc", message })),
    ],
  }),
);
