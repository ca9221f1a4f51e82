/** Streaming MIME parser (RFC 2045 to 2049) that writes attachments to files and decodes text. Runs in a worker thread. */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { convert } from "html-to-text";
import {
  type AddressObject,
  type AttachmentStream,
  type EmailAddress,
  type Headers,
  MailParser,
  type MessageText,
} from "mailparser";
import { classifyAutomated } from "./automated.ts";
import { cleanFilename, cleanLine, cleanText } from "./clean-text.ts";
import { MAX_REPORT_BYTES, readDeliveryReport } from "./delivery-report.ts";
import type { IncomingMessage, MailAddress, SpooledAttachment } from "./incoming-message.ts";
import { sanitiseHtml } from "./sanitise-html.ts";
import { stripQuotedText } from "./strip-quoted-text.ts";

/** A message with more attachments is stored unparsed. */
export const MAX_ATTACHMENTS = 300;
/** Longer text is truncated, and the original message is attached. Longer HTML is omitted. In UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1_000_000;
const MAX_SUBJECT_LENGTH = 1_000;
const MAX_NAME_LENGTH = 300;
const MAX_ADDRESS_LENGTH = 320;
/** Message-IDs are indexed; longer ones are treated as absent. */
const MAX_MESSAGE_ID_BYTES = 500;
const MAX_ADDRESSES = 200;
const MAX_REFERENCES = 100;
const ONE_ADDRESS = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/u;
const CONTENT_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const MESSAGE_ID = /<[^\s<>]+>/g;

/** The message exceeds a limit of the parser. */
export class UnreadableMessageError extends Error {}

/**
 * Parses the message in the file `path`.
 * @param folder created for the attachments, if there are any
 * @throws {UnreadableMessageError} and errors of the MIME parser
 */
export async function parseMessage(path: string, folder: string, envelopeFrom: string): Promise<IncomingMessage> {
  const parser = new MailParser({
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
  const source = createReadStream(path);
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  const attachments: SpooledAttachment[] = [];
  let content: MessageText | null = null;
  for await (const part of parser as AsyncIterable<AttachmentStream | MessageText>) {
    if (part.type === "text") {
      content = part;
      continue;
    }
    if (attachments.length >= MAX_ATTACHMENTS)
      throw new UnreadableMessageError(`The message has more than ${MAX_ATTACHMENTS} attachments.`);
    if (attachments.length === 0) await mkdir(folder);
    attachments.push(await spoolAttachment(part, join(folder, `part-${attachments.length}`), attachments.length + 1));
  }
  return await toMessage(headers, content, attachments, envelopeFrom);
}

async function spoolAttachment(part: AttachmentStream, path: string, position: number): Promise<SpooledAttachment> {
  await pipeline(part.content as Readable, createWriteStream(path, { flags: "wx" }));
  part.release();
  const contentType = CONTENT_TYPE.test(part.contentType ?? "")
    ? part.contentType.toLowerCase()
    : "application/octet-stream";
  return {
    path,
    filename:
      cleanFilename(typeof part.filename === "string" ? part.filename : "") ||
      `attachment-${position}${getExtension(contentType)}`,
    contentType,
    sizeBytes: part.size,
    sha256: part.checksum,
    contentId: cleanLine(part.cid ?? "", MAX_NAME_LENGTH) || null,
    isInline: part.contentDisposition === "inline" || part.related === true,
  };
}

function getExtension(contentType: string): string {
  if (contentType === "message/rfc822") return ".eml";
  return contentType.startsWith("text/") ? ".txt" : "";
}

async function toMessage(
  headers: Headers,
  content: MessageText | null,
  attachments: readonly SpooledAttachment[],
  envelopeFrom: string,
): Promise<IncomingMessage> {
  const header = (name: string) => getHeaderText(headers, name);
  const html = typeof content?.html === "string" ? content.html : "";
  const bodyHtml = html.length > MAX_TEXT_LENGTH || html === "" ? null : sanitiseHtml(html);
  const text = content?.text?.trim() ? content.text : htmlToText(bodyHtml);
  const bodyText = cleanText(text, MAX_TEXT_LENGTH);
  const from = parseAuthor(headers, envelopeFrom);
  const automated = classifyAutomated(header, from.address, envelopeFrom);
  return {
    messageIdHeader: parseMessageIds(header("message-id"))[0] ?? null,
    inReplyTo: parseMessageIds(header("in-reply-to"))[0] ?? null,
    references: parseMessageIds(header("references")),
    from,
    replyTo: parseAddresses(headers, "reply-to")[0]?.address ?? null,
    to: parseAddresses(headers, "to").map(({ address }) => address),
    cc: parseAddresses(headers, "cc").map(({ address }) => address),
    subject: cleanLine(header("subject") ?? "", MAX_SUBJECT_LENGTH),
    bodyText,
    extractedText: stripQuotedText(bodyText),
    bodyHtml: bodyHtml === null ? null : cleanText(bodyHtml, MAX_TEXT_LENGTH * 2),
    automated,
    deliveryFailure: automated === "bounce" ? await readDeliveryFailure(attachments) : null,
    attachments,
    isTruncated: text.length > MAX_TEXT_LENGTH || html.length > MAX_TEXT_LENGTH,
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

function htmlToText(html: string | null): string {
  if (html === null) return "";
  const images = { selector: "img", format: "skip" };
  const links = { selector: "a", options: { hideLinkHrefIfSameAsText: true } };
  const limits = { maxInputLength: MAX_TEXT_LENGTH * 2, limits: { maxDepth: 120, ellipsis: "…" } };
  return convert(html, { wordwrap: false, selectors: [images, links], ...limits });
}

async function readDeliveryFailure(attachments: readonly SpooledAttachment[]) {
  const read = async (...types: string[]) => {
    const part = attachments.find(({ contentType }) => types.includes(contentType));
    return part ? await readBeginning(part.path) : "";
  };
  const status = await read("message/delivery-status", "message/global-delivery-status");
  const original = await read("message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers");
  return readDeliveryReport({ status, original });
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
