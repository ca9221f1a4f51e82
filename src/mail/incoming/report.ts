/**
 * Reports of mail servers and readers about a sent message. Formats: delivery status notifications (RFC 3464), read receipts (RFC 8098),
 * complaints (ARF, RFC 5965), and the texts of Exim and qmail. Everything in them is a claim of their sender.
 */
import { cleanLine } from "./clean-text.ts";
import type { MailReport, ReportedRecipient } from "./incoming-message.ts";

const MAX_REASON_LENGTH = 500;
const MAX_ADDRESS_LENGTH = 320;
const MAX_RECIPIENTS = 50;
const MAX_ORIGINALS = 10;
const MAX_RETURN_PATHS = 5;
/** Bytes read of each part; more than any real report has. */
export const MAX_REPORT_BYTES = 65_536;
const MESSAGE_ID = /^<[^\s<>]{1,500}>/;

/** The decoded parts that reports consist of, each truncated to {@link MAX_REPORT_BYTES}; empty if absent. */
export interface ReportParts {
  /** Content-Type of the message in lower case, with parameters. */
  readonly contentType: string;
  /** Returns a header field of the report by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly isNullSender: boolean;
  readonly text: string;
  /** Content of `message/delivery-status`. */
  readonly deliveryStatus: string;
  /** Content of `message/disposition-notification`. */
  readonly disposition: string;
  /** Content of `message/feedback-report`. */
  readonly feedback: string;
  /** Content of `message/rfc822` or `text/rfc822-headers`: the original or its header. */
  readonly original: string;
}

/** Returns the report in a message; null if it is none. */
export function readReport(parts: ReportParts): MailReport | null {
  const { contentType, deliveryStatus, disposition, feedback } = parts;
  const isReport = (type: string) => contentType.startsWith("multipart/report") && contentType.includes(type);
  if (isReport("feedback-report") || feedback !== "") return readComplaint(parts);
  if (isReport("disposition-notification") || disposition !== "") return readReceipt(parts);
  if (isReport("delivery-status") || deliveryStatus !== "") return readDeliveryStatus(parts);
  return readTextReport(parts);
}

type Fields = readonly (readonly [name: string, value: string])[];

function readDeliveryStatus(parts: ReportParts): MailReport {
  // The first group concerns the message, each further one a recipient (RFC 3464 section 2.1).
  const groups = splitGroups(parts.deliveryStatus).map(parseFields);
  const recipients = groups.flatMap((group) => readRecipient(group) ?? []).slice(0, MAX_RECIPIENTS);
  const has = (action: ReportedRecipient["action"]) => recipients.some((one) => one.action === action);
  const isReceipt = has("delivered") || has("relayed") || has("expanded");
  const kind = has("failed") ? "bounce" : has("delayed") ? "delivery_delay" : isReceipt ? "delivery_receipt" : "bounce";
  return { kind, recipients, ...findOriginal(parts, groups.flat()) };
}

const ACTIONS = ["failed", "delayed", "delivered", "relayed", "expanded"] as const;

function readRecipient(fields: Fields): ReportedRecipient | null {
  const text = find(fields, "action")?.toLowerCase() ?? "";
  const action = ACTIONS.find((one) => text.startsWith(one));
  if (action === undefined) return null;
  const address = find(fields, "original-recipient") ?? find(fields, "final-recipient") ?? "";
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(find(fields, "status") ?? "")?.[0] ?? "";
  const diagnosis = (find(fields, "diagnostic-code") ?? "").replace(/^[\w-]{1,20};\s?/, "");
  return { address: readTypedAddress(address), action, status, reason: describe(diagnosis || status) };
}

function readReceipt(parts: ReportParts): MailReport {
  const fields = parseFields(parts.disposition);
  return { kind: "read_receipt", recipients: [], ...findOriginal(parts, fields) };
}

function readComplaint(parts: ReportParts): MailReport {
  const fields = parseFields(parts.feedback);
  const type = (find(fields, "feedback-type") ?? "").toLowerCase();
  const addresses = fields.filter(([name]) => name === "original-rcpt-to").map(([, value]) => readTypedAddress(value));
  const recipients = (addresses.length > 0 ? addresses : [""]).slice(0, MAX_RECIPIENTS).map(
    (address): ReportedRecipient => ({
      address,
      action: "complained",
      status: "",
      reason: `The recipient reported the email${type === "" ? "" : ` (${cleanLine(type, 40)})`}.`,
    }),
  );
  // `not-spam` retracts a complaint and reports none (RFC 6430).
  return { kind: "complaint", recipients: type === "not-spam" ? [] : recipients, ...findOriginal(parts, fields) };
}

