import type { AddressObject } from "mailparser";

/** A decoded message. `from` and `to` include display names; ids have angle brackets. */
export interface MailContent {
  from: string;
  to: string;
  subject: string;
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  /** The plain text part, or the text of the HTML part. */
  text: string;
  /** The untrusted HTML part, unsanitised, with attached images inlined. */
  html: string | null;
  attachments: { filename: string | null; contentType: string; sizeBytes: number }[];
}

/** Parses a message (RFC 5322, MIME) of at most `maxBytes`. */
export async function parseMail(raw: Buffer, maxBytes: number): Promise<MailContent> {
  // Imported with the first message, because loading it would slow down the sandbox's start.
  const { simpleParser } = await import("mailparser");
  // The page converts URLs in text to links.
  const mail = await simpleParser(raw, { skipTextToHtml: true, maxHtmlLengthToParse: maxBytes });
  const { subject = "", messageId = null, inReplyTo = null, references = [], text = "", html } = mail;
  return {
    from: addressText(mail.from),
    to: addressText(mail.to),
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

function addressText(header: AddressObject | AddressObject[] | undefined): string {
  return [header ?? []]
    .flat()
    .map(({ text }) => text)
    .join(", ");
}
