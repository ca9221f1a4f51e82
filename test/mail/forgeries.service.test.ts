/** Forged messages: senders, Message-IDs, threads and delivery reports. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { authenticateSender } from "../../src/mail/incoming/authenticate-sender.ts";
import { readMessageHead } from "../../src/mail/incoming/message-head.ts";
import { newId } from "../../src/platform/ids.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { createMailbox, storeMessage } from "./fixtures.ts";
import { openSender, type Sender, sendRaw } from "./senders.ts";

let stack: Stack;
let mailbox: Mailbox;
let ada: Sender;

beforeAll(async () => {
  stack = await sharedStack();
  mailbox = await createMailbox(stack, await stack.account());
  // Her SPF permits no host, so only DKIM authenticates her.
  ada = await openSender(stack, "keyed.example", "v=spf1 -all");
});

const prisma = () => stack.service.deps.db.prisma;
const forge = (to: string, fields: readonly string[], text = "Pay me.") =>
  sendRaw(stack, to, [`To: ${to}`, ...fields, "", text, ""].join("\r\n"), "eve@eve.example").catch((error) =>
    String(error.response),
  );

describe("a mailbox with an allow rule for one author", () => {
  let strict: Mailbox;
  beforeAll(async () => {
    strict = await createMailbox(stack, await stack.account());
    await prisma().mailRule.create({
      data: { id: newId("mrl"), mailboxId: strict.id, action: "allow", pattern: "ada@keyed.example" },
    });
  });
  const stored = (subject: string) => prisma().mailMessage.count({ where: { mailboxId: strict.id, subject } });

  it("accepts authenticated mail of the author", async () => {
    await ada.send({ from: "ada@keyed.example", to: strict.address, subject: "genuine", text: "Hello" });
    expect(await stored("genuine")).toBe(1);
  });

  const SIGNATURE = "DKIM-Signature: v=1; a=rsa-sha256; d=eve.example; s=x; h=from; bh=AAAA; b=AAAA";
  it.each([
    ["only her address in From", ["From: ada@keyed.example"]],
    ["too many signatures to check", ["From: ada@keyed.example", ...Array.from({ length: 25 }, () => SIGNATURE)]],
    ["two authors", ["From: ada@keyed.example", "From: eve@eve.example"]],
    ["two authors in reverse order", ["From: eve@eve.example", "From: ada@keyed.example"]],
    ["two authors in one field", ["From: ada@keyed.example, eve@eve.example"]],
    ["a header that exceeds the limit", [`X-Filler: ${"x".repeat(1_100_000)}`, "From: ada@keyed.example"]],
  ])("refuses a forgery with %s", async (name, fields) => {
    const reply = await forge(strict.address, [...fields, `Subject: ${name}`]);
    expect(reply).toMatch(/^[45]\d\d /);
    expect(await stored(name)).toBe(0);
    expect(await stored("(unreadable message)")).toBe(0);
  });

  it("accepts delivery reports only about its own emails", async () => {
    const sent = await storeMessage(stack, strict, {
      direction: "outbound",
      messageIdHeader: "<order@agents.example>",
    });
    const report = (messageId: string, subject: string) =>
      forge(
        strict.address,
        [
          "From: mailer-daemon@eve.example",
          `Subject: ${subject}`,
          "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        ],
        [
          "--b\r\nContent-Type: text/plain\r\n\r\nPay me.",
          "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nAction: failed\r\nStatus: 5.1.1",
          `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${messageId}`,
          "--b--",
        ].join("\r\n"),
      );
    expect(await report("<other@agents.example>", "made up")).toMatch(/^550 /);
    expect(await stored("made up")).toBe(0);
    expect(await report(sent.messageIdHeader, "true")).toMatch(/^250 /);
  });

  it("refuses an unparsable forgery with her address as the envelope sender", async () => {
    const parts = Array.from({ length: 400 }, () => "--b\r\nContent-Type: application/pdf\r\n\r\nx\r\n").join("");
    const raw = `From: ada@keyed.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`;
    const reply = await sendRaw(stack, strict.address, raw, "ada@keyed.example").catch((error) =>
      String(error.response),
    );
    expect(reply).toMatch(/^[45]\d\d /);
    expect(await stored("(unreadable message)")).toBe(0);
  });
});

describe("a forgery with the Message-ID of a genuine message", () => {
  const all = (subject: string) => prisma().mailMessage.findMany({ where: { mailboxId: mailbox.id, subject } });

  it("does not block the genuine message when it arrives first", async () => {
    const messageId = "<invoice-1@keyed.example>";
    await forge(
      mailbox.address,
      ["From: ada@keyed.example", "Subject: Invoice 1", `Message-ID: ${messageId}`],
      "Pay Eve.",
    );
    const genuine = {
      from: "ada@keyed.example",
      to: mailbox.address,
      subject: "Invoice 1",
      messageId,
      text: "Pay Ada.",
    };
    await ada.send(genuine);
    const texts = (await all("Invoice 1"))
      .filter(({ dmarcResult }) => dmarcResult === "pass")
      .map((row) => row.bodyText);
    expect(texts).toEqual([expect.stringMatching(/^Pay Ada/)]);
    // A duplicate changes nothing.
    await ada.send(genuine);
    expect((await all("Invoice 1")).length).toBe(2);
  });

  it("is discarded as a duplicate when it arrives second", async () => {
    const messageId = "<invoice-2@keyed.example>";
    await ada.send({
      from: "ada@keyed.example",
      to: mailbox.address,
      subject: "Invoice 2",
      messageId,
      text: "Pay Ada.",
    });
    await forge(
      mailbox.address,
      ["From: ada@keyed.example", "Subject: Invoice 2", `Message-ID: ${messageId}`],
      "Pay Eve.",
    );
    expect((await all("Invoice 2")).map((row) => row.dmarcResult)).toEqual(["pass"]);
  });
});

it("does not merge threads because of a forged Message-ID", async () => {
  const first = await storeMessage(stack, mailbox, {
    direction: "outbound",
    subject: "Wages",
    messageIdHeader: "<wages@agents.example>",
  });
  const other = await storeMessage(stack, mailbox, {
    direction: "outbound",
    subject: "Lunch",
    messageIdHeader: "<lunch@agents.example>",
  });
  await storeMessage(stack, mailbox, { subject: "Re: Wages", inReplyTo: first.messageIdHeader });
  expect(first.threadId).not.toBe(other.threadId);
  const reply = await forge(mailbox.address, [
    "From: eve@eve.example",
    "Subject: joined",
    `Message-ID: ${first.messageIdHeader}`,
    `In-Reply-To: ${other.messageIdHeader}`,
  ]);
  expect(reply).toMatch(/^250 /);
  const threads = await prisma().mailMessage.findMany({
    where: { id: { in: [first.id, other.id] } },
    select: { threadId: true },
  });
  expect(new Set(threads.map(({ threadId }) => threadId)).size).toBe(2);
});

it("removes direction overrides from names and subjects", async () => {
  await forge(mailbox.address, ["From: \u202egro.knab\u202c <eve@eve.example>", "Subject: \u2066a\u202eb"]);
  const row = await prisma().mailMessage.findFirstOrThrow({ where: { mailboxId: mailbox.id, subject: "ab" } });
  expect(row.fromName).toBe("gro.knab");
});

it("makes no DNS query for a message whose header exceeds the limit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "satchel-head-"));
  const path = join(folder, "message.eml");
  const signature = "DKIM-Signature: v=1; a=rsa-sha256; d=eve.example; s=x; h=from; bh=AAAA; b=AAAA\r\n";
  writeFileSync(path, `X-Filler: ${"x".repeat(1_100_000)}\r\n${signature.repeat(50)}From: a@eve.example\r\n\r\nHi\r\n`);
  const queried: string[] = [];
  const envelope = { from: "a@eve.example", remoteAddress: "192.0.2.1", helo: "x" };
  const head = await readMessageHead(path);
  const { authentication } = await authenticateSender({ path, envelope, head, hostname: "mx" }, async (domain) => {
    queried.push(domain);
    return [];
  });
  rmSync(folder, { recursive: true });
  expect(queried).toEqual([]);
  expect(authentication.dmarcResult).toBe("permerror");
});
