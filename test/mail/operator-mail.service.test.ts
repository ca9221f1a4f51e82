/** Mail to the operator, at postmaster and abuse: passed on unchanged while the sender waits. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { openRelay, type TestRelay } from "./relay.ts";
import { sendRaw, sendSmtpLines } from "./senders.ts";

const OPERATOR = "ops@satchel.example";
let relay: TestRelay;
let stack: OwnStack;
let mailbox: Mailbox;

beforeAll(async () => {
  relay = await openRelay();
  const env = { SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example", MAIL_OPERATOR_ADDRESS: OPERATOR };
  stack = await startStack({ networks: [], env });
  mailbox = await createMailbox(stack, await stack.account());
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
});
beforeEach(() => {
  relay.accepted.length = 0;
});
afterEach(() => relay.refuse(null));

const complaint = (subject: string, fields: readonly string[] = []) =>
  [...fields, "From: Ada <ada@ada.example>", `Subject: ${subject}`, "", "Your agent sent me this.", ""].join("\r\n");
const replyTo = (to: string, raw: string) =>
  sendRaw(stack, to, raw).catch(({ response }: { response: string }) => response);

it.each(["postmaster@agents.example", "POSTMASTER@Agents.Example", "abuse@agents.example"])(
  "passes mail to %s on unchanged, with an empty envelope sender",
  async (to) => {
    const raw = complaint("spam");
    expect(await replyTo(to, raw)).toMatch(/^250 2\.0\.0 Passed on/);
    const [accepted, ...others] = relay.accepted;
    expect([accepted?.from, accepted?.recipients, others]).toEqual(["", [OPERATOR], []]);
    const received = accepted?.raw.toString() ?? "";
    expect(received.slice(received.indexOf("\r\n") + 2)).toBe(raw);
    expect(received).toMatch(/^Received: from \S+ \(\[[\d.:a-f]+\]\) by \S+ with ESMTP; \w{3}, .+ \+0000\r\n/);
    expect(await stack.service.deps.db.prisma.mailMessage.count()).toBe(0);
  },
);

it("accepts postmaster without a domain, and no other name", async () => {
  const replies = await sendSmtpLines(stack, [
    ...["EHLO x.example", "MAIL FROM:<ada@ada.example>", "RCPT TO:<Postmaster>", "RCPT TO:<abuse>"],
    ...["RCPT TO:<hostmaster@agents.example>", "RCPT TO:<postmaster@elsewhere.example>"],
  ]);
  expect(replies.slice(3).map((reply) => reply.slice(0, 3))).toEqual(["250", "501", "550", "550"]);
});

it.each([
  [550, /^550 5\.7\.1 /],
  [451, /^451 4\.3\.0 /],
])("replies as the operator's mail server refuses: %d", async (code, expected) => {
  relay.refuse(() => [code, "No."]);
  expect(await replyTo("abuse@agents.example", complaint("refused"))).toMatch(expected);
  expect(relay.accepted).toEqual([]);
});

it("does not mix the operator with mailboxes in one message", async () => {
  const begin = ["EHLO x.example", "MAIL FROM:<ada@ada.example>"];
  for (const recipients of [
    [mailbox.address, "postmaster@agents.example"],
    ["postmaster@agents.example", mailbox.address],
  ]) {
    const replies = await sendSmtpLines(stack, [...begin, ...recipients.map((to) => `RCPT TO:<${to}>`)]);
    expect(replies.slice(3)).toEqual([expect.stringMatching(/^250 /), expect.stringMatching(/^452 4\.5\.3 /)]);
  }
  // The next message of the connection is independent.
  const again = [
    "RCPT TO:<postmaster@agents.example>",
    "RSET",
    "MAIL FROM:<a@x.example>",
    `RCPT TO:<${mailbox.address}>`,
  ];
  expect((await sendSmtpLines(stack, [...begin, ...again])).at(-1)).toMatch(/^250 /);
});

it("ends a loop", async () => {
  const passed = Array.from({ length: 101 }, (_, n) => `Received: from a${n}.example by b.example`);
  expect(await replyTo("postmaster@agents.example", complaint("loop", passed))).toMatch(/^554 5\.4\.6 /);
});

it.each([
  ["without an operator's address", {}],
  ["with one that would return here", { MAIL_OPERATOR_ADDRESS: "postmaster@agents.example" }],
])("refuses mail to the operator %s", async (_case, settings) => {
  const env = { SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example", ...settings };
  const other = await startStack({ networks: [], env });
  try {
    const lines = ["EHLO x.example", "MAIL FROM:<a@x.example>", "RCPT TO:<postmaster@agents.example>"];
    expect((await sendSmtpLines(other, lines)).at(-1)).toMatch(/^550 5\.1\.1 /);
  } finally {
    await other.stop();
  }
});
