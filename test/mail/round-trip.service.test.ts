/** Round trips through the sandbox's mail server: threads, bounces, automatic replies and mail between agents. */
import { simpleParser } from "mailparser";
import { beforeAll, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { openSender, type Sender, watchMail } from "./senders.ts";

let stack: Stack;
let account: TestAccount;
let mailbox: Mailbox;
let ada: Sender;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
  ada = await openSender(stack, "ada.example");
});

const messages = (where: object = {}) =>
  stack.service.deps.db.prisma.mailMessage.findMany({
    where: { mailboxId: mailbox.id, ...where },
    orderBy: { createdAt: "asc" },
  });
const rest = async (path: string, body: object) => {
  const response = await stack.rest(account.token, "POST", `/api/agent/email/${path}`, body);
  expect(response).toMatchObject({ status: 200 });
  return response.json as { id: string; messageId: string };
};

/** Returns the newest email that the sandbox's mail server received for an address. */
async function emailTo(address: string, subject: string) {
  const list = await fetch(`${stack.sandbox?.mailUrl}/messages?to=${encodeURIComponent(address)}`);
  const { messages: found } = (await list.json()) as { messages: { id: string; subject: string }[] };
  const id = found.find((message) => message.subject === subject)?.id;
  if (id === undefined) throw new Error(`No email "${subject}" to ${address} was received.`);
  const raw = await fetch(`${stack.sandbox?.mailUrl}/messages/${id}/raw`);
  return await simpleParser(Buffer.from(await raw.arrayBuffer()));
}

it("sends replies in the sender's thread, with the root in References at the third reply", async () => {
  const root = await ada.send({ from: "Ada <ada@ada.example>", to: mailbox.address, subject: "Engine", text: "One?" });
  const [first] = await messages({ messageIdHeader: root.messageId });
  const reply = await rest("reply", { messageId: first?.id, body: "Two." });
  await expect.poll(() => emailTo("ada@ada.example", "Re: Engine").catch(() => null)).not.toBeNull();
  const second = await emailTo("ada@ada.example", "Re: Engine");
  expect(second).toMatchObject({ messageId: reply.messageId, inReplyTo: root.messageId, references: root.messageId });

  const third = await ada.send({
    from: "Ada <ada@ada.example>",
    to: mailbox.address,
    subject: "Re: Engine",
    text: "Three?",
    inReplyTo: reply.messageId,
    references: [root.messageId, reply.messageId],
  });
  const [thirdRow] = await messages({ messageIdHeader: third.messageId });
  await rest("reply", { messageId: thirdRow?.id, body: "Four." });
  const isFourth = async () => (await emailTo("ada@ada.example", "Re: Engine")).inReplyTo === third.messageId;
  await expect.poll(isFourth).toBe(true);
  const fourth = await emailTo("ada@ada.example", "Re: Engine");
  expect(fourth.references).toEqual([root.messageId, reply.messageId, third.messageId]);
  expect(new Set((await messages()).map(({ threadId }) => threadId)).size).toBe(1);
});

it("receives a signed reply of the sandbox's correspondent in the same thread", async () => {
  const watched = await watchMail(stack, account);
  const { messageId } = await rest("send", {
    to: stack.sandbox?.correspondent,
    subject: "Question",
    body: "Hello there.",
  });
  await expect.poll(() => messages({ inReplyTo: messageId })).toHaveLength(1);
  const [reply] = await messages({ inReplyTo: messageId });
  expect(reply).toMatchObject({
    subject: "Re: Question",
    references: [messageId],
    spfResult: "pass",
    dkimResult: "pass",
    dmarcResult: "pass",
    automated: null,
    extractedText: "You wrote to me:\n\nHello there.",
  });
  const [sent] = await messages({ messageIdHeader: messageId });
  expect(reply?.threadId).toBe(sent?.threadId);
  await watched.stop();
});

it("marks an email as bounced, but only by a report about an email of the same mailbox", async () => {
  const watched = await watchMail(stack, account, "mailUpdated");
  const { id, messageId } = await rest("send", { to: "bounce@correspondent.example", subject: "Lost", body: "?" });
  await expect.poll(() => messages({ id, status: "bounced" })).toHaveLength(1);
  const [bounced] = await messages({ id });
  expect(bounced?.failureReason).toContain("user unknown");
  expect(await messages({ automated: "bounce" })).toHaveLength(1);
  await watched.stop();
  // A report to another mailbox changes nothing.
  const other = await createMailbox(stack, await stack.account());
  const forged = [
    "From: mailer-daemon@ada.example",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    `\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed`,
    `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${messageId}\r\n--b--`,
  ].join("\r\n");
  const [sent] = await messages({
    messageIdHeader: (await rest("send", { to: "x@elsewhere.example", subject: "y", body: "z" })).messageId,
  });
  await ada.send({
    envelope: { from: "", to: other.address },
    raw: forged.replace(messageId, sent?.messageIdHeader ?? ""),
  });
  expect(await messages({ id: sent?.id, status: "bounced" })).toEqual([]);
});

it("classifies an automatic reply", async () => {
  await rest("send", { to: "holiday@correspondent.example", subject: "Lunch", body: "?" });
  await expect.poll(() => messages({ subject: "Automatic reply: Lunch" })).toHaveLength(1);
  const [reply] = await messages({ subject: "Automatic reply: Lunch" });
  expect(reply?.automated).toBe("auto_reply");
});

it("delivers mail between agents, and bounces mail to an unknown agent", async () => {
  const other = await createMailbox(stack, await stack.account());
  await rest("send", { to: other.address, subject: "Colleague", body: "Hello." });
  const received = () =>
    stack.service.deps.db.prisma.mailMessage.findMany({ where: { mailboxId: other.id, direction: "inbound" } });
  await expect.poll(received).toHaveLength(1);
  expect((await received())[0]).toMatchObject({ fromAddress: mailbox.address, spfResult: "pass", dmarcResult: "pass" });

  const { id } = await rest("send", { to: "agent-424242@agents.example", subject: "Unknown", body: "?" });
  await expect.poll(() => messages({ id, status: "bounced" })).toHaveLength(1);
});
