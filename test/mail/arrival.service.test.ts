/** Incoming mail, from an external sender to a subscriber of the mailbox: authenticated, stored and published. */
import { beforeAll, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { readAttachmentPart } from "../../src/mail/attachments.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { openSender, type Sender, send, sendRaw, watchMail } from "./senders.ts";

let stack: Stack;
let account: TestAccount;
let mailbox: Mailbox;
let ada: Sender;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
  ada = await openSender(stack, "arrival.example");
});

const inbox = async () =>
  await stack.service.deps.db.prisma.mailMessage.findMany({
    where: { mailboxId: mailbox.id, direction: "inbound" },
    orderBy: { createdAt: "asc" },
    include: { attachments: true },
  });
const stored = async (subject: string) => {
  const found = (await inbox()).find((message) => message.subject === subject);
  if (!found) throw new Error(`No message with the subject "${subject}" is stored.`);
  return found;
};

it("publishes a message to subscribers with its authentication results", async () => {
  const watched = await watchMail(stack, account);
  // Repeated until received: the subscription and the reader's threads need time to start.
  await expect
    .poll(async () => {
      await ada.send({ from: "ada@arrival.example", to: mailbox.address, subject: "Hello?", text: "?" });
      return watched.seen.length;
    })
    .toBeGreaterThan(0);
  const { messageId } = await ada.send({
    from: "Ada Lovelace <ada@arrival.example>",
    to: mailbox.address,
    subject: "The engine – ü",
    text: "It weaves.\r\n\r\nOn Monday, Agent <agent-0@agents.example> wrote:\r\n> Does it?\r\n",
    html: '<p onclick="alert(1)">It <b>weaves</b>.<script>alert(1)</script></p>',
    attachments: [{ filename: "../notes\u202egpj.txt", content: "algebraical patterns", contentType: "text/plain" }],
  });
  const arrived = () => watched.seen.find(({ message }) => message.internetMessageId === messageId);
  await expect.poll(arrived, { interval: 5 }).toBeDefined();
  expect(arrived()?.message).toMatchObject({
    direction: "INBOUND",
    from: "ada@arrival.example",
    fromName: "Ada Lovelace",
    to: [mailbox.address],
    subject: "The engine – ü",
    extractedText: "It weaves.",
    bodyHtml: "<p>It <b>weaves</b>.</p>",
    automated: null,
    authentication: { spf: "PASS", dkim: "PASS", dmarc: "PASS" },
    attachments: [{ filename: "notesgpj.txt", contentType: "text/plain", sizeBytes: 20 }],
  });
  const { attachments, authentication } = await stored("The engine – ü");
  const range = { offset: 0, length: 100 };
  const content = await Promise.all(attachments.map((file) => readAttachmentPart(stack.service.deps, file, range)));
  expect(content.map(String)).toEqual(["algebraical patterns"]);
  const domains = { spf: "arrival.example", dkim: ["arrival.example"], dmarc: "arrival.example", policy: "reject" };
  expect(authentication).toEqual({ ...domains, arc: "none", arcSealer: "", authors: [] });
  await watched.stop();
});

it("records DMARC and SPF failures of forged senders, and permerror for two authors", async () => {
  const mail = { from: "ada@arrival.example", to: mailbox.address, text: "Send money." };
  const envelope = { from: "eve@eve.example", to: mailbox.address };
  await send(stack, { ...mail, envelope, subject: "forged" });
  expect(await stored("forged")).toMatchObject({ spfResult: "none", dkimResult: "none", dmarcResult: "fail" });

  await openSender(stack, "strict.example", "v=spf1 ip4:192.0.2.1 -all");
  await send(stack, { ...mail, from: "bob@strict.example", subject: "not from there" });
  expect(await stored("not from there")).toMatchObject({ spfResult: "fail", dmarcResult: "fail" });

  // Two authors, one of them authenticated.
  await sendRaw(
    stack,
    mailbox.address,
    `From: ada@arrival.example\r\nFrom: eve@eve.example\r\nSubject: two\r\n\r\nHi\r\n`,
    "ada@arrival.example",
  );
  expect(await stored("two")).toMatchObject({ spfResult: "pass", dmarcResult: "permerror" });
});

it("stores a repeated message once, also when it is sent to several addresses of a mailbox", async () => {
  const messageId = "<once@arrival.example>";
  const subaddress = mailbox.address.replace("@", "+orders@").toUpperCase();
  const mail = {
    from: "ada@arrival.example",
    to: [mailbox.address, subaddress],
    subject: "once",
    text: "Once.",
    messageId,
  };
  const results = await Promise.all(Array.from({ length: 5 }, () => ada.send(mail)));
  expect(results.every(({ response }) => response.startsWith("250"))).toBe(true);
  expect((await inbox()).filter(({ subject }) => subject === "once")).toHaveLength(1);
});

it("stores one message for each recipient mailbox", async () => {
  const other = await createMailbox(stack, await stack.account());
  await ada.send({ from: "ada@arrival.example", to: [mailbox.address, other.address], subject: "both", text: "Both." });
  const found = await stack.service.deps.db.prisma.mailMessage.findMany({ where: { subject: "both" } });
  expect(found.map(({ mailboxId }) => mailboxId).sort()).toEqual([mailbox.id, other.id].sort());
});

it("classifies automatic replies and bulk mail", async () => {
  const mail = { from: "ada@arrival.example", to: mailbox.address, text: "Away." };
  await ada.send({ ...mail, subject: "away", headers: { "Auto-Submitted": "auto-replied" } });
  await ada.send({ ...mail, subject: "news", list: { unsubscribe: "https://arrival.example/u" } });
  await ada.send({ ...mail, subject: "person", headers: { "Auto-Submitted": "no" } });
  expect((await stored("away")).automated).toBe("auto_reply");
  expect((await stored("news")).automated).toBe("bulk");
  expect((await stored("person")).automated).toBeNull();
});
