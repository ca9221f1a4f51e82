import type { AddressObject } from "mailparser";

/** What a message says, decoded. `from` and `to` as a person reads them; ids with their angle brackets. */
export interface MailContent {
  from: string;
  to: string;
  subject: string;
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  /** The plain part, or the HTML part's text when there is none. */
  text: string;
  /** The HTML part as it came, images it carries inside; nothing in it can be trusted. */
  html: string | null;
  attachments: { filename: string | null; contentType: string; sizeBytes: number }[];
}

/** Reads a message (RFC 5322, MIME) of at most `maxBytes`. */
export async function parseMail(raw: Buffer, maxBytes: number): Promise<MailContent> {
  // Loaded with the first message: it takes longer than all else the sandbox's start loads for mail.
  const { simpleParser } = await import("mailparser");
  // Links in text are made where they are shown.
  const mail = await simpleParser(raw, { skipTextToHtml: true, maxHtmlLengthToParse: maxBytes });
  const { subject = "", messageId = null, inReplyTo = null, references = [], text = "", html } = mail;
  return {
    from: addresses(mail.from),
    to: addresses(mail.to),
    subject,
    messageId,
    inReplyTo,
    references: [references].flat(),
    text,
    html: html || null,
    attachments: mail.attachments.map(({ filename, contentType, size }) => ({
      filename: filename ?? null,
      contentType,
      sizeBytes: size,
    })),
  };
}

function addresses(header: AddressObject | AddressObject[] | undefined): string {
  return [header ?? []]
    .flat()
    .map(({ text }) => text)
    .join(", ");
}
