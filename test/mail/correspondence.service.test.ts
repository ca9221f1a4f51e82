/** Letters there and back through the sandbox's mail server: threads that hold, bounces, automatic replies, other agents. */
import { simpleParser } from "mailparser";
import { beforeAll, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { openMailbox } from "./correspondence.ts";
import { openSender, type Sender, watchMail } from "./senders.ts";

let stack: Stack;
let account: TestAccount;
let mailbox: Mailbox;
let ada: Sender;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  mailbox = await openMailbox(stack, account);
  ada = await openSender(stack, "ada.example");
});

const messages = (where: object = {}) =>
  stack.service.deps.db.prisma.mailMessage.findMany({
    where: { mailboxId: mailbox.id, ...where },
    orderBy: { createdAt: "asc" },
  });
const rest = async (path: string, body: object) => {
  const answer = await stack.rest(account.token, "POST", `/api/agent/email/${path}`, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.json as { id: string; messageId: string };
};

/** The newest letter the sandbox's server took for an address, as it came. */
async function letterTo(address: string, subject: string) {
  const list = await fetch(`${stack.sandbox?.mailUrl}/messages?to=${encodeURIComponent(address)}`);
  const { messages: found } = (await list.json()) as { messages: { id: string; subject: string }[] };
  const id = found.find((message) => message.subject === subject)?.id;
  if (id === undefined) throw new Error(`No letter "${subject}" to ${address} yet.`);
  const raw = await fetch(`${stack.sandbox?.mailUrl}/messages/${id}/raw`);
  return await simpleParser(Buffer.from(await raw.arrayBuffer()));
}

it("an answer reaches the sender in its thread, and the third hop keeps the root", async () => {
  const root = await ada.send({ from: "Ada <ada@ada.example>", to: mailbox.address, subject: "Engine", text: "One?" });
  const [first] = await messages({ messageIdHeader: root.messageId });
  const reply = await rest("reply", { messageId: first?.id, body: "Two." });
  await expect.poll(() => letterTo("ada@ada.example", "Re: Engine").catch(() => null)).not.toBeNull();
  const second = await letterTo("ada@ada.example", "Re: Engine");
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
  const isFourth = async () => (await letterTo("ada@ada.example", "Re: Engine")).inReplyTo === third.messageId;
  await expect.poll(isFourth).toBe(true);
  const fourth = await letterTo("ada@ada.example", "Re: Engine");
  expect(fourth.references).toEqual([root.messageId, reply.messageId, third.messageId]);
  expect(new Set((await messages()).map(({ threadId }) => threadId)).size).toBe(1);
});

it("the sandbox's correspondent answers, signed and in the same thread, while the mailbox is watched", async () => {
  const watched = await watchMail(stack, account);
  const { messageId } = await rest("send", {
    to: stack.sandbox?.correspondent,
    subject: "Anybody?",
    body: "Hello there.",
  });
  await expect.poll(() => messages({ inReplyTo: messageId })).toHaveLength(1);
  const [answer] = await messages({ inReplyTo: messageId });
  expect(answer).toMatchObject({
    subject: "Re: Anybody?",
    references: [messageId],
    spfResult: "pass",
    dkimResult: "pass",
    dmarcResult: "pass",
    automated: null,
    extractedText: "You wrote to me:\n\nHello there.",
  });
  const [sent] = await messages({ messageIdHeader: messageId });
  expect(answer?.threadId).toBe(sent?.threadId);
  await watched.stop();
});

it("a letter to nobody comes back as a bounce, and shows as such", async () => {
  const watched = await watchMail(stack, account, "mailUpdated");
  const { id, messageId } = await rest("send", { to: "bounce@correspondent.example", subject: "Lost", body: "?" });
  await expect.poll(() => messages({ id, status: "bounced" })).toHaveLength(1);
  const [bounced] = await messages({ id });
  expect(bounced?.failureReason).toContain("nobody of that name lives here");
  expect(await messages({ automated: "bounce" })).toHaveLength(1);
  await watched.stop();
  // Somebody who only guesses moves nothing.
  const other = await openMailbox(stack, await stack.account());
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

it("an automatic reply is known for one", async () => {
  await rest("send", { to: "holiday@correspondent.example", subject: "Lunch", body: "?" });
  await expect.poll(() => messages({ subject: "Automatic reply: Lunch" })).toHaveLength(1);
  const [reply] = await messages({ subject: "Automatic reply: Lunch" });
  expect(reply?.automated).toBe("auto_reply");
});

it("agents write to each other, and learn of addresses that are nobody's", async () => {
  const other = await openMailbox(stack, await stack.account());
  await rest("send", { to: other.address, subject: "Colleague", body: "Hello." });
  const came = () =>
    stack.service.deps.db.prisma.mailMessage.findMany({ where: { mailboxId: other.id, direction: "inbound" } });
  await expect.poll(came).toHaveLength(1);
  expect((await came())[0]).toMatchObject({ fromAddress: mailbox.address, spfResult: "pass", dmarcResult: "pass" });

  const { id } = await rest("send", { to: "agent-424242@agents.example", subject: "Nobody", body: "?" });
  await expect.poll(() => messages({ id, status: "bounced" })).toHaveLength(1);
});
