/** Streaming MIME parser (RFC 2045 to 2049) that writes attachments to files and decodes text. Runs in a worker thread. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AddressObject, AttachmentStream, EmailAddress, Headers, MailParser, MessageText } from "mailparser";
import mime from "mime";
import addressparser from "nodemailer/lib/addressparser";
import { classifyAutomated, type HeaderReader } from "./automated.ts";
import { decodeText } from "./charset/decode-text.ts";
import { cleanFilename, cleanLine } from "./clean-text.ts";
import type { IncomingMessage, MailAddress, MailReport, SpooledAttachment } from "./incoming-message.ts";
import { readContent } from "./message-text.ts";
import { type CalendarEvent, MAX_CALENDAR_BYTES, MAX_EVENTS, readCalendar } from "./parts/calendar.ts";
import { readMediaType } from "./parts/content-type.ts";
import { PartParser } from "./parts/part-parser.ts";
import type { EncodedFile } from "./parts/uuencode.ts";
import { MAX_REPORT_BYTES, readReport } from "./report.ts";

/** A message with more attachments is stored unparsed. */
export const MAX_ATTACHMENTS = 300;
const MAX_SUBJECT_LENGTH = 1_000;
const MAX_NAME_LENGTH = 300;
const MAX_ADDRESS_LENGTH = 320;
/** Message-IDs are indexed; longer ones are treated as absent. */
const MAX_MESSAGE_ID_BYTES = 500;
const MAX_ADDRESSES = 200;
const MAX_REFERENCES = 100;
const MAX_AUTHORS = 10;
/** A reply goes to all of them. */
const MAX_REPLY_TO = 10;
const MAX_FIELD_LENGTH = 10_000;
const ONE_ADDRESS = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/u;
const MESSAGE_ID = /<[^\s<>]+>/g;

type HeaderLines = readonly { readonly key: string; readonly line: string }[];

/** The message exceeds a limit of the parser. */
export class UnreadableMessageError extends Error {}

/**
 * Parses the message in the file `path`.
 * @param folder created for the attachments, if there are any
 * @throws {UnreadableMessageError} and errors of the MIME parser
 */
export async function parseMessage(path: string, folder: string, envelopeFrom: string): Promise<IncomingMessage> {
  const parser = new PartParser({
    // These conversions happen below, with limits.
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepDeliveryStatus: true,
    // An embedded message is an attachment: its text has another author.
    ignoreEmbedded: true,
    checksumAlgo: "sha256",
  } as ConstructorParameters<typeof MailParser>[0]);
  let headers: Headers = new Map();
  parser.on("headers", (found) => {
    headers = found;
  });
  let lines: HeaderLines = [];
  parser.on("headerLines", (found) => {
    lines = found;
  });
  const source = createReadStream(path);
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  const attachments: SpooledAttachment[] = [];
  const openPath = async () => {
    if (attachments.length >= MAX_ATTACHMENTS)
      throw new UnreadableMessageError(`The message has more than ${MAX_ATTACHMENTS} attachments.`);
    if (attachments.length === 0) await mkdir(folder);
    return join(folder, `part-${attachments.length}`);
  };
  let content: MessageText | null = null;
  const events: CalendarEvent[] = [];
  for await (const part of parser as AsyncIterable<AttachmentStream | MessageText>) {
    if (part.type === "text") {
      content = part;
      continue;
    }
    const attachment = await spoolAttachment(part, await openPath(), attachments.length + 1);
    attachments.push(attachment);
    if (isCalendar(attachment) && events.length < MAX_EVENTS) events.push(...(await readEvents(attachment, part)));
  }
  for (const file of parser.encodedFiles)
    attachments.push(await spoolEncodedFile(file, await openPath(), attachments.length + 1));
  return await toMessage(headers, lines, content, attachments, removeDuplicates(events), envelopeFrom);
}

function isCalendar({ contentType, filename, sizeBytes }: SpooledAttachment): boolean {
  const isNamed = contentType === "application/octet-stream" && /\.ics$/i.test(filename);
  return (
    sizeBytes <= MAX_CALENDAR_BYTES && (isNamed || /^(?:text\/(?:x-v)?calendar|application\/ics)$/.test(contentType))
  );
}

