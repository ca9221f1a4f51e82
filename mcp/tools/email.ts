/** Tools of the agent's mailbox. Emails and attachments come from outside. */
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import {
  type EmailSummaryFragment,
  GetAttachmentDocument,
  GetEmailDocument,
  type GetEmailQuery,
  ListEmailsDocument,
  type ListEmailsQuery,
  ReplyToEmailDocument,
  SendEmailDocument,
  type SentEmailFieldsFragment,
} from "../generated/graphql.ts";
import { OFFSET_CURSOR, pageOfConnection, pageOfTextAndItems } from "../pages.ts";
import { PAGE, PURCHASE_KEY, readPage } from "../parameters.ts";
import { endOfText, MAX_PAGE_BYTES, shorten } from "../result-size.ts";
import { defineTool } from "../tool.ts";
import { notFound, requireSuccess, ToolError } from "../tool-error.ts";
import { untrusted, untrustedSchema, untrustedWithin } from "../untrusted.ts";

/** Bytes of an attachment that are read for a result. As base64 they fit a page. */
const PART_BYTES = 12 * 1024;
/** Addresses of a field in a result. */
const MAX_SHOWN_ADDRESSES = 20;
/** Bytes of the members beside text, events and attachments. */
const MAX_HEAD_BYTES = 4_000;
/** Bytes of hidden text in a result. */
const MAX_HIDDEN_BYTES = 4_000;
const MAX_REASON_BYTES = 1_000;
/** Bytes of an email in a list. */
const MAX_SUMMARY_BYTES = 2_000;
/** Limits of the service (`src/mail/outgoing/email-input.ts`). */
const MAX_ADDRESSES = 20;
const MAX_SUBJECT_LENGTH = 500;
const MAX_BODY_BYTES = 256 * 1024;
const ADDRESSES = z.array(z.string().max(320)).max(MAX_ADDRESSES);
const BODY = z.string().max(MAX_BODY_BYTES);
const EMAIL_ID = z.string().max(100).meta({ description: "aem_…" });

const summarise = ({ attachments, ...email }: EmailSummaryFragment) => ({
  id: email.messageId,
  direction: email.direction,
  status: email.status,
  from: email.fromName ? `${email.fromName} <${email.from}>` : email.from,
  to: email.to.slice(0, MAX_SHOWN_ADDRESSES),
  subject: email.subject,
  preview: email.preview,
  is_read: email.isRead,
  created_at: email.createdAt,
  attachments: attachments.length,
});

/** @throws {ToolError} because the account has no mailbox */
function toEmailPage({ viewer }: ListEmailsQuery) {
  const mailbox = viewer?.mailbox;
  if (!mailbox?.messages) {
    const message = "There is no mailbox. The owner registers an agent and creates its mailbox on the dashboard.";
    throw new ToolError({ code: "no_active_agent", message });
  }
  const page = pageOfConnection(mailbox.messages, (email) => shorten(summarise(email), MAX_SUMMARY_BYTES));
  return {
    address: mailbox.address,
    unread: mailbox.unreadCount,
    emails: untrusted(page.items),
    next_cursor: page.next_cursor,
  };
}

export const listEmails = defineTool({
  name: "list_emails",
  title: "List emails",
  description: "Lists the emails of the agent's mailbox, newest first.",
  group: "email",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({
    unread_only: z.boolean().optional(),
    thread_id: z.string().max(100).optional(),
    ...PAGE,
  }),
  output: null,
  document: ListEmailsDocument,
  async call({ unread_only: isUnread, thread_id: threadId, ...page }, { run }) {
    const filter = { ...(isUnread ? { isUnread } : {}), ...(threadId === undefined ? {} : { threadId }) };
    return toEmailPage(await run({ ...readPage(page), filter }));
  },
});

export const searchEmails = defineTool({
  name: "search_emails",
  title: "Search emails",
  description: "Searches subjects, texts and addresses of emails.",
  group: "email",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({ query: z.string().min(1).max(500), ...PAGE }),
  output: null,
  document: ListEmailsDocument,
  call: async ({ query, ...page }, { run }) => toEmailPage(await run({ ...readPage(page), filter: { q: query } })),
});

const toEvent = (event: NonNullable<GetEmailQuery["mailMessage"]>["calendarEvents"][number]) => ({
  ...{ method: event.method, uid: event.uid, sequence: event.sequence, status: event.status },
  ...{ summary: event.summary, description: event.description, location: event.location },
  ...{ organizer: event.organizer, attendees: event.attendees },
  ...{ start: event.startLocal, end: event.endLocal, start_at: event.startAt, end_at: event.endAt },
  ...{ time_zone: event.timeZone, is_all_day: event.isAllDay },
  ...{ recurrence_rule: event.recurrenceRule, recurrence_id: event.recurrenceId },
});

