/** Raw messages: sealed, downloaded unchanged, and limited by quotas that fall when messages are deleted. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { enforceRules } from "../support/retention.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createMailbox, storeAttachment, storeMessage } from "./fixtures.ts";
import { sendRaw, setDns } from "./senders.ts";

const QUOTA_BYTES = 2_000_000;
const HOST_QUOTA_BYTES = 5_000_000;
const UNPROVEN_BYTES = 500_000;
let stack: OwnStack;

beforeAll(async () => {
  const env = {
    AGENT_MAIL_DOMAIN: "agents.example",
    MAIL_MAX_UNPROVEN_BYTES: String(UNPROVEN_BYTES),
    MAIL_MAILBOX_QUOTA_BYTES: String(QUOTA_BYTES),
    MAIL_HOST_QUOTA_BYTES: String(HOST_QUOTA_BYTES),
  };
  stack = await startStack({ networks: [], env });
  await setDns(stack, [{ name: "proven.example", type: "TXT", data: "v=spf1 ip4:127.0.0.1 -all" }]);
});
afterAll(() => stack?.stop());

const prisma = () => stack.service.deps.db.prisma;
async function open(): Promise<{ account: TestAccount; mailbox: Mailbox }> {
  const account = await stack.account();
  return { account, mailbox: await createMailbox(stack, account) };
}

let count = 0;
/** Returns a message of about `bytes` random bytes in base64, with a secret text. */
const createRaw = (bytes: number) => {
  const file = randomBytes(Math.ceil((bytes * 3) / 4)).toString("base64");
  return Buffer.from(
    `From: a@proven.example\r\nSubject: the secret subject ${count}\r\nMessage-ID: <raw-${count++}@proven.example>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      `--b\r\nContent-Type: text/plain; charset=windows-1252\r\n\r\nThe secret text: caf\u00e9.\r\n--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n` +
      `${file.replaceAll(/.{76}/g, "$&\r\n")}\r\n--b--\r\n`,
    "latin1",
  );
};
async function deliver({ address }: Mailbox, raw: Buffer, from = "a@proven.example"): Promise<string> {
  return await sendRaw(stack, address, raw, from).catch((error: { response: string }) => error.response);
}
const idOf = (reply: string) => /aem_\w+/.exec(reply)?.[0] ?? "";
const download = (path: string, token: string | null) =>
  fetch(`${stack.baseUrl}${path}`, { headers: token === null ? {} : { "x-service-token": token } });

describe("a raw message", () => {
  it("is downloaded unchanged", async () => {
    const { account, mailbox } = await open();
    const raw = createRaw(1_000_000);
    const id = idOf(await deliver(mailbox, raw));
    const query = "query ($id: ID!) { mailMessage(id: $id) { rawUrl } }";
    const { json } = await stack.graphql(account.token, query, { id });
    const path = `/api/agent/email/messages/${id}/raw`;
    expect(json.data.mailMessage.rawUrl).toBe(`${stack.baseUrl}${path}`);
    const response = await download(path, account.token);
    expect(Buffer.from(await response.arrayBuffer()).equals(raw)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "message/rfc822",
      "content-disposition": `attachment; filename="${id}.eml"`,
      "content-length": String(raw.length),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
  });

  it("is of its account only, with the scope email:read", async () => {
    const { mailbox } = await open();
    const path = `/api/agent/email/messages/${idOf(await deliver(mailbox, createRaw(100)))}/raw`;
    expect((await download(path, null)).status).toBe(401);
    expect((await download(path, (await stack.account()).token)).status).toBe(404);
  });

  it("is absent for messages of an earlier version", async () => {
    const { account, mailbox } = await open();
    const { id } = await storeMessage(stack, mailbox);
    const { json } = await stack.graphql(account.token, "query ($id: ID!) { mailMessage(id: $id) { rawUrl } }", { id });
    expect(json.data.mailMessage.rawUrl).toBeNull();
    expect((await download(`/api/agent/email/messages/${id}/raw`, account.token)).status).toBe(404);
  });

  it("is sealed, as its attachments are, and opens only in its place", async () => {
    const { account, mailbox } = await open();
    const raw = createRaw(1_500);
    const id = idOf(await deliver(mailbox, raw));
    const [chunk] = await prisma().mailRawChunk.findMany({ where: { messageId: id } });
    expect(Buffer.from(chunk?.sealedBytes ?? []).includes("secret text")).toBe(false);
    const [file] = await prisma().mailAttachment.findMany({ where: { messageId: id }, include: { chunks: true } });
    const plain = await download(`/api/agent/email/attachments/${file?.id}`, account.token);
    const bytes = Buffer.from(await plain.arrayBuffer());
    expect(Buffer.from(file?.chunks[0]?.bytes ?? []).includes(bytes.subarray(0, 100))).toBe(false);
    const other = idOf(await deliver(mailbox, createRaw(1_500)));
    await prisma().mailRawChunk.deleteMany({ where: { messageId: other } });
    await prisma().mailRawChunk.updateMany({ where: { messageId: id }, data: { messageId: other } });
    await prisma().mailMessage.update({ where: { id: other }, data: { sizeBytes: raw.length } });
    expect((await download(`/api/agent/email/messages/${other}/raw`, account.token)).status).toBe(500);
  });

  it("has attachments of an earlier version, which are plain", async () => {
    const { account, mailbox } = await open();
    const { id: messageId } = await storeMessage(stack, mailbox);
    const content = { filename: "a.txt", contentType: "text/plain", bytes: Buffer.from("plain bytes") };
    const file = await storeAttachment(stack, messageId, content);
    const response = await download(`/api/agent/email/attachments/${file.id}`, account.token);
    expect(await response.text()).toBe("plain bytes");
  });
});

describe("quotas", () => {
  const usedBytes = async (mailbox: Mailbox) => {
    const rows = await prisma().mailUsage.findMany({ where: { mailboxId: mailbox.id } });
    return Number(rows.reduce((sum, { bytes }) => sum + bytes, 0n));
  };

  it("refuse large messages of unproven senders", async () => {
    const { mailbox } = await open();
    expect(await deliver(mailbox, createRaw(600_000), "stranger@unproven.example")).toMatch(/^552 5\.3\.4/);
    expect(await deliver(mailbox, createRaw(100_000), "stranger@unproven.example")).toMatch(/^250/);
    expect(await deliver(mailbox, createRaw(600_000))).toMatch(/^250/);
  });

  it("refuse messages to a full mailbox until messages are deleted or expire", { timeout: 60_000 }, async () => {
    const { account, mailbox } = await open();
    const replies = await Promise.all(Array.from({ length: 6 }, () => deliver(mailbox, createRaw(400_000))));
    const ids = replies.map(idOf).filter((id) => id !== "");
    expect(ids).toHaveLength(2);
    expect(replies.filter((reply) => reply.startsWith("452 4.2.2 The mailbox is full"))).toHaveLength(4);
    const used = await usedBytes(mailbox);
    expect(used).toBeGreaterThan(1_400_000);
    expect(await prisma().mailRawChunk.count({ where: { message: { mailboxId: mailbox.id } } })).toBe(2);
    const mutation = `mutation ($ids: [ID!]!) { deleteMail(input: { messageIds: $ids }) { __typename } }`;
    await stack.graphql(account.token, mutation, { ids: [ids[0]] });
    expect(await usedBytes(mailbox)).toBe(used / 2);
    expect(await deliver(mailbox, createRaw(400_000))).toMatch(/^250/);
    const expired = new Date(Date.now() - 31 * 86_400_000);
    await prisma().mailMessage.updateMany({ where: { mailboxId: mailbox.id }, data: { createdAt: expired } });
    await enforceRules(stack.service.deps.db, ["mail-messages"]);
    expect(await usedBytes(mailbox)).toBe(0);
    expect(await prisma().mailUsage.count({ where: { mailboxId: mailbox.id } })).toBe(0);
  });

  it("refuse messages of a host to all mailboxes", { timeout: 60_000 }, async () => {
    await prisma().mailMessage.deleteMany({});
    const boxes = await Promise.all(Array.from({ length: 8 }, open));
    const replies = await Promise.all(boxes.map(({ mailbox }) => deliver(mailbox, createRaw(600_000))));
    const refused = replies.filter((reply) => reply.startsWith("452 4.3.1"));
    // Each counts raw message and attachment: about 1.05 MB.
    expect([replies.filter((reply) => reply.startsWith("250")).length, refused.length]).toEqual([4, 4]);
    const [{ _sum }] = [await prisma().mailUsage.aggregate({ _sum: { bytes: true } })];
    expect(Number(_sum.bytes)).toBeLessThanOrEqual(HOST_QUOTA_BYTES);
  });

  it("refuse small messages of a host, however many arrive at once", { timeout: 60_000 }, async () => {
    await prisma().mailMessage.deleteMany({});
    const boxes = await Promise.all(Array.from({ length: 8 }, open));
    const arriving = boxes.flatMap(({ mailbox }) =>
      Array.from({ length: 3 }, () => deliver(mailbox, createRaw(140_000))),
    );
    const replies = await Promise.all(arriving);
    const refused = replies.filter((reply) => reply.startsWith("452 4.3.1"));
    // Each counts about 245 kB.
    expect([replies.filter((reply) => reply.startsWith("250")).length, refused.length]).toEqual([20, 4]);
    const { _sum } = await prisma().mailUsage.aggregate({ _sum: { bytes: true } });
    expect(Number(_sum.bytes)).toBeLessThanOrEqual(HOST_QUOTA_BYTES);
  });
});
