/** Attachments, uploaded and downloaded, and drafts. */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { enforceRules } from "../support/retention.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createMailbox, storeAttachment, storeMessage } from "./fixtures.ts";
import { openRelay, type TestRelay } from "./relay.ts";

const MIB = 1024 * 1024;
const PATH = "/api/agent/email/attachments";
let relay: TestRelay;
let stack: OwnStack;
let account: TestAccount;
let mailbox: Mailbox;

beforeAll(async () => {
  relay = await openRelay();
  stack = await startStack({ env: { SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example" } });
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
});
beforeEach(() => {
  relay.accepted.length = 0;
});

const prisma = () => stack.service.deps.db.prisma;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const EMAIL = { to: "jane@merchant.example", subject: "Files", body: "See below." };
const send = (email: object) => stack.rest(account.token, "POST", "/api/agent/email/send", email);

async function upload(bytes: Buffer, query: string, token: string | null = account.token, type = "") {
  const response = await fetch(`${stack.baseUrl}${PATH}?${query}`, {
    method: "POST",
    headers: { ...(token ? { "x-service-token": token } : {}), ...(type ? { "content-type": type } : {}) },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, json: await response.json() };
}

const download = (id: string, token = account.token) =>
  fetch(`${stack.baseUrl}${PATH}/${id}`, { headers: { "x-service-token": token } });

describe("attachments", () => {
  it("limits the bytes that one operation reads", async () => {
    const { json } = await upload(randomBytes(MIB), "filename=a.bin");
    const read = async (parts: number, length: number) => {
      const fields = Array.from({ length: parts }, (_, n) => `part${n}: contentBase64(length: ${length})`);
      const query = `{ mailAttachment(id: "${json.id}") { ${fields.join(" ")} } }`;
      return (await stack.graphql(account.token, query)).json;
    };
    expect((await read(1, MIB)).data.mailAttachment.part0).toHaveLength(Math.ceil(MIB / 3) * 4);
    expect((await read(20, MIB)).errors).toMatchObject([{ extensions: { code: "OPERATION_LIMIT_EXCEEDED" } }]);
  });

  it("sends and downloads an uploaded file unchanged", async () => {
    const bytes = randomBytes(3 * MIB + 17);
    const name = encodeURIComponent('C:\\private\\Rückblick "1".pdf');
    const { status, json } = await upload(bytes, `filename=${name}&contentType=application/pdf`);
    const filename = 'Rückblick "1".pdf';
    expect(status).toBe(200);
    expect(json).toMatchObject({ filename, contentType: "application/pdf", size: bytes.length, sha256: sha256(bytes) });
    const sent = await send({ ...EMAIL, attachmentIds: [json.id] });
    expect(sent.status).toBe(200);
    const [file] = relay.accepted[0]?.mail.attachments ?? [];
    expect([file?.filename, file?.contentType, sha256(file?.content ?? bytes.subarray(1))]).toEqual([
      filename,
      "application/pdf",
      sha256(bytes),
    ]);
    const got = await download(json.id);
    expect(sha256(new Uint8Array(await got.arrayBuffer()))).toBe(sha256(bytes));
    expect(Object.fromEntries(got.headers)).toMatchObject({
      "content-type": "application/pdf",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": `attachment; filename="R_ckblick _1_.pdf"; filename*=UTF-8''R%C3%BCckblick%20%221%22.pdf`,
    });
    const other = await stack.account();
    expect((await download(json.id, other.token)).status).toBe(404);
    expect((await download("mat_1_none")).status).toBe(404);
    expect((await fetch(`${stack.baseUrl}${PATH}/${json.id}`)).status).toBe(401);
  });

  it("copies the attachment of a received message into each email", async () => {
    const received = await storeMessage(stack, mailbox);
    const bytes = randomBytes(1_000);
    const file = { filename: "a.bin", contentType: "application/octet-stream", bytes };
    const { id } = await storeAttachment(stack, received.id, file);
    for (const _time of [1, 2]) expect((await send({ ...EMAIL, attachmentIds: [id] })).status).toBe(200);
    expect(relay.accepted.map(({ mail }) => sha256(mail.attachments[0]?.content ?? Buffer.alloc(0)))).toEqual([
      sha256(bytes),
      sha256(bytes),
    ]);
    expect(await prisma().mailAttachment.count({ where: { messageId: received.id } })).toBe(1);
  });

  it("rejects attachments of another account and more than 20 MiB without sending", async () => {
    const other = await stack.account();
    await createMailbox(stack, other);
    const foreign = await upload(Buffer.from("x"), "filename=x.txt", other.token);
    const refused = await send({ ...EMAIL, attachmentIds: [foreign.json.id] });
    expect([refused.status, refused.json.field]).toEqual([400, "attachmentIds"]);
    const halves = await Promise.all([1, 2].map(async () => (await upload(Buffer.from("x"), "filename=half")).json.id));
    await prisma().mailAttachment.updateMany({ where: { id: { in: halves } }, data: { sizeBytes: 11 * MIB } });
    const large = await send({ ...EMAIL, attachmentIds: halves });
    expect([large.status, large.json.field]).toEqual([400, "attachmentIds"]);
    const whole = await upload(Buffer.alloc(20 * MIB), "filename=whole");
    expect([whole.status, whole.json.size]).toEqual([200, 20 * MIB]);
    const beyond = await upload(Buffer.alloc(20 * MIB + 1), "filename=beyond");
    expect([beyond.status, beyond.json.error]).toEqual([413, "payload_too_large"]);
    expect(relay.accepted).toHaveLength(0);
    expect(await prisma().mailAttachment.count({ where: { sizeBytes: { lt: 0 } } })).toBe(0);
  });

  it("leaves the connection usable after an oversized upload", async ({ onTestFinished }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const call = async (method: string, path: string, bytes: Uint8Array) => {
      const headers = { "x-service-token": account.token, "content-length": bytes.length };
      const sent = request(`${stack.baseUrl}${path}`, { agent, method, headers });
      sent.end(bytes);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      for await (const _ of response);
      return { status: response.statusCode, port: sent.socket?.localPort };
    };
    const refused = await call("POST", `${PATH}?filename=beyond`, Buffer.alloc(23 * MIB));
    expect(refused).toEqual({ status: 413, port: expect.any(Number) });
    expect(await call("GET", "/api/agent/email", Buffer.alloc(0))).toEqual({ status: 200, port: refused.port });
  });

  it.each([
    ["filename", ""],
    ["filename", "filename="],
    ["filename", "filename=a%0d%0ab"],
    ["filename", "filename=.."],
    ["filename", `filename=${"x".repeat(256)}`],
    ["filename", "filename=a&filename=b"],
    ["contentType", "filename=a&contentType=text"],
    ["contentType", "filename=a&contentType=multipart/mixed"],
    ["contentType", "filename=a&contentType=text/html%0d%0aX:1"],
  ])("rejects an invalid %s and returns the field name (?%s)", async (field, query) => {
    const { status, json } = await upload(Buffer.from("x"), query);
    expect([status, json.field]).toEqual([400, field]);
  });

  it("requires a credential and a mailbox", async () => {
    expect((await upload(Buffer.from("x"), "filename=x", null)).status).toBe(401);
    const withoutMailbox = await stack.account();
    expect((await upload(Buffer.from("x"), "filename=x", withoutMailbox.token)).status).toBe(404);
  });

  it("deletes interrupted uploads, and uploads unused for 24 hours", async () => {
    const before = await prisma().mailAttachment.count();
    const { hostname, port } = new URL(stack.baseUrl);
    const socket = connect(Number(port), hostname);
    const head = `POST ${PATH}?filename=broken HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${account.token}\r\nContent-Length: 5000000\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), randomBytes(2 * MIB)]));
    await expect.poll(() => prisma().mailAttachment.count()).toBe(before + 1);
    socket.destroy();
    await expect.poll(() => prisma().mailAttachment.count()).toBe(before);
    const { json } = await upload(Buffer.from("old"), "filename=old");
    const fresh = await upload(Buffer.from("new"), "filename=new");
    const dayAgo = new Date(Date.now() - 86_500_000);
    await prisma().mailAttachment.update({ where: { id: json.id }, data: { createdAt: dayAgo } });
    await enforceRules(stack.service.deps.db, ["mail-uploads"]);
    expect([(await download(json.id)).status, (await download(fresh.json.id)).status]).toEqual([404, 200]);
  });
});

describe("drafts", () => {
  const DRAFT = "draft { draftId to cc subject body inReplyTo { messageId } attachments { attachmentId } }";
  const mutate = async (name: string, input: object, fields: string) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { result: ${name}(input: $input) { __typename ... on ${type}Success { ${fields} } ... on Error { code message } } }`;
    const { json } = await stack.graphql(account.token, query, { input });
    expect(json.errors).toBeUndefined();
    return json.data.result;
  };
  const SENT = "mailMessage { messageId subject to status thread { threadId } }";
  const drafts = async () => {
    const query = "{ viewer { mailbox { drafts { edges { node { draftId subject } } } } } }";
    const { json } = await stack.graphql(account.token, query);
    return json.data.viewer.mailbox.drafts.edges.map(({ node }: { node: { draftId: string } }) => node.draftId);
  };

  it("updates a draft and sends it once with its attachments", async () => {
    const { json: file } = await upload(Buffer.from("one"), "filename=one.txt&contentType=text/plain");
    const { json: other } = await upload(Buffer.from("two"), "filename=two.txt&contentType=text/plain");
    const created = (await mutate("createMailDraft", { subject: "Later", attachmentIds: [file.id] }, DRAFT)).draft;
    expect(created).toMatchObject({
      to: [],
      cc: [],
      subject: "Later",
      body: "",
      attachments: [{ attachmentId: file.id }],
    });
    const { draftId } = created;
    expect(await mutate("sendMailDraft", { id: draftId }, SENT)).toMatchObject({ code: "INVALID_REQUEST" });
    const changes = { id: draftId, to: ["jane@merchant.example"], body: "Now.", attachmentIds: [other.id] };
    const { draft } = await mutate("updateMailDraft", changes, DRAFT);
    expect(draft).toMatchObject({ subject: "Later", body: "Now.", attachments: [{ attachmentId: other.id }] });
    expect(await drafts()).toEqual([draftId]);

    const results = await Promise.all(Array.from({ length: 6 }, () => mutate("sendMailDraft", { id: draftId }, SENT)));
    const sent = results.filter(({ __typename }) => __typename === "SendMailDraftSuccess");
    expect(new Set(sent.map(({ mailMessage }) => mailMessage.messageId)).size).toBe(1);
    for (const each of results.filter((one) => !sent.includes(one))) expect(each.code).toBe("NOT_FOUND");
    expect(relay.accepted).toHaveLength(1);
    expect(relay.accepted[0]?.mail).toMatchObject({ subject: "Later", attachments: [{ filename: "two.txt" }] });
    expect(await drafts()).toEqual([]);
  });

  it("sends the draft of a reply in the thread, and replays the result for the same idempotency key", async () => {
    const original = await storeMessage(stack, mailbox);
    const input = {
      inReplyToId: original.id,
      to: ["jane@merchant.example"],
      subject: "Re: An order",
      body: "Soon.",
    };
    const { draft } = await mutate("createMailDraft", input, DRAFT);
    const once = { id: draft.draftId, idempotencyKey: "draft-key" };
    expect(draft.inReplyTo).toEqual({ messageId: original.id });
    const first = await mutate("sendMailDraft", once, `${SENT} deletedDraftId`);
    expect(first.deletedDraftId).toBe(Buffer.from(`MailDraft:${draft.draftId}`).toString("base64"));
    expect(first.mailMessage.thread.threadId).toBe(original.threadId);
    expect(relay.accepted[0]?.mail.inReplyTo).toBe(original.messageIdHeader);
    expect(await mutate("sendMailDraft", once, `${SENT} deletedDraftId`)).toEqual(first);
    expect(relay.accepted).toHaveLength(1);
  });

  it("deletes a draft with the email that replaces it, and by mutation", async () => {
    const [one, two] = await Promise.all([1, 2].map(() => mutate("createMailDraft", { subject: "x" }, DRAFT)));
    const input = { to: ["jane@merchant.example"], subject: "x", body: "y", draftId: one.draft.draftId };
    expect((await mutate("sendMail", input, SENT)).mailMessage.status).toBe("SENT");
    expect((await mutate("sendMail", input, SENT)).code).toBe("NOT_FOUND");
    expect(await drafts()).toEqual([two.draft.draftId]);
    const { draftId } = two.draft;
    const deletedId = Buffer.from(`MailDraft:${draftId}`).toString("base64");
    const remove = () =>
      mutate("deleteMailDraft", { id: draftId }, "deletedId mailbox { drafts { edges { cursor } } }");
    expect(await remove()).toEqual({
      __typename: "DeleteMailDraftSuccess",
      deletedId,
      mailbox: { drafts: { edges: [] } },
    });
    expect((await remove()).code).toBe("NOT_FOUND");
    expect(await mutate("updateMailDraft", { id: draftId, body: "z" }, DRAFT)).toMatchObject({ code: "NOT_FOUND" });
    expect(relay.accepted).toHaveLength(1);
  });
});
