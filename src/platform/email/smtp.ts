/** Connection options for the mail server, and the classification of its failures. */
import { parseConnectionUrl } from "nodemailer/lib/shared";
import { isThisMachine } from "../config/this-machine.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/**
 * Returns nodemailer options for a connection pool.
 * @param smtpUrl `smtp://` or `smtps://`, with credentials, and nodemailer's connection options as query parameters. Hosts other
 * than this machine must offer TLS, unless `?requireTLS=false` or `?ignoreTLS=true` is set.
 */
export function smtpConnectionOptions(smtpUrl: string) {
  const urlOptions = parseConnectionUrl(smtpUrl);
  const { host = "localhost", ignoreTLS, requireTLS } = urlOptions;
  return {
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    ...urlOptions,
    requireTLS: typeof requireTLS === "boolean" ? requireTLS : !isThisMachine(host) && ignoreTLS !== true,
    pool: true as const,
    // nodemailer's log contains emails, so the URL must not enable it.
    logger: false,
    debug: false,
    transactionLog: false,
    // An email must not include the content of local files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The failure of an email. Omits the server's text, which may repeat credentials or one-time codes. */
export interface SmtpFailure {
  /** nodemailer's error code, such as `EENVELOPE`. */
  readonly code: string | undefined;
  /** The SMTP command that failed, such as `RCPT TO`. */
  readonly command: string | undefined;
  /** The server's reply code, such as 550; undefined without a reply. */
  readonly responseCode: number | undefined;
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  readonly enhancedCode: string | undefined;
  /** Whether a retry of the same email would fail too. */
  readonly isPermanent: boolean;
}

/** Classifies an error that nodemailer rejected with. */
export function readSmtpFailure(error: unknown): SmtpFailure {
  const { code, command, responseCode, permanent = false, response } = error as NodemailerFailure;
  const isAboutMessage = command === "RCPT TO" || command === "DATA";
  // nodemailer rejected the email itself: it exceeds the server's SIZE limit, or an address cannot be encoded.
  const isRejectedLocally = (code === "EENVELOPE" || code === "EMESSAGE") && responseCode === undefined;
  return {
    code,
    command,
    responseCode,
    enhancedCode: /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "")?.[1],
    // A rejection of the credentials or the sender is a configuration error of this service: a retry may succeed later.
    isPermanent: (permanent && isAboutMessage) || isRejectedLocally,
  };
}

/** The relevant members of nodemailer's errors. `response` is the server's raw reply. */
interface NodemailerFailure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly permanent?: boolean;
}
