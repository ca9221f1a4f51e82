import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished, vi } from "vitest";
import { createMailer, type Mailer } from "../../src/platform/email/mailer.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";

const FROM = "Satchel <no-reply@satchel.example>";

export interface ReceivedEmail {
  readonly mail: ParsedMail;
  readonly recipients: string[];
}

export interface MailServer {
  readonly port: number;
  readonly url: string;
  readonly received: readonly ReceivedEmail[];
  readonly counts: { readonly connections: number; readonly authentications: number };
}

/** Number of emails that `waitForEmail` has returned, by address. */
const returnedCounts = new WeakMap<readonly ReceivedEmail[], Map<string, number>>();

/** Waits for an email to the address that was not returned before, and returns the newest. */
export async function waitForEmail({ received }: MailServer, email: string): Promise<ParsedMail> {
  const counts = returnedCounts.get(received) ?? new Map<string, number>();
  returnedCounts.set(received, counts);
  const known = counts.get(email) ?? 0;
  const found = await vi.waitUntil(
    () => {
      const all = received.filter(({ recipients }) => recipients.includes(email));
      return all.length > known && all;
    },
    { timeout: 30_000, interval: 10 },
  );
  counts.set(email, found.length);
  return (found.at(-1) as ReceivedEmail).mail;
}

/**
 * Opens a real mail server on a free port. `refuse` rejects a recipient with an SMTP error. The server closes when the test
 * ends, or when the callback passed to `closeWith` is called.
 */
export async function openMailServer(
  options: SMTPServerOptions & {
    refuse?: () => [code: number, text: string] | null;
    closeWith?: (close: () => Promise<void>) => void;
  } = {},
): Promise<MailServer & { readonly received: ReceivedEmail[] }> {
  const { refuse = () => null, closeWith = onTestFinished, ...rest } = options;
  const received: ReceivedEmail[] = [];
  const counts = { connections: 0, authentications: 0 };
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 1,
    onConnect(_session, done) {
      counts.connections += 1;
      done();
    },
    onAuth(_auth, _session, done) {
      counts.authentications += 1;
      done(null, { user: "any" });
    },
    onRcptTo(_address, _session, done) {
      const refusal = refuse();
      done(refusal && Object.assign(new Error(refusal[1]), { responseCode: refusal[0] }));
    },
    onData(stream, { envelope }, done) {
      simpleParser(stream).then((mail) => {
        received.push({ mail, recipients: envelope.rcptTo.map(({ address }) => address) });
        done();
      }, done);
    },
    ...rest,
  });
  server.on("error", () => {}); // a client that refuses the certificate
  server.listen(0, "0.0.0.0");
  await once(server.server, "listening");
  closeWith(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { port, url: `smtp://127.0.0.1:${port}`, received, counts };
}

export function createTestMailer(
  smtpUrl: string | undefined,
  options: { timeoutMs?: number } = {},
): { mailer: Mailer; log: string[] } {
  const log: string[] = [];
  const logger = createLogger("trace", { write: (line) => void log.push(line) });
  const mailer = createMailer({ smtpUrl, from: FROM, logger, ...options });
  onTestFinished(() => mailer.close());
  return { mailer, log };
}
