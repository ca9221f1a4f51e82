/** Mail to the operator, at postmaster and abuse: passed on unchanged while the sender waits. */
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { openRelay, type TestRelay } from "./relay.ts";
import { sendRaw, sendSmtpLines } from "./senders.ts";

const OPERATOR = "ops@satchel.example";
const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
let relay: TestRelay;
let stack: OwnStack;
let mailbox: Mailbox;

beforeAll(async () => {
  relay = await openRelay();
  const operator = { MAIL_OPERATOR_ADDRESS: OPERATOR, MAIL_INBOUND_SECRET: SECRET };
  const env = { SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example", ...operator };
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

describe("a provider's message for the operator and a mailbox", () => {
  async function post(subject: string, address: string): Promise<[status: number, body: unknown]> {
    const body = complaint(subject, [`Message-ID: <${subject}@ada.example>`]);
    const query = new URLSearchParams([
      ...[
        ["to", "abuse@agents.example"],
        ["to", address],
      ],
      ["from", "ada@ada.example"],
    ]);
    const [id, at] = [`msg_${subject}`, new Date()];
    const headers = {
      "content-type": "message/rfc822",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(SECRET).sign(id, at, body),
    };
    const response = await fetch(`${stack.baseUrl}/api/mail/inbound?${query}`, { method: "POST", headers, body });
    return [response.status, await response.json()];
  }
  const stored = { messageIds: [expect.stringMatching(/^aem_/)], duplicates: 0 };

  it("reaches the mailbox although the operator's mail server refuses it", async () => {
    relay.refuse(() => [550, "No."]);
    expect(await post("refused-there", mailbox.address)).toEqual([200, stored]);
    expect(relay.accepted).toEqual([]);
  });

  it("reaches both once, when the provider repeats it after a temporary refusal", async () => {
    relay.refuse(() => [451, "Later."]);
    expect(await post("repeated", mailbox.address)).toEqual([429, expect.objectContaining({ error: "rate_limited" })]);
    relay.refuse(null);
    expect(await post("repeated", mailbox.address)).toEqual([200, { messageIds: [], duplicates: 1 }]);
    expect(relay.accepted.map(({ mail }) => mail.subject)).toEqual(["repeated"]);
    expect(await stack.service.deps.db.prisma.mailMessage.count({ where: { subject: "repeated" } })).toBe(1);
  });

  it("reaches the operator although there is no such mailbox", async () => {
    const nothing = { messageIds: [], duplicates: 0 };
    expect(await post("no-mailbox", "nobody@agents.example")).toEqual([200, nothing]);
    expect(relay.accepted.map(({ mail }) => mail.subject)).toEqual(["no-mailbox"]);
    relay.refuse(() => [550, "No."]);
    expect(await post("neither", "nobody@agents.example")).toMatchObject([404, { error: "not_found" }]);
  });
});
