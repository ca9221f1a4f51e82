/** Reads MIME (RFC 2045 to 2049) as it streams by: attachments go to files, text is decoded. Runs in a thread of its own. */
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
import { recogniseAutomated } from "./automated.ts";
import { cleanFilename, cleanLine, cleanText } from "./clean-text.ts";
import { MAX_REPORT_BYTES, readDeliveryReport } from "./delivery-report.ts";
import type { IncomingMessage, MailAddress, SpooledAttachment } from "./incoming-message.ts";
import { sanitiseHtml } from "./sanitise-html.ts";
import { stripQuotedText } from "./strip-quoted-text.ts";

/** A message in more parts than this is not taken apart. */
export const MAX_ATTACHMENTS = 300;
/** Longer text is kept in the message's own bytes alone, beside its beginning. */
export const MAX_TEXT_LENGTH = 1_000_000;
const MAX_SUBJECT_LENGTH = 1_000;
const MAX_NAME_LENGTH = 300;
const MAX_ADDRESS_LENGTH = 320;
/** An index holds them: longer ones are as good as none. */
const MAX_MESSAGE_ID_BYTES = 500;
const MAX_ADDRESSES = 200;
const MAX_REFERENCES = 100;
const ONE_ADDRESS = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/u;
const CONTENT_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const MESSAGE_ID = /<[^\s<>]+>/g;

/** The parts of a message that no parser could read stay together, in this. */
export class UnreadableMessageError extends Error {}

/**
 * @param folder made for attachments when there are any, under names of their own
 * @throws what the parser throws at a message it cannot read
 */
export async function parseMessage(path: string, folder: string, envelopeFrom: string): Promise<IncomingMessage> {
  const parser = new MailParser({
    // All of these are made elsewhere, within limits.
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepDeliveryStatus: true,
    // A message within a message is an attachment: its words are not this sender's.
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
    if (attachments.length >= MAX_ATTACHMENTS) throw new UnreadableMessageError("too many attachments");
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
      `attachment-${position}${extensionOf(contentType)}`,
    contentType,
    sizeBytes: part.size,
    sha256: part.checksum,
    contentId: cleanLine(part.cid ?? "", MAX_NAME_LENGTH) || null,
    isInline: part.contentDisposition === "inline" || part.related === true,
  };
}

function extensionOf(contentType: string): string {
  if (contentType === "message/rfc822") return ".eml";
  return contentType.startsWith("text/") ? ".txt" : "";
}

async function toMessage(
  headers: Headers,
  content: MessageText | null,
  attachments: readonly SpooledAttachment[],
  envelopeFrom: string,
): Promise<IncomingMessage> {
  const header = (name: string) => textOf(headers, name);
  const html = typeof content?.html === "string" ? content.html : "";
  const bodyHtml = html.length > MAX_TEXT_LENGTH || html === "" ? null : sanitiseHtml(html);
  const text = content?.text?.trim() ? content.text : textOfHtml(bodyHtml);
  const bodyText = cleanText(text, MAX_TEXT_LENGTH);
  const from = authorOf(headers, envelopeFrom);
  const automated = recogniseAutomated(header, from.address, envelopeFrom);
  return {
    messageIdHeader: messageIds(header("message-id"))[0] ?? null,
    inReplyTo: messageIds(header("in-reply-to"))[0] ?? null,
    references: messageIds(header("references")),
    from,
    replyTo: addressesOf(headers, "reply-to")[0]?.address ?? null,
    to: addressesOf(headers, "to").map(({ address }) => address),
    cc: addressesOf(headers, "cc").map(({ address }) => address),
    subject: cleanLine(header("subject") ?? "", MAX_SUBJECT_LENGTH),
    bodyText,
    extractedText: stripQuotedText(bodyText),
    bodyHtml: bodyHtml === null ? null : cleanText(bodyHtml, MAX_TEXT_LENGTH * 2),
    automated,
    deliveryFailure: automated === "bounce" ? await deliveryFailureOf(attachments) : null,
    attachments,
    isCut: text.length > MAX_TEXT_LENGTH || html.length > MAX_TEXT_LENGTH,
  };
}

/** A field that stands there several times counts as its last. */
function textOf(headers: Headers, name: string): string | undefined {
  // The parser gathers all of a mailing list's fields under one name.
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

/** The nearest to the message, and the root, of a chain that is too long. */
function messageIds(text: string | undefined): string[] {
  const found = (text?.slice(0, 100_000).match(MESSAGE_ID) ?? []).filter(
    (id) => Buffer.byteLength(id) <= MAX_MESSAGE_ID_BYTES && cleanLine(id, MAX_MESSAGE_ID_BYTES) === id,
  );
  return found.length <= MAX_REFERENCES ? found : [found[0] ?? "", ...found.slice(1 - MAX_REFERENCES)];
}

function addressesOf(headers: Headers, name: string): MailAddress[] {
  const value = headers.get(name) as AddressObject | AddressObject[] | undefined;
  const all = [value ?? []].flat().flatMap((one) => one.value.flatMap((entry: EmailAddress) => entry.group ?? [entry]));
  return all
    .map(({ address = "", name: words }) => ({
      address: address.slice(0, MAX_ADDRESS_LENGTH + 1).toWellFormed(),
      name: cleanLine(words, MAX_NAME_LENGTH),
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

function authorOf(headers: Headers, envelopeFrom: string): MailAddress {
  const [author] = addressesOf(headers, "from");
  if (author) return author;
  const shown = cleanLine(textOf(headers, "from") ?? "", MAX_NAME_LENGTH);
  return { address: isAddress(envelopeFrom) ? envelopeFrom : "", name: shown };
}

function textOfHtml(html: string | null): string {
  if (html === null) return "";
  const images = { selector: "img", format: "skip" };
  const links = { selector: "a", options: { hideLinkHrefIfSameAsText: true } };
  const limits = { maxInputLength: MAX_TEXT_LENGTH * 2, limits: { maxDepth: 120, ellipsis: "…" } };
  return convert(html, { wordwrap: false, selectors: [images, links], ...limits });
}

async function deliveryFailureOf(attachments: readonly SpooledAttachment[]) {
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
