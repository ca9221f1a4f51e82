// @module-tag postgresql
/** A mailbox over GraphQL: lists with filters, threads, marking, deleting and access control. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createMailbox, storeAttachment, storeMessage } from "./fixtures.ts";

const DAY_MS = 86_400_000;
const MESSAGES = `query ($filter: MailFilter, $first: Int, $after: String, $last: Int, $before: String, $offset: Int) { viewer { mailbox {
  messages(filter: $filter, first: $first, after: $after, last: $last, before: $before, offset: $offset) {
    edges { node { messageId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`;
const MARK = `mutation ($input: MarkMailReadInput!) { markMailRead(input: $input) { __typename
  ... on MarkMailReadSuccess { messages { messageId isRead } mailbox { unreadCount } } ... on Error { code message } ... on InvalidRequestError { field } } }`;
const DELETE = `mutation ($input: DeleteMailInput!) { deleteMail(input: $input) { __typename
  ... on DeleteMailSuccess { deletedIds deletedThreadIds threads { threadId messageCount unreadCount } mailbox { unreadCount } } ... on Error { code message } ... on InvalidRequestError { field } } }`;

let stack: Stack;
let account: TestAccount;
let otherAccount: TestAccount;
let ids: Record<"order" | "reply" | "thanks" | "news" | "old" | "file", string>;

async function request(query: string, variables: object = {}, token = account.token) {
  const { json } = await stack.graphql(token, query, variables);
  expect(json.errors).toBeUndefined();
  return json.data;
}
async function page(variables: object) {
  const { edges, pageInfo } = (await request(MESSAGES, variables)).viewer.mailbox.messages;
  return { ids: edges.map((edge: { node: { messageId: string } }) => edge.node.messageId) as string[], pageInfo };
}
const found = async (filter: object) => (await page({ filter, first: 50 })).ids;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  otherAccount = await stack.account();
  const mailbox = await createMailbox(stack, account);
  const at = (agoMs: number) => new Date(Date.now() - agoMs);
  const old = await storeMessage(stack, mailbox, {
    createdAt: at(20 * DAY_MS),
    isRead: true,
    fromAddress: "Bob@Mail.Bank.example",
    fromName: "Böb O'Neil",
    subject: "Kontoauszug für März",
    bodyText: "Grüße aus dem Büro, 100% sicher: it's \\ fine",
  });
  const order = await storeMessage(stack, mailbox, { createdAt: at(5_000), messageIdHeader: "<1@merchant.example>" });
  const reply = await storeMessage(stack, mailbox, {
    createdAt: at(4_000),
    direction: "outbound",
    subject: "Re: An order",
    bodyText: "In the front, under the flap.",
    messageIdHeader: "<2@agents.example>",
    inReplyTo: "<1@merchant.example>",
    references: ["<1@merchant.example>"],
    repliesToId: order.id,
  });
  const thanks = await storeMessage(stack, mailbox, {
    createdAt: at(3_000),
    subject: "AW: Re: An order",
    bodyText: "Thank you!\n\n> In the front, under the flap.",
    extractedText: "Thank you!",
    inReplyTo: "<2@agents.example>",
    references: ["<1@merchant.example>", "<2@agents.example>"],
    spfResult: "pass",
    dkimResult: "pass",
    dmarcResult: "pass",
    authentication: {
      spf: "merchant.example",
      dkim: ["merchant.example"],
      dmarc: "merchant.example",
      policy: "reject",
    },
  });
  const news = await storeMessage(stack, mailbox, {
    createdAt: at(2_000),
    fromAddress: "news@merchant.example",
    fromName: "",
    subject: "Spring sale",
    bodyText: "Unsubscribe anytime",
    automated: "bulk",
    spfResult: "fail",
    dkimResult: "none",
  });
  const file = await storeMessage(stack, mailbox, { createdAt: at(1_000), subject: "", bodyText: "" });
  await storeAttachment(stack, file.id, {
    filename: "facture é.pdf",
    contentType: "application/pdf",
    bytes: Buffer.from("%PDF"),
  });
  await storeAttachment(stack, news.id, {
    filename: "logo.png",
    contentType: "image/png",
    bytes: Buffer.from("x"),
    contentId: "logo",
  });
  ids = { order: order.id, reply: reply.id, thanks: thanks.id, news: news.id, old: old.id, file: file.id };
});

describe("messages", () => {
  it("are listed newest first, with pages by cursor in both directions and by offset", async () => {
    const all = [ids.file, ids.news, ids.thanks, ids.reply, ids.order, ids.old];
    expect((await page({})).ids).toEqual(all);
    const first = await page({ first: 2 });
    expect([first.ids, first.pageInfo.hasNextPage]).toEqual([all.slice(0, 2), true]);
    const second = await page({ first: 2, after: first.pageInfo.endCursor });
    expect(second.ids).toEqual(all.slice(2, 4));
    const back = await page({ last: 2, before: second.pageInfo.startCursor });
    expect([back.ids, back.pageInfo.hasPreviousPage]).toEqual([all.slice(0, 2), false]);
    const numbered = await page({ first: 2, offset: 4 });
    expect([numbered.ids, numbered.pageInfo.hasNextPage]).toEqual([all.slice(4), false]);
  });

  it.each([
    [{ directions: ["OUTBOUND"] }, ["reply"]],
    [{ directions: ["INBOUND", "OUTBOUND"], createdBefore: new Date(Date.now() - DAY_MS).toISOString() }, ["old"]],
    [{ directions: [] }, ["file", "news", "thanks", "reply", "order", "old"]],
    [{ isUnread: true }, ["file", "news", "thanks", "order"]],
    [{ isUnread: false }, ["reply", "old"]],
    [{ from: "jane@MERCHANT.example" }, ["file", "thanks", "order"]],
    [{ from: "merchant.example" }, ["file", "news", "thanks", "order"]],
    [{ from: "@mail.bank.example" }, ["old"]],
    [{ hasAttachments: true }, ["file"]],
    [{ hasAttachments: false, from: "news@merchant.example" }, ["news"]],
    [{ createdAfter: new Date(Date.now() - DAY_MS).toISOString(), isUnread: false }, ["reply"]],
    [{ createdBefore: new Date(Date.now() - DAY_MS).toISOString() }, ["old"]],
    [{ q: "flap" }, ["thanks", "reply"]],
    [{ q: "ord flap" }, ["thanks", "reply"]],
    [{ q: "flap -thank" }, ["reply"]],
    [{ q: '"the flap"' }, ["thanks", "reply"]],
    [{ q: '"flap the"' }, []],
    [{ q: "KONTO" }, ["old"]],
    [{ q: "märz büro" }, ["old"]],
    [{ q: "bank" }, ["old"]],
    [{ q: "bob@mail" }, ["old"]],
    [{ q: "o'neil \\" }, ["old"]],
    [{ q: "it's" }, ["old"]],
    [{ q: "' \" & | ! ( ) : * \\" }, ["file", "news", "thanks", "reply", "order", "old"]],
    [{ q: "nowhere & '" }, []],
  ] as const)("are filtered by %j", async (filter, names) => {
    expect(await found(filter)).toEqual(names.map((name) => ids[name]));
  });

  it("are filtered by thread, by its id or its global id", async () => {
    const { node } = await request(
      "query ($id: ID!) { node(id: $id) { ... on MailMessage { thread { id threadId } } } }",
      {
        id: Buffer.from(`MailMessage:${ids.reply}`).toString("base64"),
      },
    );
    for (const threadId of [node.thread.threadId, node.thread.id]) {
      expect(await found({ threadId })).toEqual([ids.thanks, ids.reply, ids.order]);
    }
  });

  it.each([
    [{ filter: { threadId: "mailbox" } }, "threadId is not the id of a thread."],
    [{ filter: { q: "a\0b" } }, "q holds text that is not valid Unicode, or a NUL character."],
    [{ offset: -1 }, "offset must be from 0 to 100000."],
    [{ first: 1_000 }, "first must be from 0 to 100."],
  ])("reject %j", async (variables, message) => {
    const { json } = await stack.graphql(account.token, MESSAGES, variables);
    expect(json.errors[0]).toMatchObject({ message, extensions: { code: "invalid_request" } });
  });

  it("have content, the message they reply to, authentication results and attachments", async () => {
    const query = `query ($id: ID!) { mailMessage(id: $id) { direction status from fromName to subject
      bodyText extractedText preview automated inReplyTo { messageId } thread { subject messageCount }
      authentication { verdict spf dkim dmarc spfDomain dkimDomains dmarcPolicy }
      attachments { filename contentType sizeBytes isInline downloadUrl }
      recipients { address kind status failureReason } } }`;
    const message = async (id: string) => (await request(query, { id })).mailMessage;
    expect(await message(ids.thanks)).toMatchObject({
      direction: "INBOUND",
      status: "RECEIVED",
      from: "jane@merchant.example",
      fromName: "Jane Doe",
      extractedText: "Thank you!",
      preview: "Thank you!",
      automated: null,
      inReplyTo: { messageId: ids.reply },
      thread: { subject: "An order", messageCount: 3 },
      authentication: { verdict: "AUTHENTIC", dmarc: "PASS", dkimDomains: ["merchant.example"], dmarcPolicy: "REJECT" },
      recipients: [{ kind: "TO", status: null, failureReason: null }],
    });
    expect(await message(ids.reply)).toMatchObject({
      inReplyTo: { messageId: ids.order },
      authentication: null,
      recipients: [{ status: "SENT", failureReason: null }],
    });
    expect(await message(ids.news)).toMatchObject({
      automated: "BULK",
      authentication: { verdict: "SUSPICIOUS", dmarc: null },
    });
    const { attachments } = await message(ids.file);
    expect(attachments).toMatchObject([{ filename: "facture é.pdf", contentType: "application/pdf", sizeBytes: 4 }]);
    expect(attachments[0].downloadUrl).toMatch(/\/api\/agent\/email\/attachments\/mat_\w+$/);
    expect(await message("aem_1_none")).toBeNull();
    const global = Buffer.from(`MailMessage:${ids.thanks}`).toString("base64");
    expect(await message(global)).toEqual(await message(ids.thanks));
    const { json } = await stack.graphql(account.token, query, { id: "mth_1_none" });
    expect(json.errors[0]).toMatchObject({ message: "id is not the id of a message.", path: ["mailMessage"] });
  });
});

it("lists threads by their newest message, with counts and participants, and searches their messages", async () => {
  const query = `query ($filter: MailThreadFilter, $first: Int, $after: String) { viewer { mailbox { unreadCount threads(filter: $filter, first: $first, after: $after) {
    edges { node { subject messageCount unreadCount participants { address name } lastMessage { messageId }
      messages(first: 5) { edges { node { messageId } } } } } pageInfo { endCursor hasNextPage } } } } }`;
  const threads = async (variables: object) => {
    const { edges, pageInfo } = (await request(query, variables)).viewer.mailbox.threads;
    return { nodes: edges.map(({ node }: { node: object }) => node), pageInfo };
  };
  const { nodes } = await threads({});
  expect(nodes.map(({ subject }: { subject: string }) => subject)).toEqual([
    "",
    "Spring sale",
    "An order",
    "Kontoauszug für März",
  ]);
  expect(nodes[2]).toEqual({
    subject: "An order",
    messageCount: 3,
    unreadCount: 2,
    participants: [
      { address: "jane@merchant.example", name: "Jane Doe" },
      { address: expect.stringMatching(/^agent-/), name: "Ada's agent" },
    ],
    lastMessage: { messageId: ids.thanks },
    messages: { edges: [ids.order, ids.reply, ids.thanks].map((messageId) => ({ node: { messageId } })) },
  });
  const first = await threads({ first: 3 });
  const rest = await threads({ first: 3, after: first.pageInfo.endCursor });
  expect(rest.nodes).toEqual(nodes.slice(3));
  expect((await threads({ filter: { q: "flap" } })).nodes).toEqual([nodes[2]]);
  expect((await threads({ filter: { isUnread: false } })).nodes).toEqual([nodes[3]]);
  expect((await request("{ viewer { mailbox { unreadCount } } }")).viewer.mailbox.unreadCount).toBe(4);
});

describe("markMailRead", () => {
  it("marks messages as read and unread, by id or global id, and updates the unread count", async () => {
    const global = Buffer.from(`MailMessage:${ids.news}`).toString("base64");
    const messageIds = [ids.order, global, ids.order];
    const { markMailRead } = await request(MARK, { input: { messageIds } });
    const marked = (isRead: boolean) => [ids.order, ids.news].map((messageId) => ({ messageId, isRead }));
    expect(markMailRead).toEqual({
      __typename: "MarkMailReadSuccess",
      messages: marked(true),
      mailbox: { unreadCount: 2 },
    });
    expect((await request(MARK, { input: { messageIds, isRead: false } })).markMailRead.messages).toEqual(
      marked(false),
    );
  });

  it("marks none when an id is unknown or of another account, or the list is empty", async () => {
    const missing = { input: { messageIds: [ids.order, "aem_1_none"] } };
    expect((await request(MARK, missing)).markMailRead).toMatchObject({ code: "NOT_FOUND" });
    const foreign = { input: { messageIds: [ids.order] } };
    expect((await request(MARK, foreign, otherAccount.token)).markMailRead).toMatchObject({ code: "NOT_FOUND" });
    expect((await request(MARK, { input: { messageIds: [] } })).markMailRead).toMatchObject({ field: "messageIds" });
    expect((await request(MARK, { input: { messageIds: ["mth_1_a"] } })).markMailRead).toMatchObject({
      field: "messageIds[0]",
    });
    expect(await found({ isUnread: true })).toContain(ids.order);
  });
});

describe("deleteMail", () => {
  it("deletes messages with their attachments and empty threads, and reorders the other threads", async () => {
    const { prisma } = stack.service.deps.db;
    const { threadId: fileThreadId } = await prisma.mailMessage.findUniqueOrThrow({ where: { id: ids.file } });
    const data = { from: "bob@people.example", fromName: "Bob", to: ["a@x.example"], cc: [], subject: "Hello" };
    await prisma.accountEvent.createMany({
      data: [ids.file, ids.reply].map((id) => ({
        ...{ id: `evt_${id}`, accountId: account.accountId, type: "mail.received", subjectId: id },
        ...{ payload: { id, ...data }, createdAt: new Date(), recordedAt: new Date() },
      })),
    });
    const { deleteMail } = await request(DELETE, { input: { messageIds: [ids.file, ids.thanks] } });
    const toGlobal = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString("base64");
    expect(deleteMail).toEqual({
      __typename: "DeleteMailSuccess",
      deletedIds: [ids.file, ids.thanks].map((id) => toGlobal("MailMessage", id)),
      deletedThreadIds: [toGlobal("MailThread", fileThreadId)],
      threads: [{ threadId: expect.stringMatching(/^mth_/), messageCount: 2, unreadCount: 1 }],
      mailbox: { unreadCount: 2 },
    });
    expect(await found({})).toEqual([ids.news, ids.reply, ids.order, ids.old]);
    expect(await prisma.mailAttachment.count({ where: { messageId: ids.file } })).toBe(0);
    const payloadOf = async (id: string) =>
      (await prisma.accountEvent.findUniqueOrThrow({ where: { id: `evt_${id}` } })).payload;
    expect(await payloadOf(ids.file)).toEqual({
      ...{ id: ids.file, from: "", fromName: "", to: [], cc: [], subject: "", isDeleted: true },
    });
    expect(await payloadOf(ids.reply)).toEqual({ id: ids.reply, ...data });
    const threads = await prisma.mailThread.findMany({
      where: { mailbox: { accountId: account.accountId } },
      orderBy: { lastMessageAt: "desc" },
      include: { messages: true },
    });
    expect(threads.map(({ messages }) => messages.length)).toEqual([1, 2, 1]);
    const reply = await prisma.mailMessage.findUniqueOrThrow({ where: { id: ids.reply } });
    expect(threads[1]?.lastMessageAt).toEqual(reply.createdAt);
  });

  it("makes a cursor of a deleted message an error, but not the cursor of the last message", async () => {
    const cursorOf = (id: string) => Buffer.from(`GPC:S:${id}`).toString("base64");
    for (const argument of ["after", "before"]) {
      const { json } = await stack.graphql(account.token, MESSAGES, { [argument]: cursorOf(ids.thanks) });
      expect(json.errors[0].extensions).toMatchObject({ code: "invalid_request", field: argument });
    }
    expect((await page({ after: cursorOf(ids.old) })).ids).toEqual([]);
    // In other threads, a cursor of one thread's messages gives an empty page without an error.
    const ofThreads = `query ($after: String) { viewer { mailbox { threads { edges { node { messages(after: $after) {
      edges { node { messageId } } } } } } } } }`;
    const { viewer } = await request(ofThreads, { after: cursorOf(ids.order) });
    const read = viewer.mailbox.threads.edges.map(({ node }: { node: { messages: { edges: unknown[] } } }) => node);
    expect(read.flatMap(({ messages }: { messages: { edges: unknown[] } }) => messages.edges)).toEqual([
      { node: { messageId: ids.reply } },
    ]);
    const { json } = await stack.graphql(account.token, ofThreads, { after: cursorOf(ids.thanks) });
    expect(json.errors[0].extensions).toMatchObject({ code: "invalid_request", field: "after" });
  });

  it("deletes none when a message is queued, unknown or of another account", async () => {
    const { prisma } = stack.service.deps.db;
    await prisma.mailMessage.update({ where: { id: ids.reply }, data: { status: "queued" } });
    const refused = async (messageIds: string[], token = account.token) =>
      (await request(DELETE, { input: { messageIds } }, token)).deleteMail;
    expect(await refused([ids.order, ids.reply])).toMatchObject({ code: "INVALID_REQUEST", field: "messageIds" });
    expect(await refused([ids.order, "aem_1_none"])).toMatchObject({ code: "NOT_FOUND" });
    expect(await refused([ids.order], otherAccount.token)).toMatchObject({ code: "NOT_FOUND" });
    expect(await found({})).toEqual([ids.news, ids.reply, ids.order, ids.old]);
  });
});

it("hides mail from other accounts, and from tokens without the scope if scopes are enforced", async () => {
  const global = Buffer.from(`MailMessage:${ids.order}`).toString("base64");
  const node = "query ($id: ID!) { node(id: $id) { __typename } }";
  expect(await request(node, { id: global }, otherAccount.token)).toEqual({ node: null });
  const lookUp = "query ($id: ID!) { mailMessage(id: $id) { __typename } }";
  expect(await request(lookUp, { id: ids.order }, otherAccount.token)).toEqual({ mailMessage: null });
  expect((await request(MESSAGES, {}, otherAccount.token)).viewer.mailbox).toBeNull();
  const { db } = stack.service.deps;
  const narrow = await stack.account({ token: { scopes: ["balance:read"] } });
  await createMailbox(stack, narrow);
  await db.prisma.account.update({ where: { id: narrow.accountId }, data: { strictScopes: true } });
  for (const [query, variables] of [
    [MESSAGES, {}],
    [node, { id: global }],
    [lookUp, { id: ids.order }],
  ] as const) {
    const { json } = await stack.graphql(narrow.token, query, variables);
    expect(json.errors[0].extensions.code).toBe("forbidden");
  }
  expect((await request(MARK, { input: { messageIds: [ids.order] } }, narrow.token)).markMailRead).toMatchObject({
    code: "FORBIDDEN",
  });
});
