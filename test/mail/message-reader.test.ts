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

const HEAD = "From: ada@ada.example\r\nMessage-ID: <hostile@ada.example>\r\n";
const fill = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length)).slice(0, 1_000_000);
const typed = (type: string, body: string) => `${HEAD}Content-Type: ${type}\r\n\r\n${body}`;
const style = (css: string) => typed("text/html", `<style>${fill(css)}</style><p>Hello.</p>`);
const html = (css: string, body: string) => typed("text/html", `<style>${css}</style>${body}`);
const variables = (count: number) => Array.from({ length: count }, (_, n) => `--a${n}:b`).join(";");

/** Inputs of up to a megabyte that would need more than linear time. */
it.each<[string, () => string]>([
  ["open commands of text/enriched", () => typed("text/enriched", fill("<bold>"))],
  ["parameters of text/enriched", () => typed("text/enriched", fill("<color><param>a"))],
  ["flowed lines", () => typed("text/plain; format=flowed", fill("> a \n"))],
  ["quote marks", () => typed("text/plain; format=flowed; delsp=yes", fill(">"))],
  ["beginnings of uuencode", () => typed("text/plain", fill("begin 644 a\n&2&5L;&\\*\n"))],
  ["an open block of uuencode", () => typed("text/plain", `begin 644 a\n${fill("&2&5L;&\\*\n")}`)],
  ["events", () => typed("text/calendar", fill("BEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\n").slice(0, 250_000))],
  ["attendees", () => typed("text/calendar", `BEGIN:VEVENT\r\n${fill("ATTENDEE:mailto:a@b.c\r\n").slice(0, 250_000)}`)],
  ["folded lines", () => typed("text/calendar", `BEGIN:VEVENT\r\n${fill("A:\r\n ").slice(0, 250_000)}`)],
  [
    "time zones",
    () =>
      typed(
        "text/calendar",
        fill(
          "BEGIN:VTIMEZONE\r\nTZID:a\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n",
        ).slice(0, 250_000),
      ),
  ],
  ["a content type", () => typed(`text/plain${fill(' ;=a"').slice(0, 500_000)}`, "Hello.")],
  ["styles", () => style("a{color:color-mix(in srgb,color-mix(in srgb,red,blue),red)}")],
  [
    "distinct styles",
    () => typed("text/html", Array.from({ length: 20_000 }, (_, n) => `<p style="font:${n}px a b,c d">a`).join("")),
  ],
  [
    "distinct invalid styles",
    () =>
      typed("text/html", Array.from({ length: 20_000 }, (_, n) => `<p style="background:red x${n} url(a)">a`).join("")),
  ],
  [
    "covering elements",
    () =>
      typed("text/html", fill('<div style="position:absolute;inset:0;background:red">a').slice(0, 20_000).repeat(3)),
  ],
  [
    "covering siblings",
    () =>
      typed("text/html", fill('<i style="position:absolute;top:0;left:0;width:900px;height:9px;background:red">a</i>')),
  ],
  ["generated text", () => style("a::before{content:'Pay.'}")],
  ["open strings", () => style("a{content:'")],
  ["escaped quotes", () => style(`a{content:${fill("\\'")}`)],
  ["nested selectors", () => html(`a${"{& & & & & & & &".repeat(8)}{color:red}${"}".repeat(8)}`, "<a>x</a>")],
  ["combinators of siblings", () => html("q ~ * ~ * ~ * ~ i{color:red}", "<i>x</i>".repeat(30_000))],
  ["combinators of ancestors", () => html("* * * * * * * * p > q ~ i{color:red}", fill("<i>x<b>").slice(0, 300_000))],
  ["siblings between comments", () => html(fill("i+i{top:0}").slice(0, 300_000), "<i>x</i><!---->".repeat(40_000))],
  ["negations", () => html(`${"*:not(*:not(".repeat(20)}a${"))".repeat(20)}{color:red}`, "<i>x</i>".repeat(30_000))],
  ["a list of selectors", () => html(`${fill("a,").slice(0, 900_000)}b{color:red}`, "<b>x</b>")],
  ["variables", () => html(`*{${variables(40_000)}}`, "<p>x".repeat(10_000))],
  [
    "inherited variables",
    () => html("", `<div style="${variables(30_000)}">${'<p style="--b:c;color:var(--z)">x'.repeat(10_000)}`),
  ],
  [
    "repeated variables",
    () => html(`p{--a:${"var(--b)".repeat(200)};--b:${"x ".repeat(900)};top:var(--a)}`, "<p>x".repeat(30_000)),
  ],
  ["declarations of many elements", () => html(`*{${"color:red;".repeat(40_000)}}`, "<i>x</i>".repeat(40_000))],
  ["a long gradient", () => html(`*{background:linear-gradient(${"red,".repeat(450)}red)}`, "<i>x</i>".repeat(40_000))],
  ["unclosed comments", () => html("", `<p style="color:red${fill("/*")}">x</p>`)],
  [
    "long class names",
    () => html(".a.b .c{color:red}".repeat(2_000), `<i class="${"a b c ".repeat(300)}">x</i>`.repeat(450)),
  ],
  ["form fields", () => typed("text/html", fill("<input value=a>"))],
])("parses a hostile message within seconds: %s", { timeout: 60_000 }, async (_name, create) => {
  // The limit is that of the reader: a message that exceeds it is stored unparsed.
  const { read } = open({ dnsServers: NO_SERVER, parsingTimeoutMs: 20_000 });
  const { message } = await read(create());
  expect(message.messageIdHeader).toBe("<hostile@ada.example>");
});