/** Reads the reports of mail servers that send one text part: Exim, qmail and old versions of Exchange. */
function readTextReport(parts: ReportParts): MailReport | null {
  const { header, isNullSender, text } = parts;
  const isQmail = /^hi\. this is the qmail-send program/i.test(text.trimStart());
  const failed = header("x-failed-recipients");
  const isNdr = header("x-ms-exchange-message-is-ndr") !== undefined;
  const isFromServer = /^(?:"?mail delivery|mailer-daemon|postmaster|.*<(?:mailer-daemon|postmaster)@)/i.test(
    header("from") ?? "",
  );
  if (!isQmail && failed === undefined && !isNdr && !(isFromServer && isNullSender)) return null;
  const isDelay = failed === undefined && /\bdelayed\b|\bstill being retried\b/i.test(header("subject") ?? "");
  const named = failed?.split(",") ?? [...text.matchAll(/^<([^\s<>]{3,320})>:$/gm)].map((found) => found[1] ?? "");
  const line = /\b(?:4|5)\d\d[ -#]{1,2}(?:4|5)\.\d{1,3}\.\d{1,3}[^\n]*/.exec(text)?.[0] ?? "";
  const status = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(line)?.[0] ?? "";
  const recipients = (named.length > 0 ? named : [""]).slice(0, MAX_RECIPIENTS).map(
    (address): ReportedRecipient => ({
      address: cleanLine(address, MAX_ADDRESS_LENGTH),
      action: isDelay ? "delayed" : "failed",
      status,
      reason: describe(line),
    }),
  );
  return { kind: isDelay ? "delivery_delay" : "bounce", recipients, ...findOriginal(parts, []) };
}

/** Collects the Message-IDs and return paths of the original from all places in which servers write them. */
function findOriginal({ header, original, text }: ReportParts, reported: Fields) {
  const head = parseFields(original.split(/\r?\n\r?\n/, 1)[0] ?? "");
  const inText = parseFields(
    /^[ \t>]*(?:message-id|x-original-message-id):[^\n]*\n?(?:[ \t]+<[^\n]*)?/im.exec(text)?.[0] ?? "",
  );
  const ids = [
    ...[...head, ...inText].filter(([name]) => name === "message-id").map(([, value]) => value),
    ...[...reported, ...head, ...inText]
      .filter(([name]) => ["original-message-id", "x-original-message-id", "original-envelope-id"].includes(name))
      .map(([, value]) => value),
    ...["x-original-message-id", "original-message-id", "in-reply-to"].map((name) => header(name) ?? ""),
    ...(header("references")?.split(/\s+/) ?? []).slice(-1),
  ];
  const originalIds = [...new Set(ids.flatMap((id) => readMessageId(id) ?? []))].slice(0, MAX_ORIGINALS);
  const returnPaths = [
    ...reported.filter(([name]) => name === "original-mail-from" || name === "original-envelope-id"),
    ...head.filter(([name]) => name === "return-path" || name === "x-envelope-from"),
  ].map(([, value]) => readTypedAddress(value));
  return { originalIds, returnPaths: returnPaths.slice(0, MAX_RETURN_PATHS) };
}

/** Returns the Message-ID in a value. An envelope id (RFC 3461) may contain it without angle brackets. */
function readMessageId(value: string): string | null {
  const text = value.trim();
  const id = MESSAGE_ID.exec(text)?.[0] ?? (/^[^\s<>@]{1,400}@[^\s<>@]{1,200}$/.test(text) ? `<${text}>` : null);
  return id !== null && cleanLine(id, 502) === id ? id : null;
}

/** Returns the address of `rfc822; ada@example.com` or `<ada@example.com>`. */
function readTypedAddress(value: string): string {
  const address = value.replace(/^[\w-]{1,20}\s*;/, "").trim();
  return cleanLine(address.replace(/^<|>$/g, ""), MAX_ADDRESS_LENGTH);
}

function describe(text: string): string {
  return cleanLine(text, MAX_REASON_LENGTH) || "The message was not delivered.";
}

function find(fields: Fields, name: string): string | undefined {
  return fields.find(([one]) => one === name)?.[1];
}

function splitGroups(text: string): string[] {
  return text.slice(0, MAX_REPORT_BYTES).split(/\r?\n[ \t]*\r?\n/);
}

/** Parses header fields. Names are in lower case; folded lines are joined (RFC 5322 section 2.2.3). */
function parseFields(text: string): [name: string, value: string][] {
  const fields: [string, string][] = [];
  for (const line of text.slice(0, MAX_REPORT_BYTES).split(/\r?\n/)) {
    const last = fields.at(-1);
    const colon = line.indexOf(":");
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`.trim();
    else if (colon > 0) fields.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return fields;
}
