/** What strangers forge: whose names they borrow, and which messages they would have lost, joined or let in. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { newId } from "../../src/platform/ids.ts";
import { type Stack, startStack } from "../support/stack.ts";
import { openMailbox, storeMessage } from "./correspondence.ts";
import { openSender, type Sender, sendRaw } from "./senders.ts";

let stack: Stack;
let mailbox: Mailbox;
let ada: Sender;

beforeAll(async () => {
  stack = await startStack({ networks: [], env: { AGENT_MAIL_DOMAIN: "agents.example" } });
  mailbox = await openMailbox(stack, await stack.account());
  // No host may send for her: only her key vouches for her.
  ada = await openSender(stack, "ada.example", "v=spf1 -all");
});
afterAll(() => stack?.stop());

const prisma = () => stack.service.deps.db.prisma;
const forge = (to: string, fields: readonly string[], text = "Pay me.") =>
  sendRaw(stack, to, [`To: ${to}`, ...fields, "", text, ""].join("\r\n"), "eve@eve.example").catch((error) =>
    String(error.response),
  );

describe("a mailbox that takes mail of one author alone", () => {
  let strict: Mailbox;
  beforeAll(async () => {
    strict = await openMailbox(stack, await stack.account());
    await prisma().mailRule.create({
      data: { id: newId("mrl"), mailboxId: strict.id, action: "allow", pattern: "ada@ada.example" },
    });
  });
  const stored = (subject: string) => prisma().mailMessage.count({ where: { mailboxId: strict.id, subject } });

  it("takes hers", async () => {
    await ada.send({ from: "ada@ada.example", to: strict.address, subject: "mine", text: "Hello" });
    expect(await stored("mine")).toBe(1);
  });

  const SIGNATURE = "DKIM-Signature: v=1; a=rsa-sha256; d=eve.example; s=x; h=from; bh=AAAA; b=AAAA";
  it.each([
    ["her name alone", ["From: ada@ada.example"]],
    ["signatures too many to check", ["From: ada@ada.example", ...Array.from({ length: 25 }, () => SIGNATURE)]],
    ["two authors", ["From: ada@ada.example", "From: eve@eve.example"]],
    ["two authors, the other way round", ["From: eve@eve.example", "From: ada@ada.example"]],
    ["two authors in one field", ["From: ada@ada.example, eve@eve.example"]],
    ["a head too long to read", [`X-Filler: ${"x".repeat(1_100_000)}`, "From: ada@ada.example"]],
  ])("takes no forgery with %s", async (name, fields) => {
    const answer = await forge(strict.address, [...fields, `Subject: ${name}`]);
    expect(answer).toMatch(/^[45]\d\d /);
    expect(await stored(name)).toBe(0);
    expect(await stored("(unreadable message)")).toBe(0);
  });

  it("takes no forgery that cannot be read, from her address on the envelope", async () => {
    const parts = Array.from({ length: 400 }, () => "--b\r\nContent-Type: application/pdf\r\n\r\nx\r\n").join("");
    const raw = `From: ada@ada.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`;
    const answer = await sendRaw(stack, strict.address, raw, "ada@ada.example").catch((error) =>
      String(error.response),
    );
    expect(answer).toMatch(/^[45]\d\d /);
    expect(await stored("(unreadable message)")).toBe(0);
  });
});

describe("a message that was forged before the true one came", () => {
  const all = (subject: string) => prisma().mailMessage.findMany({ where: { mailboxId: mailbox.id, subject } });

  it("does not keep it out", async () => {
    const messageId = "<invoice-1@ada.example>";
    await forge(
      mailbox.address,
      ["From: ada@ada.example", "Subject: Invoice 1", `Message-ID: ${messageId}`],
      "Pay Eve.",
    );
    const genuine = { from: "ada@ada.example", to: mailbox.address, subject: "Invoice 1", messageId, text: "Pay Ada." };
    await ada.send(genuine);
    const texts = (await all("Invoice 1"))
      .filter(({ dmarcResult }) => dmarcResult === "pass")
      .map((row) => row.bodyText);
    expect(texts).toEqual([expect.stringMatching(/^Pay Ada/)]);
    // And again changes nothing.
    await ada.send(genuine);
    expect((await all("Invoice 1")).length).toBe(2);
  });

  it("nor does the true one let a forgery of it in twice", async () => {
    const messageId = "<invoice-2@ada.example>";
    await ada.send({ from: "ada@ada.example", to: mailbox.address, subject: "Invoice 2", messageId, text: "Pay Ada." });
    await forge(
      mailbox.address,
      ["From: ada@ada.example", "Subject: Invoice 2", `Message-ID: ${messageId}`],
      "Pay Eve.",
    );
    expect((await all("Invoice 2")).map((row) => row.dmarcResult)).toEqual(["pass"]);
  });
});

it("a message that borrows another's Message-ID does not put two threads together", async () => {
  const ours = await storeMessage(stack, mailbox, {
    direction: "outbound",
    subject: "Wages",
    messageIdHeader: "<wages@agents.example>",
  });
  const other = await storeMessage(stack, mailbox, {
    direction: "outbound",
    subject: "Lunch",
    messageIdHeader: "<lunch@agents.example>",
  });
  await storeMessage(stack, mailbox, { subject: "Re: Wages", inReplyTo: ours.messageIdHeader });
  expect(ours.threadId).not.toBe(other.threadId);
  const answer = await forge(mailbox.address, [
    "From: eve@eve.example",
    "Subject: joined",
    `Message-ID: ${ours.messageIdHeader}`,
    `In-Reply-To: ${other.messageIdHeader}`,
  ]);
  expect(answer).toMatch(/^250 /);
  const threads = await prisma().mailMessage.findMany({
    where: { id: { in: [ours.id, other.id] } },
    select: { threadId: true },
  });
  expect(new Set(threads.map(({ threadId }) => threadId)).size).toBe(2);
});
