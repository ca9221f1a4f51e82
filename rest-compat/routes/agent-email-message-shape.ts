/** The message object of the inbox and message routes (spec section 2.6). */
import { z } from "zod";
import type { InboxMessageFragment } from "../generated/graphql.ts";
import type { Failure } from "../route.ts";

const RESULT = "`none`, `pass`, `fail`, `softfail`, `neutral`, `temperror` or `permerror`; null if not checked.";

export const MessageShape = z.object({
  id: z.string().meta({ description: "ID of the message; pass it as `messageId` of a reply." }),
  direction: z.enum(["inbound", "outbound"]),
  status: z
    .enum(["received", "queued", "sent", "failed", "bounced"])
    .meta({ description: "Delivery status. Satchel retries a `queued` message automatically." }),
  from: z.string(),
  fromName: z.string().meta({ description: "The sender's display name from the message; may be empty." }),
  to: z.string().meta({ description: "The first recipient; `recipients` lists all." }),
  recipients: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  bodyText: z.string(),
  extractedText: z.string().meta({ description: "The new content: text without quoted messages and signatures." }),
  bodyHtml: z
    .string()
    .nullable()
    .meta({ description: "Sanitised HTML; may refer to remote images. Null if the message has no HTML." }),
  isRead: z.boolean(),
  threadId: z.string().nullable().meta({ description: "ID of the thread. It may change: reply to `id` instead." }),
  automated: z
    .enum(["auto_reply", "bulk", "bounce"])
    .nullable()
    .meta({ description: "Kind of automated message; null if it is not recognised as automated." }),
  authentication: z
    .object({
      verdict: z.enum(["authentic", "unproven", "suspicious"]).meta({
        description:
          "`authentic`: the sender's domain authenticated the message. `unproven`: no result. `suspicious`: authentication failed.",
      }),
      spf: z.string().nullable().meta({ description: RESULT }),
      dkim: z.string().nullable().meta({ description: RESULT }),
      dmarc: z.string().nullable().meta({ description: RESULT }),
    })
    .nullable()
    .meta({ description: "Results of sender authentication; null on outbound messages." }),
  attachments: z.array(
    z.object({
      id: z.string().meta({ description: "ID of the attachment. Download: `/api/agent/email/attachments/<id>`." }),
      filename: z.string(),
      contentType: z.string(),
      size: z.number().int().meta({ description: "The size in bytes." }),
    }),
  ),
  failureReason: z.string().nullable().meta({ description: "Reason why the message was not sent or bounced." }),
  createdAt: z.iso.datetime(),
});

export function toMessage({
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
    authentication: toAuthentication(message),
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

function toAuthentication({ authentication }: Pick<InboxMessageFragment, "authentication">) {
  if (!authentication) return null;
  const { verdict, spf = null, dkim = null, dmarc = null } = authentication;
  return { verdict, spf, dkim, dmarc };
}

export const NO_MAILBOX: Failure = {
  __typename: "NotFoundError",
  code: "not_found",
  message: "The account's agent has no mailbox. Create it first.",
};

export const MESSAGE_EXAMPLE: z.output<typeof MessageShape> = {
  id: "aem_1795195756000_k3v9Qm2LxT7a",
  direction: "inbound",
  status: "received",
  from: "jane@merchant.example",
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
