/** Sending and replying from the agent's mailbox (spec section 4.6). */
import { z } from "zod";
import { AgentEmailReplyDocument, AgentEmailSendDocument, type SentEmailFragment } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";

const text = (description: string) => z.string("must be a string").meta({ description });
const body = text("The plain text; at most 256 KiB.");
const attachmentIds = z.array(z.string("must be a string")).nullish().meta({
  description:
    "IDs of files uploaded to `POST /api/agent/email/attachments`, or of attachments of another message; at most 20 MiB in total.",
});

const SentShape = z.object({
  sent: z.literal(true),
  id: z.string().meta({ description: "ID of the message in the inbox." }),
  messageId: z.string().meta({ description: "The `Message-ID` header." }),
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
  to: "jane@merchant.example",
  cc: [],
  subject: "My order",
};

function toSent({ messageId: id, internetMessageId, from, to, cc, subject }: SentEmailFragment) {
  return { sent: true as const, id, messageId: internetMessageId, from, to: to[0] ?? "", cc: [...cc], subject };
}

const QUEUED =
  "If the mail server is temporarily unavailable, Satchel queues the email and retries for three days. The response is then 502 with `queued` true, and sending the same email again returns the queued one. `queued` false means that the email was rejected permanently.";

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
  summary: "Send an email",
  description: `Sends an email from the agent's mailbox. ${QUEUED}`,
  movesMoney: false,
  announcesLimit: true,
  acceptsIdempotencyKey: true,
  query: z.object({}),
  body: z.object({
    to: text("The email address of the recipient, without a display name.").meta({ format: "email" }),
    subject: text("The subject: one line of at most 500 characters."),
    body,
    cc: z
      .array(z.string("must be a string"))
      .nullish()
      .meta({ description: "Addresses of Cc recipients; at most 20 recipients in total." }),
    attachmentIds,
  }),
  bodyExample: '{"to": "jane@merchant.example", "subject": "My order", "body": "Where is it?"}',
  document: AgentEmailSendDocument,
  variables: ({ body: { to, subject, body: bodyText, cc, attachmentIds: files } }) => ({
    input: { to: [to], cc: cc ?? null, subject, body: bodyText, attachmentIds: files ?? null },
  }),
  fieldNames: { idempotencyKey: "Idempotency-Key" },
  toResponse: ({ sendMail: result }) => (result.__typename === "SendMailSuccess" ? toSent(result.mailMessage) : result),
  success: { description: "The sent email.", schema: SentShape, example: EXAMPLE },
  errors: ERRORS,
});

export const agentEmailReply = defineRoute({
  method: "POST",
  path: "/api/agent/email/reply",
  dialect: "native",
  summary: "Reply to a message",
  description: `Sends a reply in the message's thread, with \`In-Reply-To\` and \`References\`, and marks the message as read. Replying to an automated message requires \`force\`. ${QUEUED}`,
  movesMoney: false,
  announcesLimit: true,
  acceptsIdempotencyKey: true,
  query: z.object({}),
  body: z.object({
    messageId: z
      .string("must be a string")
      .min(1, "is missing")
      .meta({ description: "The `id` of the message in the inbox, `aem_…`; not its `Message-ID`." }),
    body,
    replyAll: z
      .boolean("must be a boolean")
      .nullish()
      .meta({ description: "Whether to include the other recipients of the message." }),
    attachmentIds,
    force: z
      .boolean("must be a boolean")
      .nullish()
      .meta({ description: "Whether to reply even if the message is automated." }),
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
  toResponse: ({ replyToMail: result }) =>
    result.__typename === "ReplyToMailSuccess" ? toSent(result.mailMessage) : result,
  success: { description: "The sent reply.", schema: SentShape, example: EXAMPLE },
  errors: [...ERRORS, "automated_mail"],
});
