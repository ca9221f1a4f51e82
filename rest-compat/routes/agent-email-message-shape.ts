/** A message of an agent's mailbox, as both routes that read it show it (spec section 2.6). */
import { z } from "zod";
import type { InboxMessageFragment } from "../generated/graphql.ts";
import type { Failure } from "../route.ts";

const RESULT =
  "`none`, `pass`, `fail`, `softfail`, `neutral`, `temperror` or `permerror`; null where it was not checked.";

export const MessageShape = z.object({
  id: z.string().meta({ description: "What is replied to." }),
  direction: z.enum(["inbound", "outbound"]),
  status: z
    .enum(["received", "queued", "sent", "failed", "bounced"])
    .meta({ description: "How far it is; `queued` waits to be sent and is tried again by itself." }),
  from: z.string(),
  fromName: z.string().meta({ description: "The sender's name, as the message has it; may be empty." }),
  to: z.string().meta({ description: "The first address it is to; `recipients` has all." }),
  recipients: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  bodyText: z.string(),
  extractedText: z
    .string()
    .meta({ description: "What is new in it: its text without quoted messages and signatures." }),
  bodyHtml: z
    .string()
    .nullable()
    .meta({ description: "Without anything that runs; it may name images elsewhere. Null where it has none." }),
  isRead: z.boolean(),
  threadId: z.string().nullable().meta({ description: "The thread it belongs to. It may change: reply to `id`." }),
  automated: z
    .enum(["auto_reply", "bulk", "bounce"])
    .nullable()
    .meta({ description: "Which machine wrote it; null when a person did, as far as can be told." }),
  authentication: z
    .object({
      verdict: z
        .enum(["authentic", "unproven", "suspicious"])
        .meta({ description: "Whether the sender's domain vouches for it, nothing says, or it is disowned." }),
      spf: z.string().nullable().meta({ description: RESULT }),
      dkim: z.string().nullable().meta({ description: RESULT }),
      dmarc: z.string().nullable().meta({ description: RESULT }),
    })
    .nullable()
    .meta({ description: "What was checked of its sender; null on outbound messages." }),
  attachments: z.array(
    z.object({
      id: z.string().meta({ description: "Download it at `/api/agent/email/attachments/<id>`." }),
      filename: z.string(),
      contentType: z.string(),
      size: z.number().int().meta({ description: "In bytes." }),
    }),
  ),
  failureReason: z.string().nullable().meta({ description: "Why it was not sent or came back." }),
  createdAt: z.iso.datetime(),
});

export function messageOf({
  messageId,
  thread,
  to,
  attachments,
  ...message
}: InboxMessageFragment): z.output<typeof MessageShape> {
  return {
    id: messageId,
    direction: message.direction,
    status: message.status,
    from: message.from,
    fromName: message.fromName,
    to: to[0] ?? "",
    recipients: [...to],
    cc: [...message.cc],
    subject: message.subject,
    bodyText: message.bodyText,
    extractedText: message.extractedText,
    bodyHtml: message.bodyHtml ?? null,
    isRead: message.isRead,
    threadId: thread.threadId,
    automated: message.automated ?? null,
    authentication: authenticationOf(message),
    attachments: attachments.map(({ attachmentId, filename, contentType, sizeBytes }) => ({
      id: attachmentId,
      filename,
      contentType,
      size: sizeBytes,
    })),
    failureReason: message.failureReason ?? null,
    createdAt: String(message.createdAt),
  };
}

function authenticationOf({ authentication }: Pick<InboxMessageFragment, "authentication">) {
  if (!authentication) return null;
  const { verdict, spf = null, dkim = null, dmarc = null } = authentication;
  return { verdict, spf, dkim, dmarc };
}

export const NO_MAILBOX: Failure = {
  __typename: "NotFoundError",
  code: "not_found",
  message: "This account's agent has no mailbox yet. Open one first.",
};

export const MESSAGE_EXAMPLE: z.output<typeof MessageShape> = {
  id: "aem_1795195756000_k3v9Qm2LxT7a",
  direction: "inbound",
  status: "received",
  from: "jane@shop.example",
  fromName: "Jane Doe",
  to: "agent-7@agents.example",
  recipients: ["agent-7@agents.example"],
  cc: [],
  subject: "Re: My order",
  bodyText: "It left today.\n\n> Where is it?",
  extractedText: "It left today.",
  bodyHtml: null,
  isRead: false,
  threadId: "mth_1795195700000_p8Wc3Nn0RzQ1",
  automated: null,
  authentication: { verdict: "authentic", spf: "pass", dkim: "pass", dmarc: "pass" },
  attachments: [
    { id: "mat_1795195756000_t5Yd1Bv6KfJ2", filename: "receipt.pdf", contentType: "application/pdf", size: 18_204 },
  ],
  failureReason: null,
  createdAt: "2026-11-20T17:29:16.000Z",
};
