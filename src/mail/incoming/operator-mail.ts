/**
 * Mail to the operator: `postmaster`, which every mail domain must accept (RFC 5321 section 4.5.1), and `abuse` (RFC 2142). It is
 * passed on unchanged before the reply. Nothing is stored: the sender retries what could not be passed on.
 */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { readSmtpFailure, smtpConnectionOptions } from "../../platform/email/smtp.ts";
import type { Envelope } from "./incoming-message.ts";
import { readMessageHead } from "./message-head.ts";
import { MAX_HOPS, notStored, operatorRefused, tooManyHops } from "./refusal.ts";
import type { SpooledMessage } from "./spool.ts";

const ROLES: readonly string[] = ["postmaster", "abuse"];
/** Below the ten minutes for which senders wait for the reply (RFC 5321 section 4.5.3.2.6). */
const TIMEOUT_MS = 120_000;

export interface OperatorMail {
  /** Returns whether an address is one of the operator's. Without an operator's address and a mail server, none is. */
  handles(address: string): boolean;
  /**
   * Passes a message on to the operator, with an empty envelope sender: nothing returns if it is refused later.
   * @throws {MailRefusedError} temporary or permanent, as the mail server refused it
   */
  forward(message: { readonly spooled: SpooledMessage; readonly envelope: Envelope }): Promise<void>;
  close(): void;
}

/**
 * @param options.domain the domain of agents' addresses
 * @param options.address the operator's address; undefined when none is configured
 * @param options.smtpUrl undefined when no mail server is configured
 * @param options.hostname the name of this server
 */
export function createOperatorMail(options: {
  readonly domain: () => string;
  readonly address: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly hostname: string;
}): OperatorMail {
  const { address, smtpUrl, hostname } = options;
  const transport = smtpUrl === undefined ? null : createTransport(smtpConnectionOptions(smtpUrl));
  return {
    handles(recipient) {
      if (!transport || address === undefined) return false;
      const domain = options.domain();
      // It would return here.
      if (address.toLowerCase().endsWith(`@${domain}`)) return false;
      const [role = "", at] = recipient.toLowerCase().split("@");
      return ROLES.includes(role) && (at === domain || (at === undefined && role === "postmaster"));
    },
    async forward({ spooled, envelope }) {
      if (!transport || address === undefined) throw notStored();
      if ((await readMessageHead(spooled.path)).count("received") > MAX_HOPS) throw tooManyHops();
      const raw = Readable.from(withTrace(spooled.path, formatTrace(envelope, hostname)), { objectMode: false });
      try {
        const sent = { envelope: { from: "", to: [address] }, raw, signal: AbortSignal.timeout(TIMEOUT_MS) };
        await transport.sendMail(sent);
      } catch (error) {
        throw readSmtpFailure(error).isPermanent ? operatorRefused() : notStored();
      }
    },
    close: () => transport?.close(),
  };
}

async function* withTrace(path: string, trace: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(trace);
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

/** Returns the trace field of this server (RFC 5321 section 4.4), which also ends loops. */
function formatTrace({ remoteAddress, helo }: Envelope, hostname: string): string {
  const name = /^[\w.-]{1,255}$/.test(helo ?? "") ? helo : "unknown";
  const host = remoteAddress === null ? "" : ` ([${remoteAddress}])`;
  return `Received: from ${name}${host} by ${hostname} with ESMTP; ${new Date().toUTCString().replace("GMT", "+0000")}\r\n`;
}
