import type { MailMessage } from "../../generated/prisma/client.ts";
import { replyToMail } from "../../src/mail/outgoing/reply-to-mail.ts";
import { sendMail } from "../../src/mail/outgoing/send-mail.ts";
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { announcingLimits } from "../rate-limit-headers.ts";
import { StorableText, StorableTexts } from "../text.ts";
import { MailMessageNode } from "./messages.ts";
import { REPLY_ERRORS, SENDING_ERRORS } from "./sending-errors.ts";

/** The fields of a letter: the same for one that is sent and for a draft. */
export const LETTER_FIELDS = {
  to: { validate: StorableTexts, description: "Whom it is to: bare addresses; at most 20 with `cc`." },
  cc: { validate: StorableTexts, description: "Whom it is copied to." },
  subject: { validate: StorableText, description: "Its subject: at most 500 characters on one line." },
  body: { validate: StorableText, description: "Its text, plain; at most 256 KiB." },
  attachmentIds: {
    validate: StorableTexts,
    description:
      "Its files, by their own ids: uploaded by `POST /api/agent/email/attachments`, or those of another message; 20 MiB at most together.",
  },
} as const;

const SendMailInput = builder.inputType("SendMailInput", {
  description: "A letter.",
  fields: (t) => ({
    to: t.stringList({ required: true, ...LETTER_FIELDS.to }),
    cc: t.stringList(LETTER_FIELDS.cc),
    subject: t.string({ required: true, ...LETTER_FIELDS.subject }),
    body: t.string({ required: true, ...LETTER_FIELDS.body }),
    attachmentIds: t.idList(LETTER_FIELDS.attachmentIds),
    draftId: t.id({ validate: StorableText, description: "The draft it was, by its own id: it goes with the letter." }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const SendMailSuccess = builder.objectRef<{ mailMessage: MailMessage }>("SendMailSuccess").implement({
  description: "The mail server took the letter.",
  fields: (t) => ({
    mailMessage: t.expose("mailMessage", { type: MailMessageNode, description: "The letter as it left." }),
  }),
});

const ONCE =
  "A letter that the mail server does not take now is kept and tried again for three days (`MailNotSentError.isQueued`); the same letter asked for meanwhile is that one, never a second.";

builder.mutationField("sendMail", (t) =>
  t.field({
    type: SendMailSuccess,
    complexity: 50,
    description: `Sends a letter from the agent's mailbox. ${ONCE}`,
    errors: {
      types: SENDING_ERRORS,
      union: { name: "SendMailResult", description: "The letter, or why it was not sent." },
    },
    args: { input: t.arg({ type: SendMailInput, required: true, description: "The letter." }) },
    resolve: async (_root, { input }, context) => ({
      mailMessage: await sendMail(announcingLimits(context), context.viewer, {
        to: input.to,
        cc: input.cc ?? [],
        subject: input.subject,
        body: input.body,
        attachmentIds: (input.attachmentIds ?? []).map(String),
        draftId: input.draftId ?? null,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
    }),
  }),
);

const ReplyToMailInput = builder.inputType("ReplyToMailInput", {
  description: "An answer to a message.",
  fields: (t) => ({
    messageId: t.id({ required: true, validate: StorableText, description: "The message's own id, `aem_…`." }),
    body: t.string({ required: true, ...LETTER_FIELDS.body }),
    replyAll: t.boolean({ description: "Whether to write to its other recipients as well; default no." }),
    attachmentIds: t.idList(LETTER_FIELDS.attachmentIds),
    force: t.boolean({ description: "Answers a message that a machine wrote, too; default no." }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const ReplyToMailSuccess = builder.objectRef<{ mailMessage: MailMessage }>("ReplyToMailSuccess").implement({
  description: "The mail server took the answer.",
  fields: (t) => ({
    mailMessage: t.expose("mailMessage", { type: MailMessageNode, description: "The answer as it left." }),
  }),
});

builder.mutationField("replyToMail", (t) =>
  t.field({
    type: ReplyToMailSuccess,
    complexity: 50,
    description: `Answers a message in its thread, and marks it read. ${ONCE}`,
    errors: {
      types: REPLY_ERRORS,
      union: { name: "ReplyToMailResult", description: "The answer, or why it was not sent." },
    },
    args: { input: t.arg({ type: ReplyToMailInput, required: true, description: "The answer." }) },
    resolve: async (_root, { input }, context) => ({
      mailMessage: await replyToMail(announcingLimits(context), context.viewer, {
        messageId: input.messageId,
        body: input.body,
        replyAll: input.replyAll ?? false,
        attachmentIds: (input.attachmentIds ?? []).map(String),
        force: input.force ?? false,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
    }),
  }),
);
