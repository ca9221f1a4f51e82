/** What a message from outside is taken for, once it has been read. Nothing in it can be trusted, and all of it can be stored. */

/** Who the server was told, whatever the headers say. `from` is empty for bounces (RFC 5321 section 4.5.5). */
export interface Envelope {
  readonly from: string;
  /** Where it came from; null where a provider who took it does not say. */
  readonly remoteAddress: string | null;
  readonly helo: string | null;
}

export interface MailAddress {
  readonly address: string;
  readonly name: string;
}

/** A result by RFC 8601, of the names the database knows. */
export type CheckResult = "none" | "pass" | "fail" | "softfail" | "neutral" | "temperror" | "permerror";

/** What is known of the sender, and the domains it is known of. `policy` is what the From's domain asks to be done (DMARC). */
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

/** Nothing was found out. */
export function unchecked(result: CheckResult): Authentication {
  const domains = { spf: "", dkim: [], dmarc: "", policy: "" };
  return { spfResult: result, dkimResult: result, dmarcResult: result, domains };
}

/** Why no machine should answer a message. */
export type Automated = "auto_reply" | "bulk" | "bounce";

/** An attachment, decoded, in a file of the spool. */
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

/** What a delivery status notification says (RFC 3464). */
export interface DeliveryFailure {
  /** Message-ID of what could not be delivered, with its angle brackets. */
  readonly messageIdHeader: string;
  /** In the words of the server that refused it. */
  readonly reason: string;
}

export interface IncomingMessage {
  /** With its angle brackets; null when it has none that can be kept. */
  readonly messageIdHeader: string | null;
  readonly inReplyTo: string | null;
  /** The root first. */
  readonly references: readonly string[];
  readonly from: MailAddress;
  readonly replyTo: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly bodyText: string;
  /** What is new in it. */
  readonly extractedText: string;
  /** Sanitised. */
  readonly bodyHtml: string | null;
  readonly automated: Automated | null;
  readonly deliveryFailure: DeliveryFailure | null;
  readonly attachments: readonly SpooledAttachment[];
  /** Whether some of its text is too long to be kept as text. */
  readonly isCut: boolean;
}
