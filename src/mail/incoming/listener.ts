/** SMTP server for incoming agent mail (RFC 5321). It replies 250 only after the message is committed. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { tracedReceive } from "../../platform/observability/instrumentation.ts";
import { admitHost, admitRecipient, admitToOperator, type Recipient } from "./admit.ts";
import { type CertificateFiles, followCertificate, readCertificate } from "./certificate.ts";
import type { IncomingMailDeps } from "./deps.ts";
import { receiveMessage } from "./receive-message.ts";
import { closing, MailRefusedError, notStored, ownTransaction, tooLarge } from "./refusal.ts";
import { MessageTooLargeError } from "./spool.ts";

const MAX_CONNECTIONS = 500;
const MAX_CONNECTIONS_PER_HOST = 50;
const MAX_RECIPIENTS = 100;
const IDLE_MS = 60_000;
/** Maximum age of a connection, active or idle. Limits clients that send without end. */
const MAX_CONNECTION_MS = 30 * 60_000;
const AGE_CHECK_MS = 60_000;
const MIN_TLS_VERSION = "TLSv1.2";
/** Time for clients to receive the shutdown reply after all in-flight messages have ended. */
const CLOSE_GRACE_MS = 200;

export interface MailListener {
  readonly host: string;
  readonly port: number;
  /** Refuses new messages, waits for in-flight ones up to `closeTimeoutMs`, and stops the server. */
  close(): Promise<void>;
}

/**
 * Starts the SMTP server.
 * @param options.tls when given, the server offers STARTTLS
 */