async function readEvents({ path }: SpooledAttachment, { headers }: AttachmentStream): Promise<CalendarEvent[]> {
  const field = headers.get("content-type") as { readonly params?: Record<string, string> } | undefined;
  const bytes = await readFile(path);
  const label = field?.params?.["charset"] ?? null;
  return readCalendar(decodeText(bytes, { label }), field?.params?.["method"] ?? null);
}

/** Invitations contain their calendar twice: as a part of the text, and as a file. */
function removeDuplicates(events: readonly CalendarEvent[]): CalendarEvent[] {
  const keyOf = ({ uid, sequence, recurrenceId, method, start }: CalendarEvent) =>
    JSON.stringify([uid, sequence, recurrenceId, method, start]);
  return [...new Map(events.toReversed().map((event) => [keyOf(event), event])).values()]
    .toReversed()
    .slice(0, MAX_EVENTS);
}

async function spoolAttachment(part: AttachmentStream, path: string, position: number): Promise<SpooledAttachment> {
  await pipeline(part.content as Readable, createWriteStream(path, { flags: "wx" }));
  part.release();
  const contentType = readMediaType(part.contentType || "application/octet-stream");
  return {
    path,
    filename: nameAttachment(typeof part.filename === "string" ? part.filename : "", contentType, position),
    contentType,
    sizeBytes: part.size,
    sha256: part.checksum,
    contentId: cleanLine(part.cid ?? "", MAX_NAME_LENGTH) || null,
    isInline: part.contentDisposition === "inline" || part.related === true,
  };
}

async function spoolEncodedFile(file: EncodedFile, path: string, position: number): Promise<SpooledAttachment> {
  await writeFile(path, file.bytes, { flag: "wx" });
  const contentType = mime.getType(file.filename) ?? "application/octet-stream";
  return {
    path,
    filename: nameAttachment(file.filename, contentType, position),
    contentType,
    sizeBytes: file.bytes.byteLength,
    sha256: createHash("sha256").update(file.bytes).digest("hex"),
    contentId: null,
    isInline: false,
  };
}

/** Returns a name that is safe to save. A file without a name has its position and the extension of its type. */
function nameAttachment(name: string, contentType: string, position: number): string {
  const extension = EXTENSIONS[contentType] ?? mime.getExtension(contentType) ?? "";
  return (
    cleanFilename(name) || `attachment-${position}${extension === "" || extension === "bin" ? "" : `.${extension}`}`
  );
}

/** Where the registry names a rare extension first, or none. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "message/rfc822": "eml",
  "text/calendar": "ics",
  "image/jpeg": "jpg",
};

async function toMessage(
  headers: Headers,
  lines: HeaderLines,
  content: MessageText | null,
  attachments: readonly SpooledAttachment[],
  calendarEvents: readonly CalendarEvent[],
  envelopeFrom: string,
): Promise<IncomingMessage> {
  const header = (name: string) => getHeaderText(headers, name);
  const html = typeof content?.html === "string" ? content.html : "";
  const subject = cleanLine(header("subject") ?? "", MAX_SUBJECT_LENGTH);
  const isReply = header("in-reply-to") !== undefined || header("references") !== undefined;
  const body = readContent(content?.text ?? "", html, { isReply, subject });
  const from = parseAuthor(headers, envelopeFrom);
  const hasSeveralAuthors = lines.filter(({ key }) => key === "from").length > 1;
  const report = await findReport(header, content?.text || body.bodyText, envelopeFrom, attachments);
  return {
    messageIdHeader: parseMessageIds(header("message-id"))[0] ?? null,
    inReplyTo: parseMessageIds(header("in-reply-to"))[0] ?? null,
    references: parseMessageIds(header("references")),
    from,
    authors: hasSeveralAuthors ? parseLines(lines, "from").slice(0, MAX_AUTHORS) : [],
    replyTo: parseLines(lines, "reply-to").slice(0, MAX_REPLY_TO),
    to: parseAddresses(headers, "to").map(({ address }) => address),
    cc: parseAddresses(headers, "cc").map(({ address }) => address),
    subject,
    ...body,
    warnings: hasSeveralAuthors ? ["several_authors", ...body.warnings] : body.warnings,
    automated: report?.kind ?? classifyAutomated(header, envelopeFrom),
    report,
    calendarEvents,
    attachments,
  };
}

/** Returns the value of a header field as text; of a repeated field, the last one. */
function getHeaderText(headers: Headers, name: string): string | undefined {
  // The parser collects all List-* fields under one key.
  if (name.startsWith("list-")) {
    const list = headers.get("list") as Record<string, unknown> | undefined;
    return list && Object.hasOwn(list, name.slice("list-".length)) ? "present" : undefined;
  }
  const value = headers.get(name);
  if (value === undefined) return undefined;
  if (Array.isArray(value)) {
    return name === "references" ? value.filter((one) => typeof one === "string").join(" ") : String(value.at(-1));
  }
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  if ("params" in value) return [value.value, ...Object.values(value.params)].join("; ");
  return "text" in value ? value.text : undefined;
}

