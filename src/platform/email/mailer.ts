/** The service's own letters, sent over SMTP (RFC 5321) through a pool of connections. */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { createTransport } from "nodemailer";
import addressparser from "nodemailer/lib/addressparser";
import { InvalidRequestError, ServiceError } from "../errors.ts";
import { tracedSend } from "../observability/instrumentation.ts";
import type { Logger } from "../observability/logger.ts";
import { readSmtpFailure, smtpConnectionOptions } from "./smtp.ts";

/** A letter to one person. */
export interface Email {
  /** One bare address, such as `ada@example.com`. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same letter for readers that show HTML. */
  readonly html?: string;
  /** Letters with the same key have the same Message-ID, by which receivers tell a repetition. */
  readonly idempotencyKey?: string;
}

export interface Mailer {
  /** Whether there is a server to send through. */
  readonly isConfigured: boolean;
  /**
   * Hands the letter to the mail server and waits until it has taken it.
   * @throws {InvalidRequestError} `to` is not one address
   * @throws {MailNotConfiguredError} there is no server
   * @throws {MailFailedError} the server refused the letter, or did not answer in time
   */
  send(letter: Email): Promise<{ readonly messageId: string }>;
  /** Ends the connections; letters under way are finished first. */
  close(): void;
}

/** This service has no mail server to send through. */
export class MailNotConfiguredError extends ServiceError {
  readonly code = "mail_not_configured";
  constructor() {
    super("This service has no mail server, so nothing was sent. Its operator sets SMTP_URL.");
  }
}

/** The mail server refused a letter or did not answer. `isPermanent`: it would refuse the same letter again. */
export class MailFailedError extends ServiceError {
  readonly code = "mail_failed";
  readonly isPermanent: boolean;
  constructor(isPermanent: boolean) {
    super(
      isPermanent
        ? "The mail server refused the letter. Check the address."
        : "The mail server did not take the letter. Try again in a moment.",
    );
    this.isPermanent = isPermanent;
  }
}

/** From the first byte to the server's answer, waiting for a free connection included. */
const SEND_TIMEOUT_MS = 30_000;
const LOCAL_SENDER_HOST = "satchel.localhost";
const ONE_ADDRESS =
  /^[^\s\p{Cc}\p{Cs}@<>()[\],;:"\\]+@[^\s\p{Cc}\p{Cs}@<>()[\],;:"\\.]+(?:\.[^\s\p{Cc}\p{Cs}@<>()[\],;:"\\.]+)*$/u;

/** The usual sender of a service at `baseUrl`: `no-reply` at its host, when that is a name. */
export function defaultSender(baseUrl: string | undefined): string {
  const host = baseUrl ? new URL(baseUrl).hostname : "";
  const isName = host !== "" && !host.startsWith("[") && isIP(host) === 0;
  return `Satchel <no-reply@${isName ? host : LOCAL_SENDER_HOST}>`;
}

/** Whether the text is one bare address, and not a list, a group or a name with one. */
export function isOneAddress(text: string): boolean {
  return ONE_ADDRESS.test(text) && text.length <= 254;
}

/** @throws {InvalidRequestError} when `to` is anything but one bare address: a list would reach others */
export function assertOneAddress(to: string): void {
  if (!isOneAddress(to)) throw new InvalidRequestError("`to` must be one mail address.", "to");
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
      const letter = {
        from,
        to: { name: "", address: to },
        envelope: { from: sender, to: [to] },
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        ...(idempotencyKey === undefined ? {} : { messageId: messageIdOf(idempotencyKey, senderHost) }),
        // RFC 3834: nobody's holiday notice should answer.
        headers: { "Auto-Submitted": "auto-generated" },
        signal: AbortSignal.timeout(timeoutMs),
      };
      try {
        const { messageId } = await tracedSend(() => transport.sendMail(letter));
        return { messageId };
      } catch (error) {
        const { isPermanent, ...failure } = readSmtpFailure(error);
        logger.warn(failure, "a letter was not sent");
        throw new MailFailedError(isPermanent);
      }
    },
    close: () => transport?.close(),
  };
}

/** The same for the same key, and telling nothing about it. */
function messageIdOf(idempotencyKey: string, host: string): string {
  return `<${createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 40)}@${host}>`;
}