export async function startMailListener(
  deps: IncomingMailDeps,
  options: {
    readonly host: string;
    readonly port: number;
    /** The server's name in its greeting. */
    readonly hostname: string;
    readonly tls: CertificateFiles | null;
    readonly closeTimeoutMs: number;
  },
): Promise<MailListener> {
  const { logger, limits } = deps;
  const { tls } = options;
  const certificate = tls && readCertificate(tls);
  const connections = createConnectionCounter();
  const inFlight = new Set<Promise<void>>();
  let isClosing = false;
  /** Accepted recipients of each session's current message, by mailbox id. */
  const recipients = new WeakMap<SMTPServerSession, Map<string, Recipient>>();
  /** Sessions whose current message is for the operator. */
  const toOperator = new WeakSet<SMTPServerSession>();

  const server = new SMTPServer({
    name: options.hostname,
    banner: "Satchel",
    // The server does not relay mail, so no client needs to log in.
    disabledCommands: tls ? ["AUTH"] : ["AUTH", "STARTTLS"],
    ...(certificate ? { ...certificate, minVersion: MIN_TLS_VERSION } : {}),
    size: limits.maxMessageBytes,
    maxClients: MAX_CONNECTIONS,
    maxRecipients: MAX_RECIPIENTS,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_GRACE_MS,
    disableReverseLookup: true,
    // The reply texts contain more specific codes.
    hideENHANCEDSTATUSCODES: true,
    logger: false,
    onConnect(session, done) {
      deps.reader.warmUp();
      if (isClosing) done(closing());
      else if (connections.open(session)) done();
      else done(new MailRefusedError(421, "4.7.0 Too many connections from this host."));
    },
    onClose: (session) => connections.close(session),
    onMailFrom(_address, session, done) {
      recipients.set(session, new Map());
      toOperator.delete(session);
      if (isClosing) done(closing());
      else replyWith(admitHost(deps, session.remoteAddress), done);
    },
    onRcptTo({ address }, session, done) {
      replyWith(addRecipient(session, address), done);
    },
    onData(stream, session, done) {
      const mailboxes = [...(recipients.get(session)?.values() ?? [])];
      const receiving = tracedReceive(() => receiveData(stream, session, mailboxes)).then(
        (text) => done(null, text),
        (error: unknown) => done(toRefusal(error)),
      );
      inFlight.add(receiving);
      void receiving.finally(() => inFlight.delete(receiving));
    },
  });

  /** One reply covers all recipients of a message, so the operator's, which another server accepts, are alone. */
  async function addRecipient(session: SMTPServerSession, address: string): Promise<void> {
    const mailboxes = recipients.get(session);
    const sender = getEnvelopeSender(session);
    if (deps.operatorMail.handles(address)) {
      if (mailboxes && mailboxes.size > 0) throw ownTransaction();
      await admitToOperator(deps, sender);
      toOperator.add(session);
      return;
    }
    const mailbox = await admitRecipient(deps, sender, address);
    if (toOperator.has(session)) throw ownTransaction();
    mailboxes?.set(mailbox.id, mailbox);
  }

  async function receiveData(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    mailboxes: readonly Recipient[],
  ) {
    const spooled = await deps.spool.write(stream, { maxBytes: limits.maxMessageBytes });
    try {
      const { remoteAddress, hostNameAppearsAs: helo } = session;
      const envelope = { from: getEnvelopeSender(session), remoteAddress, helo: helo || null };
      if (toOperator.has(session)) {
        await deps.operatorMail.forward({ spooled, envelope });
        return "2.0.0 Passed on to the operator";
      }
      const { messageIds } = await receiveMessage(deps, { envelope, recipients: mailboxes, spooled });
      return messageIds.length > 0 ? `2.0.0 Stored as ${messageIds.join(", ")}` : "2.0.0 Duplicate, already stored";
    } finally {
      await spooled.remove();
    }
  }

  function replyWith(work: Promise<unknown>, done: (error?: Error | null) => void): void {
    work.then(
      () => done(),
      (error: unknown) => done(toRefusal(error)),
    );
  }

  /** Maps an error to an SMTP reply. Internal errors become a temporary failure without details. */
  function toRefusal(error: unknown): MailRefusedError {
    if (error instanceof MailRefusedError) return error;
    if (error instanceof MessageTooLargeError) return tooLarge(limits.maxMessageBytes);
    deps.metrics.count("failed");
    logger.error({ err: error }, "Incoming message was not stored; the sender can retry");
    return notStored();
  }

  // The client disconnected, or its TLS handshake failed.
  server.on("error", (error) => logger.debug({ err: error }, "SMTP connection failed"));
  const stopFollowing =
    tls && certificate
      ? followCertificate(tls, certificate, {
          logger,
          apply: (renewed) => server.updateSecureContext({ ...renewed, minVersion: MIN_TLS_VERSION }),
        })
      : () => {};
  const aging = setInterval(() => {
    for (const connection of server.connections) {
      if (connections.ageMs(connection.session) > MAX_CONNECTION_MS) connection.close();
    }
  }, AGE_CHECK_MS).unref();
  server.listen(options.port, options.host);
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    host: options.host,
    port,
    async close() {
      isClosing = true;
      clearInterval(aging);
      stopFollowing();
      const timeoutAbort = new AbortController();
      const timeout = after(options.closeTimeoutMs, null, { signal: timeoutAbort.signal }).catch(() => null);
      await Promise.race([Promise.allSettled(inFlight), timeout]);
      timeoutAbort.abort();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function getEnvelopeSender({ envelope }: SMTPServerSession): string {
  return envelope.mailFrom ? envelope.mailFrom.address : "";
}

/** Counts open connections per host on this node and records their age. */
function createConnectionCounter() {
  const hosts = new Map<string, number>();
  const since = new Map<string, number>();
  return {
    /** Counts the connection. Returns false, without counting it, when the host has too many. */
    open({ id, remoteAddress }: SMTPServerSession): boolean {
      const count = hosts.get(remoteAddress) ?? 0;
      if (count >= MAX_CONNECTIONS_PER_HOST) return false;
      hosts.set(remoteAddress, count + 1);
      since.set(id, Date.now());
      return true;
    },
    close({ id, remoteAddress }: SMTPServerSession): void {
      if (!since.delete(id)) return;
      const count = (hosts.get(remoteAddress) ?? 1) - 1;
      if (count > 0) hosts.set(remoteAddress, count);
      else hosts.delete(remoteAddress);
    },
    ageMs: ({ id }: SMTPServerSession): number => Date.now() - (since.get(id) ?? Date.now()),
  };
}
