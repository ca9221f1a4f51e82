/** The server that agents' mail leaves through: asked by SMTP over connections that stay open, each letter signed (DKIM, RFC 6376). */
import { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import { readSmtpFailure, type SmtpFailure, smtpConnectionOptions } from "../../platform/email/smtp.ts";
import { tracedSend } from "../../platform/observability/instrumentation.ts";

/** A letter as it leaves. Sending it again makes the same one, with the same Message-ID and Date. */
export interface OutgoingLetter {
  /** With its angle brackets. */
  readonly messageIdHeader: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly at: Date;
  readonly attachments: readonly OutgoingAttachment[];
}

export interface OutgoingAttachment {
  readonly filename: string;
  readonly contentType: string;
  read(): AsyncIterable<Uint8Array>;
}

/** What became of a letter. `reason` is for the person who sent it. */
export type Outcome =
  | {
      readonly kind: "sent";
      /** What the server calls it, in its own words. */
      readonly response: string;
      readonly sizeBytes: number;
      /** Why some of its recipients will not have it; null when all will. */
      readonly reason: string | null;
    }
  /** It would be refused again. */
  | { readonly kind: "refused"; readonly reason: string; readonly failure: SmtpFailure }
  /** It may be taken later. `isAway`: no letter would have been taken now. */
  | { readonly kind: "deferred"; readonly reason: string; readonly isAway: boolean; readonly failure: SmtpFailure };

export interface Relay {
  /** Whether there is a server to send through. */
  readonly isConfigured: boolean;
  /** Hands a letter over; never throws. Ends within `ATTEMPT_TIMEOUT_MS`. */
  send(letter: OutgoingLetter): Promise<Outcome>;
  /** Ends the connections; letters under way are finished first. */
  close(): void;
}

export interface DkimKey {
  readonly domainName: string;
  readonly keySelector: string;
  /** In PEM. */
  readonly privateKey: string;
}

/** From the first byte to the server's answer, waiting for a free connection included. */
export const ATTEMPT_TIMEOUT_MS = 45_000;
const MAX_RESPONSE_LENGTH = 200;
/** Counted by nodemailer, and no part of the letter. */
const END_OF_DATA = ".\r\n";
/** RFC 2047 section 2 allows 75, and the first line begins with the header's name. */
const ENCODED_WORD_LENGTH = 52;

/** What servers mean by the codes that people can do something about (RFC 3463, RFC 7505). */
const MEANINGS: Readonly<Record<string, string>> = {
  "5.1.1": "there is no such mailbox",
  "5.1.2": "there is no such domain",
  "5.1.3": "the address is not valid",
  "5.1.10": "the domain takes no mail",
  "5.2.1": "the mailbox takes no mail",
  "5.2.2": "the mailbox is full",
  "5.2.3": "the letter is too large for the mailbox",
  "5.3.4": "the letter is too large",
  "5.4.1": "nobody there takes mail",
  "5.7.1": "the recipient's server does not allow it",
};

/** @param options.dkim asked for each letter: null where none is configured */
export function createRelay(options: {
  readonly smtpUrl: string | undefined;
  readonly dkim: () => DkimKey | null;
  readonly timeoutMs?: number;
}): Relay {
  const { smtpUrl, timeoutMs = ATTEMPT_TIMEOUT_MS } = options;
  const transport = smtpUrl === undefined ? null : createTransport(smtpConnectionOptions(smtpUrl));
  return {
    isConfigured: transport !== null,
    async send(letter) {
      if (!transport) return deferred(readSmtpFailure({ code: "ECONNECTION" }));
      const dkim = options.dkim();
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const { response, rejected, messageSize } = await tracedSend(() =>
          transport.sendMail({ ...mimeOf(letter), ...(dkim ? { dkim } : {}), signal }),
        );
        const reason = rejected.length === 0 ? null : `The mail server refused ${rejected.join(", ")}.`;
        return {
          kind: "sent",
          response: response.slice(0, MAX_RESPONSE_LENGTH),
          sizeBytes: messageSize - END_OF_DATA.length,
          reason,
        };
      } catch (error) {
        const failure = readSmtpFailure(error);
        if (!failure.isPermanent) return deferred(failure);
        const reason = `The mail server refused the letter for good${detailOf(failure)}.`;
        return { kind: "refused", reason, failure };
      }
    },
    close: () => transport?.close(),
  };
}

function deferred(failure: SmtpFailure): Outcome {
  const { command, responseCode } = failure;
  const isAboutLetter = responseCode !== undefined && (command === "RCPT TO" || command === "DATA");
  const reason =
    responseCode === undefined
      ? "The mail server could not be reached, or did not answer in time."
      : `The mail server does not take the letter now${detailOf(failure)}.`;
  return { kind: "deferred", reason, isAway: !isAboutLetter, failure };
}

/** Only codes: the server's words may repeat what it was sent. */
function detailOf({ responseCode, enhancedCode }: SmtpFailure): string {
  const codes = [responseCode, enhancedCode].filter((code) => code !== undefined).join(" ");
  const meaning = enhancedCode === undefined ? undefined : MEANINGS[enhancedCode];
  if (codes === "") return "";
  return meaning === undefined ? ` (${codes})` : ` (${codes}: ${meaning})`;
}

function mimeOf(letter: OutgoingLetter) {
  const { messageIdHeader, from, to, cc, subject, text, inReplyTo, references, at, attachments } = letter;
  // Objects, for a text would be read as a list of addresses.
  const named = (address: string) => ({ name: "", address });
  return {
    from,
    to: to.map(named),
    cc: cc.map(named),
    // Bounces come back to the agent's own mailbox.
    envelope: { from: from.address, to: [...to, ...cc] },
    // What looks encoded (RFC 2047) would be read as what it stands for, which nobody wrote.
    subject: subject.includes("=?") ? encodeWord(subject, "Q", ENCODED_WORD_LENGTH) : subject,
    text,
    messageId: messageIdHeader,
    date: at,
    ...(inReplyTo === null ? {} : { inReplyTo, references: [...references] }),
    // RFC 3834: a program wrote it, so nobody's holiday notice should answer.
    headers: { "Auto-Submitted": inReplyTo === null ? "auto-generated" : "auto-replied" },
    attachments: attachments.map(({ filename, contentType, read }) => ({
      filename,
      // A letter within a letter may not be encoded, and its lines would break this one.
      contentType: contentType.startsWith("message/") ? "application/octet-stream" : contentType,
      contentDisposition: "attachment" as const,
      content: Readable.from(read(), { objectMode: false }),
    })),
  };
}
