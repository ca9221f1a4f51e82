import { z } from "zod";
import type { MailMessage } from "../../generated/prisma/client.ts";
import { replyToMail } from "../../src/mail/outgoing/reply-to-mail.ts";
import { sendMail } from "../../src/mail/outgoing/send-mail.ts";
import { builder } from "../builder.ts";
import { idOf, idOrTextOf } from "../global-id.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { withRateLimitHeaders } from "../rate-limit-headers.ts";
import { StorableText, StorableTexts } from "../text.ts";
import { addMailboxField } from "./mailbox-field.ts";
import { MailMessageNode } from "./messages.ts";
import { REPLY_ERRORS, SENDING_ERRORS } from "./sending-errors.ts";

/** Input fields that emails and drafts share. */
export const EMAIL_FIELDS = {
  to: {
    validate: StorableTexts,
    description: "The recipients' addresses, without display names. At most 20 together with `cc`.",
  },
  cc: { validate: StorableTexts, description: "The addresses of copy recipients, without display names." },
  subject: { validate: StorableText, description: "The subject: one line of at most 500 characters." },
  body: { validate: StorableText, description: "The plain text body. At most 256 KiB." },
} as const;

export const ATTACHMENT_IDS = {
  description:
    "Ids of attachments, from `POST /api/agent/email/attachments` or from another message. At most 50, and 20 MiB in total.",
};

/** Validation of `ATTACHMENT_IDS`. */
export const AttachmentIds = z.array(idOrTextOf("MailAttachment")).nullish();

const SendMailInput = builder.inputType("SendMailInput", {
  description: "Input of `sendMail`.",
  fields: (t) => ({
    to: t.stringList({ required: true, ...EMAIL_FIELDS.to }),
    cc: t.stringList(EMAIL_FIELDS.cc),
    subject: t.string({ required: true, ...EMAIL_FIELDS.subject }),
    body: t.string({ required: true, ...EMAIL_FIELDS.body }),
    attachmentIds: t.idList({ ...ATTACHMENT_IDS, validate: AttachmentIds }),
    draftId: t.id({
      description: "The id of a draft to delete when the email is stored.",
      validate: idOf("MailDraft"),
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const SendMailSuccess = builder.objectRef<{ mailMessage: MailMessage }>("SendMailSuccess").implement({
  description: "The mail server accepted the email.",
  fields: (t) => ({
    mailMessage: t.expose("mailMessage", { type: MailMessageNode, description: "The sent message." }),
  }),
});

addMailboxField(SendMailSuccess);

const RETRIES =
  "After a temporary failure, delivery is retried for up to three days (`MailNotSentError.isQueued`). An identical email sent while the first is queued does not create a second one.";

builder.mutationField("sendMail", (t) =>
  t.field({
    type: SendMailSuccess,
    complexity: 50,
    description: `Sends an email from the agent's mailbox. ${RETRIES}`,
    errors: {
      types: SENDING_ERRORS,
      union: { name: "SendMailResult", description: "The sent message, or an error." },
    },
    args: { input: t.arg({ type: SendMailInput, required: true, description: "The email to send." }) },
    resolve: async (_root, { input }, context) => ({
      mailMessage: await sendMail(withRateLimitHeaders(context), context.viewer, {
        to: input.to,
        cc: input.cc ?? [],
        subject: input.subject,
        body: input.body,
        attachmentIds: input.attachmentIds ?? [],
        draftId: input.draftId ?? null,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
    }),
  }),
);

const ReplyToMailInput = builder.inputType("ReplyToMailInput", {
  description: "Input of `replyToMail`.",
  fields: (t) => ({
    messageId: t.id({
      required: true,
      description: "The id of the message to reply to.",
      validate: idOrTextOf("MailMessage"),
    }),
    body: t.string({ required: true, ...EMAIL_FIELDS.body }),
    replyAll: t.boolean({ description: "Whether to include the message's other recipients. Default: false." }),
    attachmentIds: t.idList({ ...ATTACHMENT_IDS, validate: AttachmentIds }),
    force: t.boolean({ description: "Whether to reply even if the message is automated. Default: false." }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const ReplyToMailSuccess = builder.objectRef<{ mailMessage: MailMessage }>("ReplyToMailSuccess").implement({
  description: "The mail server accepted the reply.",
  fields: (t) => ({
    mailMessage: t.expose("mailMessage", { type: MailMessageNode, description: "The sent reply." }),
  }),
});

addMailboxField(ReplyToMailSuccess);

builder.mutationField("replyToMail", (t) =>
  t.field({
    type: ReplyToMailSuccess,
    complexity: 50,
    description: `Replies to a message in its thread and marks the message as read. ${RETRIES}`,
    errors: {
      types: REPLY_ERRORS,
      union: { name: "ReplyToMailResult", description: "The sent reply, or an error." },
    },
    args: { input: t.arg({ type: ReplyToMailInput, required: true, description: "The reply to send." }) },
    resolve: async (_root, { input }, context) => ({
      mailMessage: await replyToMail(withRateLimitHeaders(context), context.viewer, {
        messageId: input.messageId,
        body: input.body,
        replyAll: input.replyAll ?? false,
        attachmentIds: input.attachmentIds ?? [],
        force: input.force ?? false,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
    }),
  }),
);
