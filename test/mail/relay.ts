/** A mail server that agents' mail leaves through: it may be away, refuse, or fall silent at the worst moment. */
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { freePort } from "../support/free-port.ts";

export interface TakenLetter {
  readonly raw: Buffer;
  readonly mail: ParsedMail;
  readonly from: string;
  readonly recipients: readonly string[];
}

export interface TestRelay {
  readonly url: string;
  /** What it answered 250 to, in order. */
  readonly taken: TakenLetter[];
  /** How many letters it has read whole, answered or not. */
  readonly readCount: () => number;
  /** Answers each recipient so from now on; null takes all. */
  refuse(answer: ((recipient: string) => [code: number, text: string] | null) | null): void;
  /** From now on reads letters and leaves them without an answer, until `release`. */
  hold(): void;
  release(): void;
  /** Loses the letters it holds, as a server does that ends before it answered. */
  forget(): void;
  start(): Promise<void>;
  /** Gone at once, with every connection. */
  stop(): Promise<void>;
}

export async function openRelay(): Promise<TestRelay> {
  const port = await freePort();
  const taken: TakenLetter[] = [];
  let read = 0;
  let refusal: ((recipient: string) => [code: number, text: string] | null) | null = null;
  let gate: PromiseWithResolvers<void> | null = null;
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
        const take = async () => {
          const raw = await buffer(stream);
          read += 1;
          await gate?.promise;
          const from = envelope.mailFrom ? envelope.mailFrom.address : "";
          const recipients = envelope.rcptTo.map(({ address }) => address);
          taken.push({ raw, mail: await simpleParser(raw), from, recipients });
        };
        take().then(() => done(), done);
      },
    });

  const relay: TestRelay = {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    readCount: () => read,
    refuse: (answer) => {
      refusal = answer;
    },
    hold: () => {
      gate = Promise.withResolvers();
      gate.promise.catch(() => {}); // also where it holds none
    },
    release: () => {
      gate?.resolve();
      gate = null;
    },
    forget: () => {
      gate?.reject(new Error("It ended."));
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
