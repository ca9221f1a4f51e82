/** A parsed incoming message. All values are untrusted but valid to store. */

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

/** Results of sender authentication, with the domains they apply to. `policy` is the DMARC policy of the domain in From. */
export interface Authentication {
  readonly spfResult: CheckResult;
  readonly dkimResult: CheckResult;
  readonly dmarcResult: CheckResult;
  readonly domains: {
    readonly spf: string;
    readonly dkim: readonly string[];
    readonly dmarc: string;
    readonly policy: string;
  };
}

/** Returns an authentication with the same result for SPF, DKIM and DMARC and no domains. */
export function uniformAuthentication(result: CheckResult): Authentication {
  const domains = { spf: "", dkim: [], dmarc: "", policy: "" };
  return { spfResult: result, dkimResult: result, dmarcResult: result, domains };
}

/** The kind of automated mail; no automatic reply should be sent to it. */
export type Automated = "auto_reply" | "bulk" | "bounce";

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

/** A permanent failure from a delivery status notification (RFC 3464). */
export interface DeliveryFailure {
  /** Message-ID of the undelivered message, with angle brackets. */
  readonly messageIdHeader: string;
  /** The text of the server that refused the message. */
  readonly reason: string;
}

export interface IncomingMessage {
  /** With angle brackets; null when absent or not valid to store. */
  readonly messageIdHeader: string | null;
  readonly inReplyTo: string | null;
  /** Message-IDs, root first. */
  readonly references: readonly string[];
  readonly from: MailAddress;
  readonly replyTo: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly bodyText: string;
  /** The text without quoted text and signature. */
  readonly extractedText: string;
  /** Sanitised. */
  readonly bodyHtml: string | null;
  readonly automated: Automated | null;
  readonly deliveryFailure: DeliveryFailure | null;
  readonly attachments: readonly SpooledAttachment[];
  /** Whether the text or the HTML exceeds the limit; the original message is then attached. */
  readonly isTruncated: boolean;
}