export const getEmail = defineTool({
  name: "get_email",
  title: "Get email",
  description: "Returns an email with the text that a person sees. Does not mark it as read.",
  group: "email",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({
    id: EMAIL_ID,
    include_hidden: z.boolean().optional().meta({ description: "Also the text that a person does not see." }),
    cursor: OFFSET_CURSOR.optional(),
  }),
  output: null,
  document: GetEmailDocument,
  async call({ id, include_hidden: includesHidden, cursor }, { run }) {
    const { mailMessage: email } = await run({ id });
    if (!email) return notFound("Email");
    const files = email.attachments.map(({ attachmentId, filename, contentType, sizeBytes }) => ({
      attachment: { id: attachmentId, filename, content_type: contentType, size_bytes: sizeBytes },
    }));
    const items = [...email.calendarEvents.map((event) => ({ event: toEvent(event) })), ...files];
    const page = pageOfTextAndItems(email.bodyText, items, cursor);
    const { preview: _start, ...summary } = summarise(email);
    const hidden = email.hiddenText?.slice(0, endOfText(email.hiddenText, 0, MAX_HIDDEN_BYTES));
    const head = {
      ...summary,
      cc: email.cc.slice(0, MAX_SHOWN_ADDRESSES),
      recipients: email.to.length + email.cc.length,
    };
    return {
      id: email.messageId,
      thread_id: email.thread.threadId,
      sender: email.authentication?.verdict ?? null,
      automated: email.automated,
      failure_reason: email.failureReason ? untrustedWithin(MAX_REASON_BYTES, email.failureReason) : null,
      warnings: email.warnings,
      email: untrusted({
        ...shorten(head, MAX_HEAD_BYTES - (includesHidden ? MAX_HIDDEN_BYTES / 2 : 0)),
        text: page.text,
        ...(includesHidden ? { hidden_text: hidden ?? null } : {}),
        ...(email.calendarEvents.length === 0
          ? {}
          : { events: page.items.flatMap((item) => ("event" in item ? [item.event] : [])) }),
        attachments: page.items.flatMap((item) => ("attachment" in item ? [item.attachment] : [])),
      }),
      next_cursor: page.next_cursor,
    };
  },
});

export const getAttachment = defineTool({
  name: "get_attachment",
  title: "Get attachment",
  description: "Returns an attachment in parts: text, or base64.",
  group: "email",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({ id: z.string().max(100).meta({ description: "mat_…" }), cursor: OFFSET_CURSOR.optional() }),
  output: null,
  document: GetAttachmentDocument,
  async call({ id, cursor }, { run }) {
    const offset = Number(cursor ?? 0);
    const { mailAttachment: file } = await run({ id, offset, length: PART_BYTES });
    if (!file) return notFound("Attachment");
    const bytes = Buffer.from(file.contentBase64, "base64");
    const text = readText(bytes, offset + bytes.byteLength >= file.sizeBytes);
    const end = offset + (text === null ? bytes.byteLength : Buffer.byteLength(text));
    return {
      id: file.attachmentId,
      size_bytes: file.sizeBytes,
      sha256: file.sha256,
      attachment: untrusted({
        filename: file.filename,
        content_type: file.contentType,
        ...(text === null ? { base64: bytes.toString("base64") } : { text }),
      }),
      next_cursor: end < file.sizeBytes && bytes.byteLength > 0 ? String(end) : null,
    };
  },
});

/** Bytes of a UTF-8 character after its first, at most. */
const CONTINUATION_BYTES = 3;

/** Returns the text that fits a page, without an incomplete character at its end; null if the bytes are no text. */
function readText(bytes: Buffer, isEnd: boolean): string | null {
  for (let cut = 0; cut <= (isEnd ? 0 : CONTINUATION_BYTES); cut++) {
    const whole = bytes.subarray(0, bytes.byteLength - cut);
    if (!isUtf8(whole) || whole.includes(0)) continue;
    const text = whole.toString("utf8");
    return text.slice(0, endOfText(text, 0, MAX_PAGE_BYTES));
  }
  return null;
}

const SENT_OUTPUT = z.object({
  id: z.string(),
  status: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
});

const toSent = ({ messageId: id, status, from, to, cc, subject }: SentEmailFieldsFragment) => ({
  ...{ id, status, from, to, cc, subject },
});

export const sendEmail = defineTool({
  name: "send_email",
  title: "Send email",
  description: "Sends an email as plain text. With an idempotency_key, repeated calls send it once.",
  group: "email",
  effect: "spends",
  affects: "email",
  isIdempotent: false,
  isOpenWorld: true,
  input: z.strictObject({
    to: ADDRESSES.min(1).meta({ description: `At most ${MAX_ADDRESSES} addresses in to and cc together.` }),
    cc: ADDRESSES.optional(),
    subject: z.string().max(MAX_SUBJECT_LENGTH),
    body: BODY,
    attachment_ids: z.array(z.string()).max(50).optional(),
    idempotency_key: PURCHASE_KEY.optional(),
  }),
  output: SENT_OUTPUT,
  document: SendEmailDocument,
  async call({ to, cc, subject, body, attachment_ids: attachmentIds, idempotency_key: key }, { run }) {
    const input = {
      to,
      cc: cc ?? null,
      subject,
      body,
      attachmentIds: attachmentIds ?? null,
      idempotencyKey: key ?? null,
    };
    return toSent(requireSuccess((await run({ input })).sendMail).mailMessage);
  },
});

/** The subject and the recipients of a reply are those of the email. */
const REPLY_OUTPUT = SENT_OUTPUT.pick({ id: true, status: true, from: true }).extend({
  email: untrustedSchema(SENT_OUTPUT.pick({ to: true, cc: true, subject: true })),
});

export const replyToEmail = defineTool({
  name: "reply_to_email",
  title: "Reply to email",
  description: "Replies to an email. With an idempotency_key, repeated calls send one reply.",
  group: "email",
  effect: "spends",
  affects: "email",
  isIdempotent: false,
  isOpenWorld: true,
  input: z.strictObject({
    id: EMAIL_ID,
    body: BODY,
    reply_all: z.boolean().optional(),
    idempotency_key: PURCHASE_KEY.optional(),
  }),
  output: REPLY_OUTPUT,
  document: ReplyToEmailDocument,
  async call({ id: messageId, body, reply_all: replyAll, idempotency_key: key }, { run }) {
    const input = { messageId, body, replyAll: replyAll ?? null, idempotencyKey: key ?? null };
    const { to, cc, subject, ...own } = toSent(requireSuccess((await run({ input })).replyToMail).mailMessage);
    return { ...own, email: untrusted({ to, cc, subject }) };
  },
});
