// @module-tag postgresql
/** Emails and replies over REST, as received by another mail server. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { authenticate } from "mailauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createMailbox, storeMessage } from "./fixtures.ts";
import { openRelay, type TestRelay } from "./relay.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
let relay: TestRelay;
let stack: OwnStack;
let account: TestAccount;
let mailbox: Mailbox;
let keys: string;

beforeAll(async () => {
  keys = mkdtempSync(join(tmpdir(), "satchel-dkim-"));
  writeFileSync(join(keys, "dkim.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  relay = await openRelay();
  stack = await startStack({
    env: {
      SMTP_URL: relay.url,
      AGENT_MAIL_DOMAIN: "agents.example",
      MAIL_DKIM_SELECTOR: "test",
      MAIL_DKIM_KEY_FILE: join(keys, "dkim.pem"),
    },
  });
  account = await stack.account();
  mailbox = await createMailbox(stack, account, 0);
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
  rmSync(keys, { recursive: true, force: true });
});
beforeEach(() => {
  relay.accepted.length = 0;
});

const EMAIL = { to: "jane@merchant.example", subject: "My order – ü", body: "Where is it?\n\nYours" };
const send = (body: object, by = account, headers = {}) =>
  stack.rest(by.token, "POST", "/api/agent/email/send", body, headers);
const reply = (body: object) => stack.rest(account.token, "POST", "/api/agent/email/reply", body);
const row = (id: string) => stack.service.deps.db.prisma.mailMessage.findUniqueOrThrow({ where: { id } });

describe("POST /api/agent/email", () => {
  it("creates one mailbox for an active agent, and changes only the display name afterwards", async () => {
    const owner = await stack.account();
    const call = (method: string, body?: object) => stack.rest(owner.token, method, "/api/agent/email", body);
    expect((await call("GET")).json).toEqual({ hasEmail: false });
    const early = await call("POST");
    expect([early.status, early.json.error]).toEqual([400, "no_active_agent"]);
    const { id } = await createMailbox(stack, owner);
    await stack.service.deps.db.prisma.mailbox.delete({ where: { id } });

    const created = await Promise.all(Array.from({ length: 8 }, (_each, at) => call("POST", at % 2 ? {} : undefined)));
    const [first] = created;
    expect(new Set(created.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const { evmAddress } = await stack.service.deps.wallets.ofAccount(owner.accountId);
    const agentId = first?.json.agentId;
    expect(first?.json).toEqual({
      hasEmail: true,
      emailAddress: `agent-${agentId}@agents.example`,
      displayName: `Agent ${agentId}`,
      walletAddress: evmAddress,
      agentId: expect.any(Number),
      isActive: true,
      createdAt: expect.any(String),
    });
    const renamed = await call("POST", { displayName: "Ada’s agent" });
    expect(renamed.json).toEqual({ ...first?.json, displayName: "Ada’s agent" });
    expect((await call("GET")).json).toEqual(renamed.json);
    for (const displayName of ["", "a\r\nBcc: x@y.example", "<a@b.example>", "=?utf-8?q?bank?=", "x".repeat(101), 7]) {
      const refused = await call("POST", { displayName });
      expect([refused.status, refused.json.field]).toEqual([400, "displayName"]);
    }
  });

  it("supports the agent id 0", async () => {
    const { json } = await stack.rest(account.token, "GET", "/api/agent/email");
    expect(json).toMatchObject({ hasEmail: true, agentId: 0, emailAddress: "agent-0@agents.example" });
  });
});

describe("POST /api/agent/email/send", () => {
  it("sends the email unchanged and signed, and stores it in the inbox", async () => {
    const { status, json } = await send({ ...EMAIL, cc: ["bob@merchant.example", "JANE@merchant.example"] });
    expect(status).toBe(200);
    const from = mailbox.address;
    const { id, messageId } = json;
    const cc = ["bob@merchant.example"];
    expect(json).toEqual({ sent: true, id, messageId, from, to: EMAIL.to, cc, subject: EMAIL.subject });
    const [email] = relay.accepted;
    expect(relay.accepted.map(({ recipients }) => recipients)).toEqual(expect.arrayContaining([[EMAIL.to], cc]));
    expect(relay.accepted).toHaveLength(2);
    expect(email?.mail).toMatchObject({
      messageId,
      subject: EMAIL.subject,
      from: { text: `"Ada's agent" <${from}>` },
    });
    expect(email?.mail.text?.trimEnd()).toBe(EMAIL.body);
    expect(email?.mail.headers.has("auto-submitted")).toBe(false);
    expect(email?.mail.html).toBe(false);
    const p = publicKey.export({ type: "spki", format: "der" }).toString("base64");
    const verified = await authenticate(email?.raw ?? "", { resolver: async () => [[`v=DKIM1; k=rsa; p=${p}`]] });
    const results = verified.dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain]);
    expect(results).toEqual([["pass", "agents.example"]]);
    const { json: inbox } = await stack.rest(account.token, "GET", "/api/agent/email/inbox?limit=1");
    expect(inbox.messages).toMatchObject([{ id, direction: "outbound", status: "sent", from, bodyText: EMAIL.body }]);
    expect((await row(id)).sizeBytes).toBe(email?.raw.length);
  });

  it.each([
    ["to", { to: undefined }],
    ["to", { to: "" }],
    ["to", { to: "jane" }],
    ["to", { to: "jane@shop..example" }],
    ["to", { to: "jane@.example" }],
    ["to", { to: "jane@merchant.example." }],
    ["to", { to: "jane@merchant.example, bob@merchant.example" }],
    ["to", { to: "Jane <jane@merchant.example>" }],
    ["subject", { subject: undefined }],
    ["subject", { subject: "  " }],
    ["subject", { subject: "x".repeat(501) }],
    ["body", { body: undefined }],
    ["body", { body: "\n" }],
    ["body", { body: "x".repeat(256 * 1024 + 1) }],
    ["body", { body: "a\0b" }],
    ["cc", { cc: ["nobody"] }],
    ["to", { cc: Array.from({ length: 20 }, (_each, at) => `p${at}@merchant.example`) }],
    ["attachmentIds", { attachmentIds: ["mat_1_none"] }],
  ])("rejects an invalid %s and returns the field name (%#)", async (field, change) => {
    const { status, json } = await send({ ...EMAIL, ...change });
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", field]);
    expect(relay.accepted).toHaveLength(0);
  });

  it("does not let the content add a header field or a recipient", async () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
      fc.constantFrom(
        "a\r\nBcc: eve@x.example",
        "a\nX-Evil: 1",
        "=?utf-8?q?a=0d=0aX-Evil:_1?=",
        "\u2028X-Evil: 1",
        "a, b",
      ),
    );
    const usual = new Set(
      "from to subject message-id date mime-version content-type content-transfer-encoding auto-submitted dkim-signature".split(
        " ",
      ),
    );
    let sent = 0;
    // A separate account, because of the rate limit.
    const other = await mailboxOfAnother();
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (subject, body) => {
        relay.accepted.length = 0;
        const { status } = await send({ to: EMAIL.to, subject, body: `.${body}` }, other);
        expect([200, 400]).toContain(status);
        if (status !== 200) {
          expect(relay.accepted).toHaveLength(0);
          return;
        }
        sent += 1;
        const [email] = relay.accepted;
        expect(email?.recipients).toEqual([EMAIL.to]);
        expect([...(email?.mail.headers.keys() ?? [])].filter((name) => !usual.has(name))).toEqual([]);
        expect(email?.mail.subject).toBe(subject.trim());
      }),
      { numRuns: 40 },
    );
    expect(sent).toBeGreaterThan(5);
  });

  it("requires a mailbox, an active agent and the scope", async () => {
    const withoutMailbox = await stack.account();
    expect((await send(EMAIL, withoutMailbox)).status).toBe(404);
    const strict = await stack.account({ token: { scopes: ["balance:read"] } });
    const { account: accounts, agent } = stack.service.deps.db.prisma;
    await accounts.update({ where: { id: strict.accountId }, data: { strictScopes: true } });
    expect((await send(EMAIL, strict)).status).toBe(403);
    const revoked = await mailboxOfAnother();
    await agent.update({ where: { accountId: revoked.accountId }, data: { status: "revoked" } });
    const { status, json } = await send(EMAIL, revoked);
    expect([status, json.error]).toEqual([400, "no_active_agent"]);
    expect(relay.accepted).toHaveLength(0);
  });
});

describe("POST /api/agent/email/reply", () => {
  it("sends replies in the thread with its root in References, and marks the original as read", async () => {
    const [root, second] = ["<root@merchant.example>", "<second@merchant.example>"];
    const original = await storeMessage(stack, mailbox, {
      messageIdHeader: second,
      inReplyTo: root,
      references: [root],
    });
    const { status, json } = await reply({ messageId: original.id, body: "Thank you." });
    expect([status, json.to, json.subject]).toEqual([200, "jane@merchant.example", "Re: An order"]);
    const [first] = relay.accepted;
    expect(first?.mail).toMatchObject({ inReplyTo: second, references: [root, second] });
    expect(first?.mail.headers.has("auto-submitted")).toBe(false);
    expect(await row(original.id)).toMatchObject({ isRead: true });

    const third = await storeMessage(stack, mailbox, {
      messageIdHeader: "<third@merchant.example>",
      subject: json.subject,
      inReplyTo: json.messageId,
      references: [root, second, json.messageId],
    });
    const reply2 = await reply({ messageId: third.id, body: "And again." });
    expect(reply2.json.subject).toBe("Re: An order");
    expect(relay.accepted[1]?.mail.references).toEqual([root, second, json.messageId, "<third@merchant.example>"]);
    const rows = await Promise.all([original.id, json.id, third.id, reply2.json.id].map(row));
    expect(new Set(rows.map(({ threadId }) => threadId)).size).toBe(1);
  });

  it("replies to Reply-To, and with replyAll also to the other recipients", async () => {
    const original = await storeMessage(stack, mailbox, {
      replyToAddress: "desk@merchant.example",
      toAddresses: [mailbox.address, "bob@merchant.example"],
      ccAddresses: ["eve@merchant.example", "desk@merchant.example"],
    });
    await reply({ messageId: original.id, body: "One." });
    await reply({ messageId: original.id, body: "All.", replyAll: true });
    const [one, ...all] = relay.accepted.map(({ recipients }) => recipients.join());
    expect(one).toEqual("desk@merchant.example");
    expect(all.toSorted()).toEqual(["bob@merchant.example", "desk@merchant.example", "eve@merchant.example"]);
  });

  it("rejects a reply to automated mail without force, except to another agent", async () => {
    for (const automated of ["bulk", "bounce", "auto_reply"]) {
      const original = await storeMessage(stack, mailbox, { automated });
      const refused = await reply({ messageId: original.id, body: "Hello?" });
      expect([refused.status, refused.json.error, refused.json.field]).toEqual([400, "automated_mail", "messageId"]);
      expect(await row(original.id)).toMatchObject({ isRead: false });
      expect((await reply({ messageId: original.id, body: "Hello?", force: true })).status).toBe(200);
    }
    const ofAgent = await storeMessage(stack, mailbox, {
      automated: "auto_reply",
      fromAddress: "agent-9@agents.example",
    });
    expect((await reply({ messageId: ofAgent.id, body: "Hello." })).status).toBe(200);
  });

  it("omits In-Reply-To for a message without a Message-ID", async () => {
    const original = await storeMessage(stack, mailbox, {
      messageIdHeader: `<${randomBytes(8).toString("hex")}@none>`,
    });
    const { json } = await reply({ messageId: original.id, body: "Hello." });
    expect(relay.accepted[0]?.raw.toString()).not.toMatch(/^(?:In-Reply-To|References):/im);
    expect((await row(json.id)).threadId).toBe(original.threadId);
  });

  it("responds with 404 for an unknown or foreign message, and names missing fields", async () => {
    const foreign = await mailboxOfAnother();
    const foreignMailbox = await stack.service.deps.db.prisma.mailbox.findUniqueOrThrow({
      where: { accountId: foreign.accountId },
    });
    const { id } = await storeMessage(stack, foreignMailbox);
    for (const messageId of ["aem_1_none", id, "\0"]) {
      expect([404, 400]).toContain((await reply({ messageId, body: "x" })).status);
    }
    expect((await reply({ messageId: id, body: "x" })).status).toBe(404);
    expect((await reply({ body: "x" })).json.field).toBe("messageId");
    const empty = await reply({ messageId: "", body: "x" });
    expect([empty.status, empty.json.field]).toEqual([400, "messageId"]);
    expect((await reply({ messageId: id })).json.field).toBe("body");
    expect(relay.accepted).toHaveLength(0);
  });
});

/** Creates another account with a mailbox, which has its own rate limit. */
async function mailboxOfAnother(): Promise<TestAccount> {
  const other = await stack.account();
  await createMailbox(stack, other);
  return other;
}
