/** Letters and answers from the agent's mailbox (spec section 4.6). */
import { z } from "zod";
import { AgentEmailReplyDocument, AgentEmailSendDocument, type SentLetterFragment } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";

const text = (description: string) => z.string("must be a string").meta({ description });
const body = text("Its text, plain; at most 256 KiB.");
const attachmentIds = z.array(z.string("must be a string")).nullish().meta({
  description: "Files uploaded by `POST /api/agent/email/attachments`, or of another message; 20 MiB together.",
});

const SentShape = z.object({
  sent: z.literal(true),
  id: z.string().meta({ description: "The message in the inbox: what is replied to." }),
  messageId: z.string().meta({ description: "Its `Message-ID`." }),
  from: z.string(),
  to: z.string(),
  cc: z.array(z.string()),
  subject: z.string(),
});

const EXAMPLE: z.output<typeof SentShape> = {
  sent: true,
  id: "aem_1795195756000_k3v9Qm2LxT7a",
  messageId: "<8d1f6c2b9a40e7735cd1@agents.example>",
  from: "agent-7@agents.example",
  to: "jane@shop.example",
  cc: [],
  subject: "My order",
};

function sentOf({ messageId: id, internetMessageId, from, to, cc, subject }: SentLetterFragment) {
  return { sent: true as const, id, messageId: internetMessageId, from, to: to[0] ?? "", cc: [...cc], subject };
}

const QUEUED =
  "A letter that the mail server does not take now is kept and tried again for three days: the answer is 502 with `queued` true, and the same letter asked for meanwhile is that one. With `queued` false it was refused for good.";

const ERRORS = [
  "forbidden",
  "not_found",
  "no_active_agent",
  "rate_limited",
  "mail_failed",
  "mail_not_configured",
  "idempotency_key_reused",
  "idempotency_in_flight",
] as const;

export const agentEmailSend = defineRoute({
  method: "POST",
  path: "/api/agent/email/send",
  dialect: "native",
  summary: "Send a letter",
  description: `From the agent's mailbox. ${QUEUED}`,
  scope: "email:read",
  movesMoney: false,
  announcesLimit: true,
  takesIdempotencyKey: true,
  query: z.object({}),
  body: z.object({
    to: text("Whom it is to: one bare address.").meta({ format: "email" }),
    subject: text("Its subject: at most 500 characters on one line."),
    body,
    cc: z
      .array(z.string("must be a string"))
      .nullish()
      .meta({ description: "Whom it is copied to; at most 20 recipients together." }),
    attachmentIds,
  }),
  bodyExample: '{"to": "jane@shop.example", "subject": "My order", "body": "Where is it?"}',
  document: AgentEmailSendDocument,
  variables: ({ body: { to, subject, body: bodyText, cc, attachmentIds: files } }) => ({
    input: { to: [to], cc: cc ?? null, subject, body: bodyText, attachmentIds: files ?? null },
  }),
  fieldNames: { idempotencyKey: "Idempotency-Key" },
  answer: ({ sendMail: result }) => (result.__typename === "SendMailSuccess" ? sentOf(result.mailMessage) : result),
  success: { description: "The letter as it left.", schema: SentShape, example: EXAMPLE },
  errors: ERRORS,
});

export const agentEmailReply = defineRoute({
  method: "POST",
  path: "/api/agent/email/reply",
  dialect: "native",
  summary: "Answer a message",
  description: `In its thread, with \`In-Reply-To\` and \`References\`; the message is marked read. What a machine wrote is answered with \`force\` only. ${QUEUED}`,
  scope: "email:read",
  movesMoney: false,
  announcesLimit: true,
  takesIdempotencyKey: true,
  query: z.object({}),
  body: z.object({
    messageId: z
      .string("must be a string")
      .min(1, "is missing")
      .meta({ description: "The message's `id` in the inbox, `aem_…`; not its `Message-ID`." }),
    body,
    replyAll: z
      .boolean("must be a boolean")
      .nullish()
      .meta({ description: "Whether to write to its other recipients." }),
    attachmentIds,
    force: z.boolean("must be a boolean").nullish().meta({ description: "Answers what a machine wrote, too." }),
  }),
  bodyExample: '{"messageId": "aem_1795195756000_k3v9Qm2LxT7a", "body": "Thank you."}',
  document: AgentEmailReplyDocument,
  variables: ({ body: { messageId, body: bodyText, replyAll, attachmentIds: files, force } }) => ({
    input: {
      messageId,
      body: bodyText,
      replyAll: replyAll ?? null,
      attachmentIds: files ?? null,
      force: force ?? null,
    },
  }),
  fieldNames: { idempotencyKey: "Idempotency-Key" },
  answer: ({ replyToMail: result }) =>
    result.__typename === "ReplyToMailSuccess" ? sentOf(result.mailMessage) : result,
  success: { description: "The answer as it left.", schema: SentShape, example: EXAMPLE },
  errors: [...ERRORS, "automated_mail"],
});
