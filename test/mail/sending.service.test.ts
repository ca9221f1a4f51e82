// @module-tag postgresql
/** Letters and answers over REST, as another mail server meets them. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { authenticate } from "mailauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { openMailbox, storeMessage } from "./correspondence.ts";
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
  mailbox = await openMailbox(stack, account, 0);
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
  rmSync(keys, { recursive: true, force: true });
});
beforeEach(() => {
  relay.taken.length = 0;
});

const LETTER = { to: "jane@shop.example", subject: "My order – ü", body: "Where is it?\n\nYours" };
const send = (body: object, by = account, headers = {}) =>
  stack.rest(by.token, "POST", "/api/agent/email/send", body, headers);
const reply = (body: object) => stack.rest(account.token, "POST", "/api/agent/email/reply", body);
const row = (id: string) => stack.service.deps.db.prisma.mailMessage.findUniqueOrThrow({ where: { id } });

describe("the mailbox", () => {
  it("is made once its agent is active, once, and keeps its address", async () => {
    const owner = await stack.account();
    const ask = (method: string, body?: object) => stack.rest(owner.token, method, "/api/agent/email", body);
    expect((await ask("GET")).json).toEqual({ hasEmail: false });
    const early = await ask("POST");
    expect([early.status, early.json.error]).toEqual([400, "no_active_agent"]);
    const { id } = await openMailbox(stack, owner);
    await stack.service.deps.db.prisma.mailbox.delete({ where: { id } });

    const made = await Promise.all(Array.from({ length: 8 }, (_each, at) => ask("POST", at % 2 ? {} : undefined)));
    const [first] = made;
    expect(new Set(made.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
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
    const renamed = await ask("POST", { displayName: "Ada’s agent" });
    expect(renamed.json).toEqual({ ...first?.json, displayName: "Ada’s agent" });
    expect((await ask("GET")).json).toEqual(renamed.json);
    for (const displayName of ["", "a\r\nBcc: x@y.example", "<a@b.example>", "=?utf-8?q?bank?=", "x".repeat(101), 7]) {
      const refused = await ask("POST", { displayName });
      expect([refused.status, refused.json.field]).toEqual([400, "displayName"]);
    }
  });

  it("of agent 0 is a mailbox like any other", async () => {
    const { json } = await stack.rest(account.token, "GET", "/api/agent/email");
    expect(json).toMatchObject({ hasEmail: true, agentId: 0, emailAddress: "agent-0@agents.example" });
  });
});

describe("a letter", () => {
  it("leaves as it was written, signed, and is in the inbox", async () => {
    const { status, json } = await send({ ...LETTER, cc: ["bob@shop.example", "JANE@shop.example"] });
    expect(status).toBe(200);
    const from = mailbox.address;
    const { id, messageId } = json;
    const cc = ["bob@shop.example"];
    expect(json).toEqual({ sent: true, id, messageId, from, to: LETTER.to, cc, subject: LETTER.subject });
    const [letter] = relay.taken;
    expect([letter?.from, letter?.recipients]).toEqual([from, [LETTER.to, ...cc]]);
    expect(letter?.mail).toMatchObject({
      messageId,
      subject: LETTER.subject,
      from: { text: `"Ada's agent" <${from}>` },
    });
    expect(letter?.mail.text?.trimEnd()).toBe(LETTER.body);
    expect(letter?.mail.headers.get("auto-submitted")).toBe("auto-generated");
    expect(letter?.mail.html).toBe(false);
    const p = publicKey.export({ type: "spki", format: "der" }).toString("base64");
    const verified = await authenticate(letter?.raw ?? "", { resolver: async () => [[`v=DKIM1; k=rsa; p=${p}`]] });
    const results = verified.dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain]);
    expect(results).toEqual([["pass", "agents.example"]]);
    const { json: inbox } = await stack.rest(account.token, "GET", "/api/agent/email/inbox?limit=1");
    expect(inbox.messages).toMatchObject([{ id, direction: "outbound", status: "sent", from, bodyText: LETTER.body }]);
    expect((await row(id)).sizeBytes).toBe(letter?.raw.length);
  });

  it.each([
    ["to", { to: undefined }],
    ["to", { to: "" }],
    ["to", { to: "jane" }],
    ["to", { to: "jane@shop..example" }],
    ["to", { to: "jane@.example" }],
    ["to", { to: "jane@shop.example." }],
    ["to", { to: "jane@shop.example, bob@shop.example" }],
    ["to", { to: "Jane <jane@shop.example>" }],
    ["subject", { subject: undefined }],
    ["subject", { subject: "  " }],
    ["subject", { subject: "x".repeat(501) }],
    ["body", { body: undefined }],
    ["body", { body: "\n" }],
    ["body", { body: "x".repeat(256 * 1024 + 1) }],
    ["body", { body: "a\0b" }],
    ["cc", { cc: ["nobody"] }],
    ["to", { cc: Array.from({ length: 20 }, (_each, at) => `p${at}@shop.example`) }],
    ["attachmentIds", { attachmentIds: ["mat_1_none"] }],
  ])("with a wrong %s is refused by name (%#)", async (field, change) => {
    const { status, json } = await send({ ...LETTER, ...change });
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", field]);
    expect(relay.taken).toHaveLength(0);
  });

  it("never gains a header or a recipient by what it holds", async () => {
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
    // As many as one account may send in a minute.
    const other = await mailboxOfAnother();
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (subject, body) => {
        relay.taken.length = 0;
        const { status } = await send({ to: LETTER.to, subject, body: `.${body}` }, other);
        expect([200, 400]).toContain(status);
        if (status !== 200) {
          expect(relay.taken).toHaveLength(0);
          return;
        }
        sent += 1;
        const [letter] = relay.taken;
        expect(letter?.recipients).toEqual([LETTER.to]);
        expect([...(letter?.mail.headers.keys() ?? [])].filter((name) => !usual.has(name))).toEqual([]);
        expect(letter?.mail.subject).toBe(subject.trim());
      }),
      { numRuns: 40 },
    );
    expect(sent).toBeGreaterThan(5);
  });

  it("needs a mailbox, an active agent and leave", async () => {
    const nobody = await stack.account();
    expect((await send(LETTER, nobody)).status).toBe(404);
    const strict = await stack.account({ token: { scopes: ["balance:read"] } });
    const { account: accounts, agent } = stack.service.deps.db.prisma;
    await accounts.update({ where: { id: strict.accountId }, data: { strictScopes: true } });
    expect((await send(LETTER, strict)).status).toBe(403);
    const revoked = await mailboxOfAnother();
    await agent.update({ where: { accountId: revoked.accountId }, data: { status: "revoked" } });
    const { status, json } = await send(LETTER, revoked);
    expect([status, json.error]).toEqual([400, "no_active_agent"]);
    expect(relay.taken).toHaveLength(0);
  });
});

describe("an answer", () => {
  it("keeps the thread and its root to the third hop, and marks what it answers read", async () => {
    const [root, second] = ["<root@shop.example>", "<second@shop.example>"];
    const came = await storeMessage(stack, mailbox, { messageIdHeader: second, inReplyTo: root, references: [root] });
    const { status, json } = await reply({ messageId: came.id, body: "Thank you." });
    expect([status, json.to, json.subject]).toEqual([200, "jane@shop.example", "Re: An order"]);
    const [first] = relay.taken;
    expect(first?.mail).toMatchObject({ inReplyTo: second, references: [root, second] });
    expect(first?.mail.headers.get("auto-submitted")).toBe("auto-replied");
    expect(await row(came.id)).toMatchObject({ isRead: true });

    const third = await storeMessage(stack, mailbox, {
      messageIdHeader: "<third@shop.example>",
      subject: json.subject,
      inReplyTo: json.messageId,
      references: [root, second, json.messageId],
    });
    const again = await reply({ messageId: third.id, body: "And again." });
    expect(again.json.subject).toBe("Re: An order");
    expect(relay.taken[1]?.mail.references).toEqual([root, second, json.messageId, "<third@shop.example>"]);
    const rows = await Promise.all([came.id, json.id, third.id, again.json.id].map(row));
    expect(new Set(rows.map(({ threadId }) => threadId)).size).toBe(1);
  });

  it("goes where the sender asks for, and to all others when told", async () => {
    const came = await storeMessage(stack, mailbox, {
      replyToAddress: "desk@shop.example",
      toAddresses: [mailbox.address, "bob@shop.example"],
      ccAddresses: ["eve@shop.example", "desk@shop.example"],
    });
    await reply({ messageId: came.id, body: "One." });
    await reply({ messageId: came.id, body: "All.", replyAll: true });
    const [one, all] = relay.taken.map(({ recipients }) => recipients);
    expect(one).toEqual(["desk@shop.example"]);
    expect(all).toEqual(["desk@shop.example", "bob@shop.example", "eve@shop.example"]);
  });

  it("to a machine is refused unless forced, and one to an agent is not", async () => {
    for (const automated of ["bulk", "bounce", "auto_reply"]) {
      const came = await storeMessage(stack, mailbox, { automated });
      const refused = await reply({ messageId: came.id, body: "Hello?" });
      expect([refused.status, refused.json.error, refused.json.field]).toEqual([400, "automated_mail", "messageId"]);
      expect(await row(came.id)).toMatchObject({ isRead: false });
      expect((await reply({ messageId: came.id, body: "Hello?", force: true })).status).toBe(200);
    }
    const ofAgent = await storeMessage(stack, mailbox, {
      automated: "auto_reply",
      fromAddress: "agent-9@agents.example",
    });
    expect((await reply({ messageId: ofAgent.id, body: "Hello." })).status).toBe(200);
  });

  it("to a message without a Message-ID names none", async () => {
    const came = await storeMessage(stack, mailbox, { messageIdHeader: `<${randomBytes(8).toString("hex")}@none>` });
    const { json } = await reply({ messageId: came.id, body: "Hello." });
    expect(relay.taken[0]?.raw.toString()).not.toMatch(/^(?:In-Reply-To|References):/im);
    expect((await row(json.id)).threadId).toBe(came.threadId);
  });

  it("to what is not there, or another's, is 404, and names what is missing", async () => {
    const foreign = await mailboxOfAnother();
    const theirs = await stack.service.deps.db.prisma.mailbox.findUniqueOrThrow({
      where: { accountId: foreign.accountId },
    });
    const { id } = await storeMessage(stack, theirs);
    for (const messageId of ["aem_1_none", id, "\0"]) {
      expect([404, 400]).toContain((await reply({ messageId, body: "x" })).status);
    }
    expect((await reply({ messageId: id, body: "x" })).status).toBe(404);
    expect((await reply({ body: "x" })).json.field).toBe("messageId");
    const empty = await reply({ messageId: "", body: "x" });
    expect([empty.status, empty.json.field]).toEqual([400, "messageId"]);
    expect((await reply({ messageId: id })).json.field).toBe("body");
    expect(relay.taken).toHaveLength(0);
  });
});

/** An account with a mailbox, whose sendings in a minute are its own. */
async function mailboxOfAnother(): Promise<TestAccount> {
  const other = await stack.account();
  await openMailbox(stack, other);
  return other;
}
