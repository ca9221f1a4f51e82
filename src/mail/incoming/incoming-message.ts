/** A parsed incoming message. All values are untrusted but valid to store. */
import type { CalendarEvent } from "./parts/calendar.ts";

/** A reason to distrust a message's text, as stored. */
export type MailWarningCode =
  | "several_authors"
  | "hidden_text"
  | "plain_text_differs"
  | "invisible_characters"
  | "html_not_checked"
  | "covered_text"
  | "unsupported_content";

/** The SMTP envelope, independent of the header. `from` is empty for bounces (RFC 5321 section 4.5.5). */
export interface Envelope {
  readonly from: string;
  /** IP address of the sending host; null when a mail provider does not pass it on. */
  readonly remoteAddress: string | null;
  readonly helo: string | null;
}

export interface MailAddress {
  readonly address: string;
  readonly name: string;
}

/** An authentication result (RFC 8601) that the database accepts. */
export type CheckResult = "none" | "pass" | "fail" | "softfail" | "neutral" | "temperror" | "permerror";

/**
 * Results of sender authentication, with the domains they apply to. `policy` is the DMARC policy of the domain in From. `arc` is the result
 * for the chain of forwarding servers (RFC 8617), `arcSealer` the domain of the last one.
 */
export interface Authentication {
  readonly spfResult: CheckResult;
  readonly dkimResult: CheckResult;
  readonly dmarcResult: CheckResult;
  readonly domains: {
    readonly spf: string;
    readonly dkim: readonly string[];
    readonly dmarc: string;
    readonly policy: string;
    readonly arc: CheckResult;
    readonly arcSealer: string;
  };
}

/** Returns an authentication with the same result for SPF, DKIM, DMARC and ARC and no domains. */
export function uniformAuthentication(result: CheckResult): Authentication {
  const domains = { spf: "", dkim: [], dmarc: "", policy: "", arc: result, arcSealer: "" };
  return { spfResult: result, dkimResult: result, dmarcResult: result, domains };
}

/** The kind of automated mail; no automatic reply should be sent to it. */
export type Automated =
  | "auto_reply"
  | "bulk"
  | "bounce"
  | "delivery_delay"
  | "delivery_receipt"
  | "read_receipt"
  | "complaint";

/** A decoded attachment in a spool file. */
export interface SpooledAttachment {
  readonly path: string;
  readonly filename: string;
  /** Lower case, without parameters. */
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Without angle brackets. */
  readonly contentId: string | null;
  readonly isInline: boolean;
}

/** What a report claims about one recipient of a sent message. */
export interface ReportedRecipient {
  /** Empty if the report does not name it. */
  readonly address: string;
  readonly action: "failed" | "delayed" | "delivered" | "relayed" | "expanded" | "complained";
  /** Enhanced status code (RFC 3463); empty if absent. */
  readonly status: string;
  /** The text of the server that reported. */
  readonly reason: string;
}

/** A report about a sent message. Everything in it is a claim of its sender. */
export interface MailReport {
  readonly kind: Exclude<Automated, "auto_reply" | "bulk">;
  readonly recipients: readonly ReportedRecipient[];
  /** Message-IDs that it names as the original's, with angle brackets. */
  readonly originalIds: readonly string[];
  /** Addresses that it names as the original's envelope sender. */
  readonly returnPaths: readonly string[];
}

export interface IncomingMessage {
  /** With angle brackets; null when absent or not valid to store. */
  readonly messageIdHeader: string | null;
  readonly inReplyTo: string | null;
  /** Message-IDs, root first. */
  readonly references: readonly string[];
  readonly from: MailAddress;
  /** The addresses of all From fields if there are several; empty for other messages. */
  readonly authors: readonly string[];
  /** The addresses of all Reply-To fields. */
  readonly replyTo: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** The text that a person sees. */
  readonly bodyText: string;
  /** The text without quoted text and signature. */
  readonly extractedText: string;
  readonly quotedText: string | null;
  readonly signature: string | null;
  /** Sanitised, without hidden text. */
  readonly bodyHtml: string | null;
  /** What the message contains but does not show to a person; null when there is nothing. */
  readonly hiddenText: string | null;
  readonly warnings: readonly MailWarningCode[];
  readonly automated: Automated | null;
  /** Null if the message is no report. */
  readonly report: MailReport | null;
  /** Events of the calendars that it contains. */
  readonly calendarEvents: readonly CalendarEvent[];
  readonly attachments: readonly SpooledAttachment[];
  /** Whether the text or the HTML exceeds the limit; the original message is then attached. */
  readonly isTruncated: boolean;
}
