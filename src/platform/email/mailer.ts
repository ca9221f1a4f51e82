/** Sends the service's own emails over SMTP (RFC 5321) through a connection pool. */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { createTransport } from "nodemailer";
import addressparser from "nodemailer/lib/addressparser";
import { InvalidRequestError, ServiceError } from "../errors.ts";
import { tracedSend } from "../observability/instrumentation.ts";
import type { Logger } from "../observability/logger.ts";
import { readSmtpFailure, smtpConnectionOptions } from "./smtp.ts";

/** An email to one recipient. */
export interface Email {
  /** One bare address, such as `ada@example.com`. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** HTML alternative of `text`. */
  readonly html?: string;
  /** Emails with the same key have the same Message-ID, by which recipients can discard duplicates. */
  readonly idempotencyKey?: string;
}

export interface Mailer {
  /** Whether a mail server is configured. */
  readonly isConfigured: boolean;
  /**
   * Sends the email and waits until the mail server has accepted it.
   *
   * @throws {InvalidRequestError} `to` is not one address
   * @throws {MailNotConfiguredError} no mail server is configured
   *
   * @throws {MailFailedError} the server rejected the email or did not respond in time
   */
  send(email: Email): Promise<{ readonly messageId: string }>;
  /** Connects and authenticates without sending. Rejects if the server is unreachable or refuses. */
  verify(): Promise<void>;
  /** Closes the connections after in-flight emails are sent. */
  close(): void;
}

/** No mail server is configured. */
export class MailNotConfiguredError extends ServiceError {
  readonly code = "mail_not_configured";
  constructor() {
    super("This service has no mail server. The email was not sent. The operator must set SMTP_URL.");
  }
}

/** The mail server rejected an email or did not respond. `isPermanent`: a retry would fail too. */
export class MailFailedError extends ServiceError {
  readonly code = "mail_failed";
  readonly isPermanent: boolean;
  constructor(isPermanent: boolean) {
    super(
      isPermanent
        ? "The mail server rejected the email. It was not sent. Check the address."
        : "The mail server did not accept the email. Retry in a minute.",
    );
    this.isPermanent = isPermanent;
  }
}

/** Timeout until the server's response, including the wait for a free connection. */
const SEND_TIMEOUT_MS = 30_000;
const LOCAL_SENDER_HOST = "satchel.localhost";
const ONE_ADDRESS =
  /^[^\s\p{Cc}\p{Cs}@<>()[\],;:"\\]+@[^\s\p{Cc}\p{Cs}@<>()[\],;:"\\.]+(?:\.[^\s\p{Cc}\p{Cs}@<>()[\],;:"\\.]+)*$/u;

/** Returns the default sender of a service at `baseUrl`: `no-reply` at its host, if the host is a name. */
export function defaultSender(baseUrl: string | undefined): string {
  const host = baseUrl ? new URL(baseUrl).hostname : "";
  const isName = host !== "" && !host.startsWith("[") && isIP(host) === 0;
  return `Satchel <no-reply@${isName ? host : LOCAL_SENDER_HOST}>`;
}

/** Returns true if the text is one bare address: not a list, a group or a display name with an address. */
export function isOneAddress(text: string): boolean {
  return ONE_ADDRESS.test(text) && text.length <= 254;
}

/** @throws {InvalidRequestError} `to` is not one bare address; a list would reach other recipients */
export function assertOneAddress(to: string): void {
  if (!isOneAddress(to)) throw new InvalidRequestError("`to` must be exactly one email address.", "to");
}

/**
 * @param options.smtpUrl see `smtpConnectionOptions`
 * @param options.from the sender, such as `Satchel <no-reply@satchel.example>`
 */
export function createMailer(options: {
  smtpUrl: string | undefined;
  from: string;
  logger: Logger;
  timeoutMs?: number;
}): Mailer {
  const { smtpUrl, from, logger, timeoutMs = SEND_TIMEOUT_MS } = options;
  const transport = smtpUrl === undefined ? null : createTransport(smtpConnectionOptions(smtpUrl));
  const sender = addressparser(from, { flatten: true })[0]?.address ?? "";
  const senderHost = sender.slice(sender.lastIndexOf("@") + 1);

  return {
    isConfigured: transport !== null,
    async send({ to, subject, text, html, idempotencyKey }) {
      assertOneAddress(to);
      if (!transport) throw new MailNotConfiguredError();
      const message = {
        from,
        to: { name: "", address: to },
        envelope: { from: sender, to: [to] },
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        ...(idempotencyKey === undefined ? {} : { messageId: messageIdOf(idempotencyKey, senderHost) }),
        // RFC 3834: suppresses automatic replies, such as vacation notices.
        headers: { "Auto-Submitted": "auto-generated" },
        signal: AbortSignal.timeout(timeoutMs),
      };
      try {
        const { messageId } = await tracedSend(() => transport.sendMail(message));
        return { messageId };
      } catch (error) {
        const { isPermanent, ...failure } = readSmtpFailure(error);
        logger.warn(failure, "Email not sent");
        throw new MailFailedError(isPermanent);
      }
    },
    async verify() {
      await transport?.verify();
    },
    close: () => transport?.close(),
  };
}

/** Returns a Message-ID derived from the key, without revealing the key. */
function messageIdOf(idempotencyKey: string, host: string): string {
  return `<${createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 40)}@${host}>`;
}
