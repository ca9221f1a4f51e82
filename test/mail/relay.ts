/** A test SMTP relay that can stop, refuse recipients or withhold its replies. */
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { findFreePort } from "../support/find-free-port.ts";

export interface AcceptedEmail {
  readonly raw: Buffer;
  readonly mail: ParsedMail;
  readonly from: string;
  readonly recipients: readonly string[];
}

export interface TestRelay {
  readonly url: string;
  /** Emails accepted with 250, in order. */
  readonly accepted: AcceptedEmail[];
  /** Returns the number of emails read completely, with or without a reply. */
  readonly readCount: () => number;
  /** Sets the reply to each recipient. Null accepts all. */
  refuse(replyTo: ((recipient: string) => [code: number, text: string] | null) | null): void;
  /** Withholds the reply to emails that are read, until `releaseReplies`. @param to only those to this recipient */
  holdReplies(to?: string): void;
  releaseReplies(): void;
  /** Discards the emails without a reply, like a server that ends before it replies. */
  discardHeld(): void;
  start(): Promise<void>;
  /** Stops immediately and closes every connection. */
  stop(): Promise<void>;
}

export async function openRelay(): Promise<TestRelay> {
  const port = await findFreePort();
  const accepted: AcceptedEmail[] = [];
  let read = 0;
  let refusal: ((recipient: string) => [code: number, text: string] | null) | null = null;
  let gate: PromiseWithResolvers<void> | null = null;
  let heldRecipient: string | null = null;
  let server: SMTPServer | null = null;

  const open = () =>
    new SMTPServer({
      disabledCommands: ["STARTTLS", "AUTH"],
      logger: false,
      closeTimeout: 1,
      onRcptTo({ address }, _session, done) {
        const refused = refusal?.(address);
        done(refused ? Object.assign(new Error(refused[1]), { responseCode: refused[0] }) : null);
      },
      onData(stream, { envelope }, done) {
        const receive = async () => {
          const raw = await buffer(stream);
          read += 1;
          const from = envelope.mailFrom ? envelope.mailFrom.address : "";
          const recipients = envelope.rcptTo.map(({ address }) => address);
          if (heldRecipient === null || recipients.includes(heldRecipient)) await gate?.promise;
          accepted.push({ raw, mail: await simpleParser(raw), from, recipients });
        };
        receive().then(() => done(), done);
      },
    });

  const relay: TestRelay = {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    readCount: () => read,
    refuse: (replyTo) => {
      refusal = replyTo;
    },
    holdReplies: (to) => {
      heldRecipient = to ?? null;
      gate = Promise.withResolvers();
      gate.promise.catch(() => {}); // no email may be waiting on it
    },
    releaseReplies: () => {
      gate?.resolve();
      gate = null;
    },
    discardHeld: () => {
      gate?.reject(new Error("The server ended."));
      gate = null;
    },
    async start() {
      server = open();
      server.on("error", () => {}); // a client that was killed
      server.listen(port, "127.0.0.1");
      await once(server.server, "listening");
    },
    async stop() {
      const closing = server;
      server = null;
      if (closing) await new Promise<void>((resolve) => closing.close(resolve));
    },
  };
  await relay.start();
  return relay;
}
