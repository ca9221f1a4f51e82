/** The message reader's threads: slow messages and unavailable name servers do not affect other messages. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { createMessageReader } from "../../src/mail/incoming/message-reader.ts";
import { openSpool, type SpooledMessage } from "../../src/mail/incoming/spool.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";

const ENVELOPE = { from: "ada@ada.example", remoteAddress: "127.0.0.1", helo: "mx.ada.example" };
const PLAIN = "From: ada@ada.example\r\nSubject: plain\r\nMessage-ID: <plain@ada.example>\r\n\r\nHello.\r\n";
/** A closed port: queries fail immediately. */
const NO_SERVER = ["127.0.0.1:9"];
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function open(options: { dnsServers: string[]; parsingTimeoutMs?: number }) {
  const dataDir = mkdtempSync(join(tmpdir(), "mail-reader-"));
  const spool = openSpool(dataDir);
  const log: string[] = [];
  const logger = createLogger("trace", { write: (line) => void log.push(line) });
  const reader = createMessageReader({ hostname: "mx.example", logger, ...options });
  closing.push(
    () => rmSync(dataDir, { recursive: true }),
    () => spool.close(),
    () => reader.close(),
  );
  const read = async (raw: string) => {
    const spooled: SpooledMessage = await spool.write(Readable.from([Buffer.from(raw)]), { maxBytes: 10_000_000 });
    return await reader.read(spooled, ENVELOPE);
  };
  return { read, log };
}

/** Starts a name server that receives queries and never responds. */
async function silentNameServer(): Promise<string> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  closing.push(() => socket.close());
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

it("parses a message and records temperror when name servers do not respond", { timeout: 40_000 }, async () => {
  const { read } = open({ dnsServers: [await silentNameServer()] });
  const { message, authentication } = await read(PLAIN);
  expect(message).toMatchObject({ subject: "plain", bodyText: "Hello.\n", messageIdHeader: "<plain@ada.example>" });
  expect(authentication).toMatchObject({ spfResult: "temperror", dmarcResult: "temperror" });
});

it("stores a message unparsed after a timeout, and parses later ones", { timeout: 40_000 }, async () => {
  const { read, log } = open({ dnsServers: NO_SERVER, parsingTimeoutMs: 1 });
  const { message, authentication } = await read(PLAIN);
  expect(message).toMatchObject({ subject: "(unreadable message)", from: { address: "ada@ada.example" } });
  expect(message.attachments).toMatchObject([
    { filename: "message.eml", contentType: "message/rfc822", sizeBytes: PLAIN.length },
  ]);
  expect(authentication.dmarcResult).toBe("permerror");
  expect(log.join()).toContain("stored unparsed");
  expect(log.join()).not.toContain("Hello.");

  const patient = open({ dnsServers: NO_SERVER });
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, n) => patient.read(PLAIN.replace("plain@", `plain-${n}@`))),
  );
  expect(all.map((one) => one.message.subject)).toEqual(Array(8).fill("plain"));
});

it("stores a message with too many parts unparsed", { timeout: 40_000 }, async () => {
  const { read } = open({ dnsServers: NO_SERVER });
  const parts = "--b\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n".repeat(400);
  const { message } = await read(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`);
  expect(message.attachments.map(({ filename }) => filename)).toEqual(["message.eml"]);
});

it("truncates long text and attaches the original", { timeout: 40_000 }, async () => {
  const { read } = open({ dnsServers: NO_SERVER });
  const { message } = await read(`Subject: long\r\n\r\n${"word ".repeat(300_000)}\r\n`);
  expect(message.bodyText).toHaveLength(1_000_000);
  expect(message.attachments).toMatchObject([{ filename: "message.eml" }]);
});
