/** The data of events about messages. */
import type { MailEventData, MailRecipientData } from "../../src/events/event-data.ts";
import type { CheckResult } from "../../src/mail/incoming/incoming-message.ts";
import { builder } from "../builder.ts";
import {
  MailAuthenticationResult,
  MailAutomation,
  MailDirection,
  MailMessageNode,
  MailStatus,
} from "../mail/messages.ts";
import { MailRecipientStatus } from "../mail/recipients.ts";
import { requireScopedAccountId } from "../owner.ts";
import { toDate, toDateOrNull } from "./event-dates.ts";

const MailEventAuthentication = builder
  .objectRef<{ spf: string | null; dkim: string | null; dmarc: string | null }>("MailEventAuthentication")
  .implement({
    description: "Results of sender authentication. `MailMessage.authentication` has the verdict.",
    fields: (t) => ({
      spf: t.field({
        type: MailAuthenticationResult,
        nullable: true,
        description: "The SPF result. Null if not checked.",
        resolve: ({ spf }) => spf as CheckResult | null,
      }),
      dkim: t.field({
        type: MailAuthenticationResult,
        nullable: true,
        description: "The DKIM result. Null if not checked.",
        resolve: ({ dkim }) => dkim as CheckResult | null,
      }),
      dmarc: t.field({
        type: MailAuthenticationResult,
        nullable: true,
        description: "The DMARC result. Null if not checked.",
        resolve: ({ dmarc }) => dmarc as CheckResult | null,
      }),
    }),
  });

const MailEventRecipient = builder.objectRef<MailRecipientData>("MailEventRecipient").implement({
  description: "A recipient of a sent message, with the state of the delivery when the event occurred.",
  fields: (t) => ({
    deliveryId: t.exposeID("deliveryId", { description: "The own id of the delivery to the recipient." }),
    address: t.exposeString("address", { description: "The address. Empty if the message was deleted." }),
    status: t.expose("status", { type: MailRecipientStatus, description: "The state that the event states." }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description:
        "The reason why the message was not delivered to the recipient, is delayed or was reported. Null otherwise, if the state has changed since, and if the message was deleted.",
    }),
    attempts: t.exposeInt("attempts", { description: "The number of attempts to send the message to the recipient." }),
  }),
});

export const MailEventDataType = builder.objectRef<MailEventData>("MailEventData").implement({
  description: "A received message, or the outcome of a sent one, without its text.",
  fields: (t) => ({
    messageId: t.exposeID("id", { description: "The message's own id." }),
    threadId: t.exposeID("threadId", { description: "The own id of the message's thread." }),
    messageDirection: t.field({
      type: MailDirection,
      description: "Whether the message was received or sent.",
      resolve: ({ direction }) => direction as "inbound",
    }),
    messageStatus: t.field({
      type: MailStatus,
      description: "The status of the message.",
      resolve: ({ status }) => status as "received",
    }),
    from: t.exposeString("from", { description: "The sender's address in the From field. Can be forged." }),
    fromName: t.exposeString("fromName", {
      description: "The sender's name in the From field. Can be forged; may be empty.",
    }),
    to: t.exposeStringList("to", { description: "The addresses in the To field." }),
    cc: t.exposeStringList("cc", { description: "The addresses in the Cc field." }),
    subject: t.exposeString("subject", { description: "The subject. May be empty." }),
    isDeleted: t.boolean({
      description: "Whether the message was deleted. Subject and addresses are then empty.",
      resolve: ({ isDeleted = false }) => isDeleted,
    }),
    automated: t.field({
      type: MailAutomation,
      nullable: true,
      description: "The kind of automated message. Null for sent messages, and if it does not appear to be automated.",
      resolve: (message) => ("automated" in message ? (message.automated as "bulk" | null) : null),
    }),
    authentication: t.field({
      type: MailEventAuthentication,
      nullable: true,
      description: "Results of sender authentication. Null for sent messages.",
      resolve: (message) => ("authentication" in message ? message.authentication : null),
    }),
    sizeBytes: t.exposeInt("sizeBytes", { description: "The size as received or sent, in bytes." }),
    failureReason: t.string({
      nullable: true,
      description: "The reason why the message was not sent or bounced. Null otherwise.",
      resolve: (message) => ("failureReason" in message ? message.failureReason : null),
    }),
    recipient: t.field({
      type: MailEventRecipient,
      nullable: true,
      description: "The recipient whose delivery has a new state. Null for events of the whole message.",
      resolve: (message) => ("recipient" in message ? message.recipient : null),
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "Timestamp when the message was received or created.",
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    sentAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the mail server accepted the message. Null for received messages and before that.",
      resolve: (message) => ("sentAt" in message ? toDateOrNull(message.sentAt) : null),
    }),
    message: t.prismaField({
      type: MailMessageNode,
      nullable: true,
      description: "The message with its text. Null if it was deleted.",
      resolve: (query, { id }, _args, context) =>
        context.deps.db.prisma.mailMessage.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "email:read") },
        }),
    }),
  }),
});
