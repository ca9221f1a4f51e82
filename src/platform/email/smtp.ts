/** How this service talks to its mail server: the connections' options, and what a failure means. */
import { parseConnectionUrl } from "nodemailer/lib/shared";

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/**
 * What nodemailer takes to keep connections to a server open.
 * @param smtpUrl `smtp://` or `smtps://`, with credentials and nodemailer's connection options as its query;
 * hosts other than this machine must offer TLS unless it says `?requireTLS=false` or `?ignoreTLS=true`
 */
export function smtpConnectionOptions(smtpUrl: string) {
  const given = parseConnectionUrl(smtpUrl);
  const { host = "localhost", ignoreTLS, requireTLS } = given;
  const isLocal = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|::1)$/i.test(host);
  return {
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    ...given,
    requireTLS: typeof requireTLS === "boolean" ? requireTLS : !isLocal && ignoreTLS !== true,
    pool: true as const,
    // nodemailer's own log would show letters, and the URL must not turn it on.
    logger: false,
    debug: false,
    transactionLog: false,
    // Nor may a letter name a file or an address whose content would go out.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A letter that was not taken. Never the server's words: they may repeat what it was sent, credentials and codes among it. */
export interface SmtpFailure {
  /** nodemailer's, such as `EENVELOPE`. */
  readonly code: string | undefined;
  /** What was being asked of the server, such as `RCPT TO`. */
  readonly command: string | undefined;
  /** The server's answer, such as 550; undefined when there was none. */
  readonly responseCode: number | undefined;
  /** RFC 3463, such as `5.1.1`. */
  readonly enhancedCode: string | undefined;
  /** The same letter would be refused again. */
  readonly isPermanent: boolean;
}

/** What became of a letter, from the error that nodemailer rejects with. */
export function readSmtpFailure(error: unknown): SmtpFailure {
  const { code, command, responseCode, permanent = false, response } = error as NodemailerFailure;
  const isAboutLetter = command === "RCPT TO" || command === "DATA";
  // Refused here before the server was asked: larger than it says it takes, or an address it could not be told.
  const isRefusedHere = (code === "EENVELOPE" || code === "EMESSAGE") && responseCode === undefined;
  return {
    code,
    command,
    responseCode,
    enhancedCode: /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "")?.[1],
    // What it says to the credentials or the sender is about this service, and mended here.
    isPermanent: (permanent && isAboutLetter) || isRefusedHere,
  };
}

/** The part of nodemailer's errors that counts; `response` is the server's raw answer. */
interface NodemailerFailure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly permanent?: boolean;
}
