/** Mail relay of the sandbox: delivers to the domain's server or to a local correspondent, and bounces undeliverable mail. */
import { createTransport } from "nodemailer";
import { createBounce } from "./bounce.ts";
import type { Correspondents } from "./correspondents.ts";
import { RELAY_NAME } from "./domain.ts";
import type { Envelope, Mailbox, Message } from "./mailbox.ts";
import type { MailContent } from "./parse.ts";

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** Attempts within about five minutes. */
const MAX_ATTEMPTS = 36;
const TIMEOUT_MS = 30_000;

export interface Route {
  readonly host: string;
  readonly port: number;
}

export interface Relay {
  /** Sets the server for a domain's mail, in place of an MX record. */
  route(domain: string, route: Route): void;
  /** Stores a message in the mailbox, then relays it in the background. */
  submit(envelope: Envelope, content: MailContent, raw: Buffer): Promise<Message>;
  /** Aborts retries of outstanding deliveries. */
  stop(): void;
}

/** Creates a relay. @param correspondents local recipients */
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
      for (const to of new Set(envelope.to)) void forward(message, to, raw).catch(() => {});
      return message;
    },
    stop: () => stopping.abort(),
  };

  async function forward(message: Message, to: string, raw: Buffer): Promise<void> {
    const domain = to.slice(to.lastIndexOf("@") + 1).toLowerCase();
    const reply = await correspondents.reply(message, to, raw);
    if (reply) await send(reply.envelope, reply.raw);
    const route = routes.get(domain);
    if (!route) return;
    const refusal = await deliver(
      route,
      { from: message.envelope.from, to: [to] },
      addReceivedField(message.id, to, raw),
    );
    if (refusal !== null) await bounce(message.envelope.from, to, refusal, raw);
  }

  async function bounce(sender: string, to: string, refusal: string, raw: Buffer): Promise<void> {
    // A bounce of a bounce is discarded (RFC 5321 section 6.1).
    if (sender !== "") await send({ from: "", to: [sender] }, createBounce(sender, to, refusal, raw));
  }

  async function send(envelope: Envelope, raw: Buffer): Promise<void> {
    await relay.submit(envelope, await parse(raw), raw);
  }

  /** Delivers a message, with retries. Returns the reason when it was refused; null when it was accepted or the relay stopped. */
  async function deliver({ host, port }: Route, envelope: Envelope, raw: Buffer): Promise<string | null> {
    let lastError = "";
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !stopping.signal.aborted; attempt++) {
      const transport = createTransport({
        host,
        port,
        name: RELAY_NAME,
        // Opportunistic TLS, as usual between mail servers.
        tls: { rejectUnauthorized: false },
        socketTimeout: TIMEOUT_MS,
      });
      try {
        await transport.sendMail({ envelope: { ...envelope }, raw });
        return null;
      } catch (error) {
        const { responseCode = 0, response } = error as { responseCode?: number; response?: string };
        lastError = response ?? (error as Error).message;
        if (responseCode >= 500) return lastError;
      } finally {
        transport.close();
      }
      await pause(Math.min(FIRST_RETRY_MS * 2 ** attempt, MAX_RETRY_MS), stopping.signal);
    }
    return stopping.signal.aborted ? null : lastError;
  }

  return relay;
}

/** Prepends the Received field that every server adds (RFC 5321 section 4.4). */
function addReceivedField(id: string, to: string, raw: Buffer): Buffer {
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
