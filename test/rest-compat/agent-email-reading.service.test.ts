/** The inbox over REST: the contract's shape (spec section 2.6), pages, filters, and one message by its id. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { MessageShape } from "../../rest-compat/routes/agent-email-message-shape.ts";
import { createMailbox, storeAttachment, storeMessage } from "../mail/fixtures.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
let mailbox: Mailbox;
let ids: string[];

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
  const at = (agoMs: number) => new Date(Date.now() - agoMs);
  const first = await storeMessage(stack, mailbox, {
    createdAt: at(3_000),
    bodyHtml: "<p>Where is the pocket?</p>",
    spfResult: "pass",
    dkimResult: "none",
    dmarcResult: null,
  });
  const reply = await storeMessage(stack, mailbox, {
    createdAt: at(2_000),
    direction: "outbound",
    subject: "Re: An order",
    inReplyTo: first.messageIdHeader,
    toAddresses: ["jane@merchant.example", "joe@merchant.example"],
    ccAddresses: ["boss@merchant.example"],
  });
  const last = await storeMessage(stack, mailbox, { createdAt: at(1_000), subject: "The receipt" });
  await storeAttachment(stack, last.id, {
    filename: "receipt.pdf",
    contentType: "application/pdf",
    bytes: Buffer.from("%PDF"),
  });
  ids = [last.id, reply.id, first.id];
});

const inbox = (query = "", token = account.token) => stack.rest(token, "GET", `/api/agent/email/inbox${query}`);

describe("GET /api/agent/email/inbox", () => {
  it("returns the contract's object, newest first, in both directions", async () => {
    const { status, json } = await inbox();
    expect(status).toBe(200);
    expect(json).toMatchObject({ emailAddress: mailbox.address, limit: 20, offset: 0 });
    expect(json.messages.map(({ id }: { id: string }) => id)).toEqual(ids);
    const [last, reply, first] = json.messages;
    expect(MessageShape.strict().parse(first)).toEqual(first);
    expect(first).toMatchObject({
      id: expect.stringMatching(/^aem_\d+_\w+$/),
      direction: "inbound",
      from: "jane@merchant.example",
      to: mailbox.address,
      subject: "An order",
      bodyText: "Where is the pocket?",
      bodyHtml: "<p>Where is the pocket?</p>",
      isRead: false,
      threadId: reply.threadId,
      authentication: { verdict: "unproven", spf: "pass", dkim: "none", dmarc: null },
    });
    expect(new Date(first.createdAt).toISOString()).toBe(first.createdAt);
    expect(reply).toMatchObject({ direction: "outbound", isRead: true, bodyHtml: null, authentication: null });
    expect([reply.to, reply.recipients]).toEqual([
      "jane@merchant.example",
      ["jane@merchant.example", "joe@merchant.example"],
    ]);
    expect(last.attachments).toEqual([
      { id: expect.stringMatching(/^mat_/), filename: "receipt.pdf", contentType: "application/pdf", size: 4 },
    ]);
  });

  it.each([
    ["?limit=2", [0, 1], 2, 0],
    ["?limit=2&offset=2", [2], 2, 2],
    ["?offset=9", [], 20, 9],
    ["?direction=outbound", [1], 20, 0],
    ["?unread=true", [0, 2], 20, 0],
    ["?unread=false", [1], 20, 0],
    ["?q=receipt", [0], 20, 0],
    ["?q=pock&direction=inbound&unread=true&limit=1", [0], 1, 0],
    ["?q=", [0, 1, 2], 20, 0],
  ] as const)("takes %s", async (query, at, limit, offset) => {
    const { json } = await inbox(query);
    expect(json.messages.map(({ id }: { id: string }) => id)).toEqual(at.map((place) => ids[place]));
    expect([json.limit, json.offset]).toEqual([limit, offset]);
  });

  it.each([
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?offset=-1", "offset"],
    ["?offset=1e3", "offset"],
    ["?direction=sideways", "direction"],
    ["?unread=maybe", "unread"],
    ["?q=a%00b", "q"],
    ["?limit=1&limit=2", "limit"],
  ])("rejects %s and names the parameter", async (query, field) => {
    const { status, json } = await inbox(query);
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", field]);
    expect(json.message).toContain(field);
  });

  it("returns 404 without a mailbox, and 401 without a credential", async () => {
    const bare = await stack.account();
    const { status, json } = await inbox("", bare.token);
    expect([status, json.error]).toEqual([404, "not_found"]);
    expect(json.message).toContain("Create it first.");
    expect((await stack.rest(null, "GET", "/api/agent/email/inbox")).status).toBe(401);
  });
});

describe("GET /api/agent/email/messages/{id}", () => {
  it("returns the message in the form of the inbox, and leaves it unread", async () => {
    const { json } = await stack.rest(account.token, "GET", `/api/agent/email/messages/${ids[2]}`);
    expect(json).toEqual((await inbox()).json.messages[2]);
    expect(json.isRead).toBe(false);
  });

  it("returns 404 for an unknown message, one of another account and an invalid ID", async () => {
    const otherAccount = await stack.account();
    await createMailbox(stack, otherAccount);
    const one = async (id: string, token: string) => {
      const { status, json } = await stack.rest(token, "GET", `/api/agent/email/messages/${id}`);
      return [status, json.error, json.field];
    };
    expect(await one("aem_1_none", account.token)).toEqual([404, "not_found", undefined]);
    expect(await one(String(ids[0]), otherAccount.token)).toEqual([404, "not_found", undefined]);
    for (const id of ["mth_1_none", "none", "%00", "%F0%9F%93%AC", "a".repeat(3_000)]) {
      expect(await one(id, account.token), id).toEqual([404, "not_found", undefined]);
    }
    const { status, headers } = await stack.rest(account.token, "POST", `/api/agent/email/messages/${ids[0]}`);
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});
