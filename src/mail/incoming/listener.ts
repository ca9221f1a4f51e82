/** The SMTP server that agents' mail comes to (RFC 5321). It says 250 when a message is committed, and not before. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { tracedReceive } from "../../platform/observability/instrumentation.ts";
import { admitHost, admitRecipient, type Recipient } from "./admit.ts";
import type { IncomingMailDeps } from "./deps.ts";
import { receiveMessage } from "./receive.ts";
import { closing, MailRefusedError, notStored, tooLarge } from "./refusal.ts";
import { MessageTooLargeError } from "./spool.ts";

const MAX_CONNECTIONS = 500;
const MAX_CONNECTIONS_PER_HOST = 50;
const MAX_RECIPIENTS = 100;
const IDLE_MS = 60_000;
/** However busy it looks: a peer that sends for ever holds a connection no longer. */
const MAX_CONNECTION_MS = 30 * 60_000;
const AGE_CHECK_MS = 60_000;
/** For peers to see that it ends, once no message is under way. */
const GOODBYE_MS = 200;

export interface MailListener {
  readonly host: string;
  readonly port: number;
  /** Takes no more connections, and waits for messages under way. */
  close(): Promise<void>;
}

/** @param options.tls files in PEM: with them it offers STARTTLS */
export async function startMailListener(
  deps: IncomingMailDeps,
  options: {
    readonly host: string;
    readonly port: number;
    /** What it calls itself. */
    readonly hostname: string;
    readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
    readonly closeTimeoutMs: number;
  },
): Promise<MailListener> {
  const { logger, limits } = deps;
  const { tls } = options;
  const connections = createConnectionCounter();
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  /** The mailboxes of the message that a session is about, by the address it named. */
  const recipients = new WeakMap<SMTPServerSession, Map<string, Recipient>>();

  const server = new SMTPServer({
    name: options.hostname,
    banner: "Satchel",
    // Nobody sends mail on from here.
    disabledCommands: tls ? ["AUTH"] : ["AUTH", "STARTTLS"],
    ...(tls
      ? { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile), minVersion: "TLSv1.2" as const }
      : {}),
    size: limits.maxMessageBytes,
    maxClients: MAX_CONNECTIONS,
    maxRecipients: MAX_RECIPIENTS,
    socketTimeout: IDLE_MS,
    closeTimeout: GOODBYE_MS,
    disableReverseLookup: true,
    // Ours say more, and are in the texts.
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
      if (isClosing) done(closing());
      else answer(admitHost(deps, session.remoteAddress), done);
    },
    onRcptTo({ address }, session, done) {
      const admitted = admitRecipient(deps, senderOf(session), address).then((mailbox) => {
        recipients.get(session)?.set(mailbox.id, mailbox);
      });
      answer(admitted, done);
    },
    onData(stream, session, done) {
      const mailboxes = [...(recipients.get(session)?.values() ?? [])];
      const taking = tracedReceive(() => take(stream, session, mailboxes)).then(
        (text) => done(null, text),
        (error: unknown) => done(toRefusal(error)),
      );
      underWay.add(taking);
      void taking.finally(() => underWay.delete(taking));
    },
  });

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession, mailboxes: readonly Recipient[]) {
    const spooled = await deps.spool.write(stream, { maxBytes: limits.maxMessageBytes });
    try {
      const { remoteAddress, hostNameAppearsAs: helo } = session;
      const envelope = { from: senderOf(session), remoteAddress, helo: helo || null };
      const { messageIds } = await receiveMessage(deps, { envelope, recipients: mailboxes, spooled });
      return messageIds.length > 0 ? `2.0.0 Kept as ${messageIds.join(", ")}` : "2.0.0 Known already";
    } finally {
      await spooled.remove();
    }
  }

  function answer(work: Promise<unknown>, done: (error?: Error | null) => void): void {
    work.then(
      () => done(),
      (error: unknown) => done(toRefusal(error)),
    );
  }

  /** What goes wrong here is nobody's business there: it may be tried again. */
  function toRefusal(error: unknown): MailRefusedError {
    if (error instanceof MailRefusedError) return error;
    if (error instanceof MessageTooLargeError) return tooLarge(limits.maxMessageBytes);
    deps.metrics.count("failed");
    logger.error({ err: error }, "an incoming message was not taken");
    return notStored();
  }

  // A peer that breaks off or speaks no TLS.
  server.on("error", (error) => logger.debug({ err: error }, "a mail connection failed"));
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
      const givenUp = new AbortController();
      const late = after(options.closeTimeoutMs, null, { signal: givenUp.signal }).catch(() => null);
      await Promise.race([Promise.allSettled(underWay), late]);
      givenUp.abort();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function senderOf({ envelope }: SMTPServerSession): string {
  return envelope.mailFrom ? envelope.mailFrom.address : "";
}

/** How many connections each host has open on this node, and since when. */
function createConnectionCounter() {
  const hosts = new Map<string, number>();
  const since = new Map<string, number>();
  return {
    /** False, and not counted, when the host has too many. */
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
