/** Passes mail on, as a mail server does: to the server of its domain, to who lives here, back to the sender when it cannot. */
import { createTransport } from "nodemailer";
import { bounceOf } from "./bounce.ts";
import type { Correspondents } from "./correspondents.ts";
import { RELAY_NAME } from "./domain.ts";
import type { Envelope, Mailbox, Message } from "./mailbox.ts";
import type { MailContent } from "./parse.ts";

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** About five minutes. */
const TRIES = 36;
const TIMEOUT_MS = 30_000;

export interface Route {
  readonly host: string;
  readonly port: number;
}

export interface Relay {
  /** From now on mail for a domain goes there, as its MX record would say. */
  route(domain: string, route: Route): void;
  /** Keeps a message where the page shows it, then sends it on its way. */
  submit(envelope: Envelope, content: MailContent, raw: Buffer): Promise<Message>;
  /** Gives up what is under way. */
  stop(): void;
}

/** @param correspondents whose mail stays here */
export function createRelay(
  mailbox: Mailbox,
  correspondents: Correspondents,
  parse: (raw: Buffer) => Promise<MailContent>,
): Relay {
  const routes = new Map<string, Route>();
  const stopping = new AbortController();

  const relay: Relay = {
    route: (domain, route) => void routes.set(domain.toLowerCase(), route),
    async submit(envelope, content, raw) {
      const message = await mailbox.add(envelope, content, raw);
      for (const to of new Set(envelope.to)) void passOn(message, to, raw).catch(() => {});
      return message;
    },
    stop: () => stopping.abort(),
  };

  async function passOn(message: Message, to: string, raw: Buffer): Promise<void> {
    const domain = to.slice(to.lastIndexOf("@") + 1).toLowerCase();
    const answer = await correspondents.answer(message, to, raw);
    if (answer) await send(answer.envelope, answer.raw);
    const route = routes.get(domain);
    if (!route) return;
    const refusal = await deliver(route, { from: message.envelope.from, to: [to] }, stamped(message.id, to, raw));
    if (refusal !== null) await bounce(message.envelope.from, to, refusal, raw);
  }

  async function bounce(sender: string, to: string, refusal: string, raw: Buffer): Promise<void> {
    // Nobody is told that a bounce bounced.
    if (sender !== "") await send({ from: "", to: [sender] }, bounceOf(sender, to, refusal, raw));
  }

  async function send(envelope: Envelope, raw: Buffer): Promise<void> {
    await relay.submit(envelope, await parse(raw), raw);
  }

  /** @returns why it was refused for good; null when it was taken */
  async function deliver({ host, port }: Route, envelope: Envelope, raw: Buffer): Promise<string | null> {
    let lastWords = "";
    for (let attempt = 0; attempt < TRIES && !stopping.signal.aborted; attempt++) {
      const transport = createTransport({
        host,
        port,
        name: RELAY_NAME,
        // As mail servers among each other: better than nothing.
        tls: { rejectUnauthorized: false },
        socketTimeout: TIMEOUT_MS,
      });
      try {
        await transport.sendMail({ envelope: { ...envelope }, raw });
        return null;
      } catch (error) {
        const { responseCode = 0, response } = error as { responseCode?: number; response?: string };
        lastWords = response ?? (error as Error).message;
        if (responseCode >= 500) return lastWords;
      } finally {
        transport.close();
      }
      await pause(Math.min(FIRST_RETRY_MS * 2 ** attempt, MAX_RETRY_MS), stopping.signal);
    }
    return stopping.signal.aborted ? null : lastWords;
  }

  return relay;
}

/** With the line every server adds (RFC 5321 section 4.4). */
function stamped(id: string, to: string, raw: Buffer): Buffer {
  const line = `Received: by ${RELAY_NAME} with ESMTP id ${id}\r\n\tfor <${to}>; ${new Date().toUTCString().replace("GMT", "+0000")}\r\n`;
  return Buffer.concat([Buffer.from(line), raw]);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
