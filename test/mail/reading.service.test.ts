// @module-tag postgresql
/** A mailbox over GraphQL: lists with every filter, threads, marking, deleting, and who may see it. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { attach, openMailbox, storeMessage } from "./correspondence.ts";

const DAY_MS = 86_400_000;
const MESSAGES = `query ($filter: MailFilter, $first: Int, $after: String, $last: Int, $before: String, $offset: Int) { viewer { mailbox {
  messages(filter: $filter, first: $first, after: $after, last: $last, before: $before, offset: $offset) {
    edges { node { messageId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`;
const MARK = `mutation ($input: MarkMailReadInput!) { markMailRead(input: $input) { __typename
  ... on MarkMailReadSuccess { messages { messageId isRead } } ... on Error { code message } ... on InvalidRequestError { field } } }`;
const DELETE = `mutation ($input: DeleteMailInput!) { deleteMail(input: $input) { __typename
  ... on DeleteMailSuccess { messageIds } ... on Error { code message } ... on InvalidRequestError { field } } }`;

let stack: Stack;
let account: TestAccount;
let stranger: TestAccount;
let ids: Record<"order" | "answer" | "thanks" | "news" | "old" | "file", string>;

async function ask(query: string, variables: object = {}, token = account.token) {
  const { json } = await stack.graphql(token, query, variables);
  expect(json.errors).toBeUndefined();
  return json.data;
}
async function page(variables: object) {
  const { edges, pageInfo } = (await ask(MESSAGES, variables)).viewer.mailbox.messages;
  return { ids: edges.map((edge: { node: { messageId: string } }) => edge.node.messageId) as string[], pageInfo };
}
const found = async (filter: object) => (await page({ filter, first: 50 })).ids;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  stranger = await stack.account();
  const mailbox = await openMailbox(stack, account);
  const at = (agoMs: number) => new Date(Date.now() - agoMs);
  const old = await storeMessage(stack, mailbox, {
    createdAt: at(20 * DAY_MS),
    isRead: true,
    fromAddress: "Bob@Mail.Bank.example",
    fromName: "Böb O'Neil",
    subject: "Kontoauszug für März",
    bodyText: "Grüße aus dem Büro, 100% sicher: it's \\ fine",
  });
  const order = await storeMessage(stack, mailbox, { createdAt: at(5_000), messageIdHeader: "<1@shop.example>" });
  const answer = await storeMessage(stack, mailbox, {
    createdAt: at(4_000),
    direction: "outbound",
    subject: "Re: An order",
    bodyText: "In the front, under the flap.",
    messageIdHeader: "<2@agents.example>",
    inReplyTo: "<1@shop.example>",
    references: ["<1@shop.example>"],
    repliesToId: order.id,
  });
  const thanks = await storeMessage(stack, mailbox, {
    createdAt: at(3_000),
    subject: "AW: Re: An order",
    bodyText: "Thank you!\n\n> In the front, under the flap.",
    extractedText: "Thank you!",
    inReplyTo: "<2@agents.example>",
    references: ["<1@shop.example>", "<2@agents.example>"],
    spfResult: "pass",
    dkimResult: "pass",
    dmarcResult: "pass",
    authentication: { spf: "shop.example", dkim: ["shop.example"], dmarc: "shop.example", policy: "reject" },
  });
  const news = await storeMessage(stack, mailbox, {
    createdAt: at(2_000),
    fromAddress: "news@shop.example",
    fromName: "",
    subject: "Spring sale",
    bodyText: "Unsubscribe anytime",
    automated: "bulk",
    spfResult: "fail",
    dkimResult: "none",
  });
  const file = await storeMessage(stack, mailbox, { createdAt: at(1_000), subject: "", bodyText: "" });
  await attach(stack, file.id, {
    filename: "facture é.pdf",
    contentType: "application/pdf",
    bytes: Buffer.from("%PDF"),
  });
  await attach(stack, news.id, {
    filename: "logo.png",
    contentType: "image/png",
    bytes: Buffer.from("x"),
    contentId: "logo",
  });
  ids = { order: order.id, answer: answer.id, thanks: thanks.id, news: news.id, old: old.id, file: file.id };
});

describe("the messages", () => {
  it("come newest first, page by page in both directions, by cursor and by number", async () => {
    const all = [ids.file, ids.news, ids.thanks, ids.answer, ids.order, ids.old];
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
    [{ direction: "outbound" }, ["answer"]],
    [{ unread: true }, ["file", "news", "thanks", "order"]],
    [{ unread: false }, ["answer", "old"]],
    [{ from: "jane@SHOP.example" }, ["file", "thanks", "order"]],
    [{ from: "shop.example" }, ["file", "news", "thanks", "order"]],
    [{ from: "@mail.bank.example" }, ["old"]],
    [{ hasAttachments: true }, ["file"]],
    [{ hasAttachments: false, from: "news@shop.example" }, ["news"]],
    [{ since: new Date(Date.now() - DAY_MS).toISOString(), unread: false }, ["answer"]],
    [{ until: new Date(Date.now() - DAY_MS).toISOString() }, ["old"]],
    [{ q: "flap" }, ["thanks", "answer"]],
    [{ q: "ord flap" }, ["thanks", "answer"]],
    [{ q: "flap -thank" }, ["answer"]],
    [{ q: '"the flap"' }, ["thanks", "answer"]],
    [{ q: '"flap the"' }, []],
    [{ q: "KONTO" }, ["old"]],
    [{ q: "märz büro" }, ["old"]],
    [{ q: "bank" }, ["old"]],
    [{ q: "bob@mail" }, ["old"]],
    [{ q: "o'neil \\" }, ["old"]],
    [{ q: "it's" }, ["old"]],
    [{ q: "' \" & | ! ( ) : * \\" }, ["file", "news", "thanks", "answer", "order", "old"]],
    [{ q: "nowhere & '" }, []],
  ] as const)("are narrowed by %j", async (filter, names) => {
    expect(await found(filter)).toEqual(names.map((name) => ids[name]));
  });

  it("are narrowed to a thread, by its own id or its global id", async () => {
    const { node } = await ask("query ($id: ID!) { node(id: $id) { ... on MailMessage { thread { id threadId } } } }", {
      id: Buffer.from(`MailMessage:${ids.answer}`).toString("base64"),
    });
    for (const threadId of [node.thread.threadId, node.thread.id]) {
      expect(await found({ threadId })).toEqual([ids.thanks, ids.answer, ids.order]);
    }
  });

  it.each([
    [{ filter: { threadId: "mailbox" } }, "filter.threadId is not the id of a thread."],
    [{ filter: { q: "a\0b" } }, "q holds text that is not valid Unicode, or a NUL character."],
    [{ offset: -1 }, "offset must be from 0 to 100000."],
    [{ first: 1_000 }, "first must be from 1 to 100."],
  ])("refuse %j", async (variables, message) => {
    const { json } = await stack.graphql(account.token, MESSAGES, variables);
    expect(json.errors[0]).toMatchObject({ message, extensions: { code: "invalid_request" } });
  });

  it("say what they are, what they answer, and who vouches for them", async () => {
    const query = `query ($id: ID!) { viewer { mailbox { message(messageId: $id) { direction status from fromName to subject
      bodyText extractedText preview automated inReplyTo { messageId } thread { subject messageCount }
      authentication { verdict spf dkim dmarc spfDomain dkimDomains dmarcPolicy }
      attachments { filename contentType sizeBytes isInline downloadUrl } } } } }`;
    const message = async (id: string) => (await ask(query, { id })).viewer.mailbox.message;
    expect(await message(ids.thanks)).toMatchObject({
      direction: "inbound",
      status: "received",
      from: "jane@shop.example",
      fromName: "Jane Doe",
      extractedText: "Thank you!",
      preview: "Thank you!",
      automated: null,
      inReplyTo: { messageId: ids.answer },
      thread: { subject: "An order", messageCount: 3 },
      authentication: { verdict: "authentic", dmarc: "pass", dkimDomains: ["shop.example"], dmarcPolicy: "reject" },
    });
    expect(await message(ids.answer)).toMatchObject({ inReplyTo: { messageId: ids.order }, authentication: null });
    expect(await message(ids.news)).toMatchObject({
      automated: "bulk",
      authentication: { verdict: "suspicious", dmarc: null },
    });
    const { attachments } = await message(ids.file);
    expect(attachments).toMatchObject([{ filename: "facture é.pdf", contentType: "application/pdf", sizeBytes: 4 }]);
    expect(attachments[0].downloadUrl).toMatch(/\/api\/agent\/email\/attachments\/mat_\w+$/);
    expect(await message("aem_1_none")).toBeNull();
  });
});

it("the threads stand by their newest message, with their figures, and are found by what is in them", async () => {
  const query = `query ($filter: MailThreadFilter, $first: Int, $after: String) { viewer { mailbox { unreadCount threads(filter: $filter, first: $first, after: $after) {
    edges { node { subject messageCount unreadCount participants { address name } lastMessage { messageId }
      messages(first: 5) { edges { node { messageId } } } } } pageInfo { endCursor hasNextPage } } } } }`;
  const threads = async (variables: object) => {
    const { edges, pageInfo } = (await ask(query, variables)).viewer.mailbox.threads;
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
      { address: "jane@shop.example", name: "Jane Doe" },
      { address: expect.stringMatching(/^agent-/), name: "Ada's agent" },
    ],
    lastMessage: { messageId: ids.thanks },
    messages: { edges: [ids.order, ids.answer, ids.thanks].map((messageId) => ({ node: { messageId } })) },
  });
  const first = await threads({ first: 3 });
  const rest = await threads({ first: 3, after: first.pageInfo.endCursor });
  expect(rest.nodes).toEqual(nodes.slice(3));
  expect((await threads({ filter: { q: "flap" } })).nodes).toEqual([nodes[2]]);
  expect((await threads({ filter: { unread: false } })).nodes).toEqual([nodes[3]]);
  expect((await ask("{ viewer { mailbox { unreadCount } } }")).viewer.mailbox.unreadCount).toBe(4);
});

describe("marking", () => {
  it("marks and unmarks, by either id, and is told in the count", async () => {
    const global = Buffer.from(`MailMessage:${ids.news}`).toString("base64");
    const messageIds = [ids.order, global, ids.order];
    const { markMailRead } = await ask(MARK, { input: { messageIds } });
    const marked = (isRead: boolean) => [ids.order, ids.news].map((messageId) => ({ messageId, isRead }));
    expect(markMailRead.messages).toEqual(marked(true));
    expect((await ask("{ viewer { mailbox { unreadCount } } }")).viewer.mailbox.unreadCount).toBe(2);
    expect((await ask(MARK, { input: { messageIds, isRead: false } })).markMailRead.messages).toEqual(marked(false));
  });

  it("marks none when one is not there, none is named, or it is another's", async () => {
    const missing = { input: { messageIds: [ids.order, "aem_1_none"] } };
    expect((await ask(MARK, missing)).markMailRead).toMatchObject({ code: "not_found" });
    const theirs = { input: { messageIds: [ids.order] } };
    expect((await ask(MARK, theirs, stranger.token)).markMailRead).toMatchObject({ code: "not_found" });
    expect((await ask(MARK, { input: { messageIds: [] } })).markMailRead).toMatchObject({ field: "messageIds" });
    expect((await ask(MARK, { input: { messageIds: ["mth_1_a"] } })).markMailRead).toMatchObject({
      field: "messageIds",
    });
    expect(await found({ unread: true })).toContain(ids.order);
  });
});

describe("deleting", () => {
  it("takes messages with their files and threads left empty, and moves the others up or down", async () => {
    const { prisma } = stack.service.deps.db;
    const { deleteMail } = await ask(DELETE, { input: { messageIds: [ids.file, ids.thanks] } });
    expect(deleteMail.messageIds).toEqual([ids.file, ids.thanks]);
    expect(await found({})).toEqual([ids.news, ids.answer, ids.order, ids.old]);
    expect(await prisma.mailAttachment.count({ where: { messageId: ids.file } })).toBe(0);
    const threads = await prisma.mailThread.findMany({
      where: { mailbox: { accountId: account.accountId } },
      orderBy: { lastMessageAt: "desc" },
      include: { messages: true },
    });
    expect(threads.map(({ messages }) => messages.length)).toEqual([1, 2, 1]);
    const answer = await prisma.mailMessage.findUniqueOrThrow({ where: { id: ids.answer } });
    expect(threads[1]?.lastMessageAt).toEqual(answer.createdAt);
  });

  it("is told of a page that would begin at what is gone, and not of the end of the list", async () => {
    const cursorOf = (id: string) => Buffer.from(`GPC:S:${id}`).toString("base64");
    for (const argument of ["after", "before"]) {
      const { json } = await stack.graphql(account.token, MESSAGES, { [argument]: cursorOf(ids.thanks) });
      expect(json.errors[0].extensions).toMatchObject({ code: "invalid_request", field: argument });
    }
    expect((await page({ after: cursorOf(ids.old) })).ids).toEqual([]);
    // A cursor of one thread's messages ends the others' lists, and is no mistake.
    const ofThreads = `query ($after: String) { viewer { mailbox { threads { edges { node { messages(after: $after) {
      edges { node { messageId } } } } } } } } }`;
    const { viewer } = await ask(ofThreads, { after: cursorOf(ids.order) });
    const read = viewer.mailbox.threads.edges.map(({ node }: { node: { messages: { edges: unknown[] } } }) => node);
    expect(read.flatMap(({ messages }: { messages: { edges: unknown[] } }) => messages.edges)).toEqual([
      { node: { messageId: ids.answer } },
    ]);
    const { json } = await stack.graphql(account.token, ofThreads, { after: cursorOf(ids.thanks) });
    expect(json.errors[0].extensions).toMatchObject({ code: "invalid_request", field: "after" });
  });

  it("leaves what waits to be sent, what is not there, and what is another's", async () => {
    const { prisma } = stack.service.deps.db;
    await prisma.mailMessage.update({ where: { id: ids.answer }, data: { status: "queued" } });
    const refused = async (messageIds: string[], token = account.token) =>
      (await ask(DELETE, { input: { messageIds } }, token)).deleteMail;
    expect(await refused([ids.order, ids.answer])).toMatchObject({ code: "invalid_request", field: "messageIds" });
    expect(await refused([ids.order, "aem_1_none"])).toMatchObject({ code: "not_found" });
    expect(await refused([ids.order], stranger.token)).toMatchObject({ code: "not_found" });
    expect(await found({})).toEqual([ids.news, ids.answer, ids.order, ids.old]);
  });
});

it("shows nothing to others, nor without the scope where scopes are enforced", async () => {
  const global = Buffer.from(`MailMessage:${ids.order}`).toString("base64");
  const node = "query ($id: ID!) { node(id: $id) { __typename } }";
  expect(await ask(node, { id: global }, stranger.token)).toEqual({ node: null });
  expect((await ask(MESSAGES, {}, stranger.token)).viewer.mailbox).toBeNull();
  const { db } = stack.service.deps;
  const narrow = await stack.account({ token: { scopes: ["balance:read"] } });
  await openMailbox(stack, narrow);
  await db.prisma.account.update({ where: { id: narrow.accountId }, data: { strictScopes: true } });
  for (const [query, variables] of [
    [MESSAGES, {}],
    [node, { id: global }],
  ] as const) {
    const { json } = await stack.graphql(narrow.token, query, variables);
    expect(json.errors[0].extensions.code).toBe("forbidden");
  }
  expect((await ask(MARK, { input: { messageIds: [ids.order] } }, narrow.token)).markMailRead).toMatchObject({
    code: "forbidden",
  });
});