/** Returns the Message-IDs in a field. Of too many, the root and the most recent remain. */
function parseMessageIds(text: string | undefined): string[] {
  const found = (text?.slice(0, 100_000).match(MESSAGE_ID) ?? []).filter(
    (id) => Buffer.byteLength(id) <= MAX_MESSAGE_ID_BYTES && cleanLine(id, MAX_MESSAGE_ID_BYTES) === id,
  );
  return found.length <= MAX_REFERENCES ? found : [found[0] ?? "", ...found.slice(1 - MAX_REFERENCES)];
}

function parseAddresses(headers: Headers, name: string): MailAddress[] {
  const value = headers.get(name) as AddressObject | AddressObject[] | undefined;
  const all = [value ?? []].flat().flatMap((one) => one.value.flatMap((entry: EmailAddress) => entry.group ?? [entry]));
  return all
    .map(({ address = "", name: displayName }) => ({
      address: address.slice(0, MAX_ADDRESS_LENGTH + 1).toWellFormed(),
      name: cleanLine(displayName, MAX_NAME_LENGTH),
    }))
    .filter(({ address }) => isAddress(address))
    .slice(0, MAX_ADDRESSES);
}

/** Returns the addresses in all fields of a name. Of a repeated field, the parser reads the last one only. */
function parseLines(lines: HeaderLines, name: string): string[] {
  const values = lines.filter(({ key }) => key === name).map(({ line }) => line.slice(line.indexOf(":") + 1));
  const entries = values.flatMap((value) => addressparser(value.slice(0, MAX_FIELD_LENGTH), { flatten: true }));
  return [...new Set(entries.map(({ address = "" }) => address.toWellFormed()).filter(isAddress))];
}

function isAddress(address: string): boolean {
  return (
    ONE_ADDRESS.test(address) &&
    Buffer.byteLength(address) <= MAX_ADDRESS_LENGTH &&
    cleanLine(address, MAX_ADDRESS_LENGTH) === address
  );
}

function parseAuthor(headers: Headers, envelopeFrom: string): MailAddress {
  const [author] = parseAddresses(headers, "from");
  if (author) return author;
  const name = cleanLine(getHeaderText(headers, "from") ?? "", MAX_NAME_LENGTH);
  return { address: isAddress(envelopeFrom) ? envelopeFrom : "", name };
}

async function findReport(
  header: HeaderReader,
  text: string,
  envelopeFrom: string,
  attachments: readonly SpooledAttachment[],
): Promise<MailReport | null> {
  const read = async (...types: string[]) => {
    const part = attachments.find(({ contentType }) => types.includes(contentType));
    return part ? await readBeginning(part.path) : "";
  };
  return readReport({
    contentType: header("content-type")?.toLowerCase() ?? "",
    header,
    isNullSender: envelopeFrom === "",
    text: text.slice(0, MAX_REPORT_BYTES),
    deliveryStatus: await read("message/delivery-status", "message/global-delivery-status"),
    disposition: await read("message/disposition-notification", "message/global-disposition-notification"),
    feedback: await read("message/feedback-report"),
    original: await read("message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"),
  });
}

async function readBeginning(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_REPORT_BYTES), 0, MAX_REPORT_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
