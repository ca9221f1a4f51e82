/** SMTP relay for outgoing email, over persistent connections. Signs each email with DKIM (RFC 6376) if a key is configured. */
import { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import { readSmtpFailure, type SmtpFailure, smtpConnectionOptions } from "../../platform/email/smtp.ts";
import { tracedSend } from "../../platform/observability/instrumentation.ts";

/** An outgoing email to one recipient. A retry sends the same Message-ID and Date. */
export interface OutgoingEmail {
  /** The return path, and the recipient of this delivery. */
  readonly envelope: { readonly from: string; readonly to: string };
  /** With angle brackets. */
  readonly messageIdHeader: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly at: Date;
  /** Whether the email replies to an automated message. */
  readonly isAutoReply: boolean;
  readonly attachments: readonly OutgoingAttachment[];
}

export interface OutgoingAttachment {
  readonly filename: string;
  readonly contentType: string;
  read(): AsyncIterable<Uint8Array>;
}

/** The outcome of a delivery attempt. `reason` is shown to the sender. */
export type DeliveryOutcome =
  | {
      readonly kind: "sent";
      /** The server's reply, which usually contains its id for the email. */
      readonly response: string;
      readonly sizeBytes: number;
    }
  /** A permanent refusal. */
  | { readonly kind: "refused"; readonly reason: string; readonly failure: SmtpFailure }
  /** A temporary failure. `isUnavailable`: the relay is unavailable, so any email would fail now. */
  | {
      readonly kind: "deferred";
      readonly reason: string;
      readonly isUnavailable: boolean;
      readonly failure: SmtpFailure;
    };

export interface Relay {
  /** Whether a server is configured. */
  readonly isConfigured: boolean;
  /** Sends an email to the server. Never rejects; resolves within `ATTEMPT_TIMEOUT_MS`. */
  send(email: OutgoingEmail): Promise<DeliveryOutcome>;
  /** Closes the connections after the emails in flight. */
  close(): void;
}

export interface DkimKey {
  readonly domainName: string;
  readonly keySelector: string;
  /** PEM. */
  readonly privateKey: string;
}

/** Timeout of an attempt, from waiting for a free connection to the server's final reply. */
export const ATTEMPT_TIMEOUT_MS = 45_000;
const MAX_RESPONSE_LENGTH = 200;
/** The end-of-data marker, which nodemailer includes in the message size. */
const END_OF_DATA = ".\r\n";
/** RFC 2047 section 2 allows 75; the first line also contains the field name. */
const ENCODED_WORD_LENGTH = 52;

/** Meanings of the enhanced status codes that a sender can act on (RFC 3463, RFC 7505). */
const MEANINGS: Readonly<Record<string, string>> = {
  "5.1.1": "the mailbox does not exist",
  "5.1.2": "the domain does not exist",
  "5.1.3": "the address is not valid",
  "5.1.10": "the domain does not accept mail",
  "5.2.1": "the mailbox is disabled",
  "5.2.2": "the mailbox is full",
  "5.2.3": "the email is too large for the mailbox",
  "5.3.4": "the email is too large",
  "5.4.1": "the recipient's host does not accept mail",
  "5.7.1": "the recipient's server does not permit delivery",
};

/**
 * Creates a relay.
 * @param options.smtpUrl undefined when none is configured
 * @param options.dkim called for each email; returns null when no key is configured
 */
export function createRelay(options: {
  readonly smtpUrl: string | undefined;
  readonly dkim: () => DkimKey | null;
  readonly timeoutMs?: number;
}): Relay {
  const { smtpUrl, timeoutMs = ATTEMPT_TIMEOUT_MS } = options;
  const transport = smtpUrl === undefined ? null : createTransport(smtpConnectionOptions(smtpUrl));
  return {
    isConfigured: transport !== null,
    async send(email) {
      if (!transport) return toDeferredOutcome(readSmtpFailure({ code: "ECONNECTION" }));
      const dkim = options.dkim();
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const { response, messageSize } = await tracedSend(() =>
          transport.sendMail({ ...toMailOptions(email), ...(dkim ? { dkim } : {}), signal }),
        );
        return {
          kind: "sent",
          response: response.slice(0, MAX_RESPONSE_LENGTH),
          sizeBytes: messageSize - END_OF_DATA.length,
        };
      } catch (error) {
        const failure = readSmtpFailure(error);
        if (!failure.isPermanent) return toDeferredOutcome(failure);
        const reason = `The mail server permanently refused the email${formatFailureDetail(failure)}.`;
        return { kind: "refused", reason, failure };
      }
    },
    close: () => transport?.close(),
  };
}

function toDeferredOutcome(failure: SmtpFailure): DeliveryOutcome {
  const { command, responseCode } = failure;
  const isAboutEmail = responseCode !== undefined && (command === "RCPT TO" || command === "DATA");
  const reason =
    responseCode === undefined
      ? "The mail server was unreachable or did not respond in time."
      : `The mail server temporarily refused the email${formatFailureDetail(failure)}.`;
  return { kind: "deferred", reason, isUnavailable: !isAboutEmail, failure };
}

/** Returns the codes and their meaning. The server's text is omitted: it may repeat content of the email. */
function formatFailureDetail({ responseCode, enhancedCode }: SmtpFailure): string {
  const codes = [responseCode, enhancedCode].filter((code) => code !== undefined).join(" ");
  const meaning = enhancedCode === undefined ? undefined : MEANINGS[enhancedCode];
  if (codes === "") return "";
  return meaning === undefined ? ` (${codes})` : ` (${codes}: ${meaning})`;
}

function toMailOptions(email: OutgoingEmail) {
  const {
    envelope,
    messageIdHeader,
    from,
    to,
    cc,
    subject,
    text,
    inReplyTo,
    references,
    at,
    isAutoReply,
    attachments,
  } = email;
  // Objects, because nodemailer parses a string as a list of addresses.
  const toAddressObject = (address: string) => ({ name: "", address });
  return {
    from,
    to: to.map(toAddressObject),
    cc: cc.map(toAddressObject),
    envelope: { from: envelope.from, to: [envelope.to] },
    // A literal `=?` is encoded; clients would otherwise decode it as an encoded word (RFC 2047).
    subject: subject.includes("=?") ? encodeWord(subject, "Q", ENCODED_WORD_LENGTH) : subject,
    text,
    messageId: messageIdHeader,
    date: at,
    ...(inReplyTo === null ? {} : { inReplyTo, references: [...references] }),
    // Only where a machine replies to a machine (RFC 3834): help desks suspend first messages that are marked as automatic.
    ...(isAutoReply ? { headers: { "Auto-Submitted": "auto-replied" } } : {}),
    attachments: attachments.map(({ filename, contentType, read }) => ({
      filename,
      // RFC 2046 section 5.2.1 forbids base64 for `message/*`; unencoded, its long lines could make this email invalid.
      contentType: contentType.startsWith("message/") ? "application/octet-stream" : contentType,
      contentDisposition: "attachment" as const,
      content: Readable.from(read(), { objectMode: false }),
    })),
  };
}
