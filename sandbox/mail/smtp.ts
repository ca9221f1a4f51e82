import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { parseMail } from "./parse.ts";
import type { Relay } from "./relay.ts";

/** Enough for attachments of 20 MB in base64. */
export const MAX_MESSAGE_BYTES = 36 * 1024 * 1024;
const CLOSE_TIMEOUT_MS = 200;

/**
 * Creates an SMTP server that accepts mail for any address, with any credentials or none. It replies after `relay` has stored
 * the message. Without TLS, because it listens on loopback.
 */
export function createSmtpServer(relay: Pick<Relay, "submit">): SMTPServer {
  const server = new SMTPServer({
    banner: "Satchel's sandbox",
    size: MAX_MESSAGE_BYTES,
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
    onAuth: ({ username }, _session, done) => done(null, { user: username ?? "anonymous" }),
    onData(stream, { envelope }, done) {
      buffer(stream)
        .then(async (raw) => {
          if (stream.sizeExceeded) throw Object.assign(new Error("Message too large"), { responseCode: 552 });
          const from = envelope.mailFrom ? envelope.mailFrom.address : "";
          const to = envelope.rcptTo.map(({ address }) => address);
          return relay.submit({ from, to }, await parseMail(raw, MAX_MESSAGE_BYTES), raw);
        })
        .then(({ id }) => done(null, `Stored as message ${id}`), done);
    },
  });
  // Neither a disconnected client nor a port in use may end the process.
  server.on("error", () => {});
  return server;
}
