/** Stored messages, parsed again: equal to the first parse, with the same attachments and time of change. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { createMessageReader, type MessageReader } from "../../src/mail/incoming/message-reader.ts";
import { reparseMessages } from "../../src/mail/incoming/reparse-messages.ts";
import { openSpool, type Spool } from "../../src/mail/incoming/spool.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { generateMessages } from "./generated-messages.ts";
import { listenerOf, sendRaw } from "./senders.ts";

const MESSAGES = Number(process.env["MAIL_REPARSED_MESSAGES"] ?? 150);
const SEED = 20_261_127;
let stack: OwnStack;
let account: TestAccount;
let mailbox: Mailbox;
let spool: Spool;
let reader: MessageReader;
const folder = mkdtempSync(join(tmpdir(), "reparse-"));
const logger = createLogger("fatal", { write: () => {} });

beforeAll(async () => {
  const limits = { MAIL_PER_SENDER_PER_MINUTE: "1000000", MAIL_PER_HOST_PER_MINUTE: "1000000" };
  stack = await startStack({ networks: [], env: { AGENT_MAIL_DOMAIN: "agents.example", ...limits } });
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
  spool = openSpool(folder);
  reader = createMessageReader({ dnsServers: ["127.0.0.1:9"], hostname: "mx.example", logger });
});
afterAll(async () => {
  await reader?.close();
  await spool?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const prisma = () => stack.service.deps.db.prisma;
const readAll = () =>
  prisma().mailMessage.findMany({
    where: { mailboxId: mailbox.id },
    include: { attachments: { orderBy: { id: "asc" } } },
    orderBy: { id: "asc" },
  });
const reparse = (parts: Partial<Parameters<typeof reparseMessages>[0]> = {}) =>
  reparseMessages({ ...stack.service.deps, spool, reader, logger, ...parts });

/** Makes the messages look like those of an earlier parser, which read them wrongly. */
async function age(): Promise<void> {
  const where = { mailboxId: mailbox.id, NOT: { subject: "(unreadable message)" } };
  await prisma().mailMessage.updateMany({ where, data: { parserVersion: 0, bodyText: "wrong", subject: "wrong" } });
}

it(`reads ${MESSAGES} generated messages as before, without a change that events report`, {
  timeout: 900_000,
}, async () => {
  const options = { ignoreTLS: true, pool: true, maxConnections: 4, maxMessages: 2_000 };
  const transport = createTransport({ ...listenerOf(stack), ...options });
  const envelope = { from: "ada@corpus.example", to: [mailbox.address] };
  await Promise.all(generateMessages(MESSAGES, SEED).map(({ raw }) => transport.sendMail({ envelope, raw })));
  transport.close();
  const first = await readAll();
  expect(first).toHaveLength(MESSAGES);
  await age();
  const readState = first.slice(0, 5).map(({ id }) => id);
  await prisma().mailMessage.updateMany({ where: { id: { in: readState } }, data: { isRead: true } });
  while ((await reparse()) > 0);
  const expected = first.map((message) => ({ ...message, isRead: readState.includes(message.id) }));
  expect(await readAll()).toEqual(expected);
});

it("continues after an interruption, and retains content that no longer parses", { timeout: 300_000 }, async () => {
  const raw = "Subject: retained\r\nMessage-ID: <stored@corpus.example>\r\n\r\nRetained.\r\n";
  await sendRaw(stack, mailbox.address, raw);
  await prisma().mailMessage.updateMany({ where: { subject: "retained" }, data: { parserVersion: 0 } });
  const broken = { ...reader, parse: async () => Promise.reject(new Error("The thread exited.")) };
  await reparse({ reader: broken });
  const retained = await prisma().mailMessage.findFirstOrThrow({ where: { subject: "retained" } });
  expect(retained).toMatchObject({ bodyText: "Retained.\n" });
  expect(retained.parserVersion).toBeGreaterThan(0);
  await age();
  const failing = { ...spool, write: async () => Promise.reject(new Error("No space left on device")) };
  await expect(reparse({ spool: failing })).rejects.toThrow("No space left");
  while ((await reparse()) > 0);
  expect(await prisma().mailMessage.findUniqueOrThrow({ where: { id: retained.id } })).toEqual(retained);
});

it("replaces attachments that the parser reads differently", { timeout: 300_000 }, async () => {
  const part = "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\ncontent\r\n";
  const raw = `Subject: one file\r\nMessage-ID: <files@corpus.example>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${part}--b--\r\n`;
  await sendRaw(stack, mailbox.address, raw);
  const { id: messageId } = await prisma().mailMessage.findFirstOrThrow({ where: { subject: "one file" } });
  const [file] = await prisma().mailAttachment.findMany({ where: { messageId } });
  await prisma().mailAttachment.update({ where: { id: file?.id ?? "" }, data: { filename: "wrong" } });
  await age();
  while ((await reparse()) > 0);
  expect(await prisma().mailAttachment.findMany({ where: { messageId } })).toEqual([file]);
  await prisma().mailAttachment.update({ where: { id: file?.id ?? "" }, data: { sha256: new Uint8Array(32) } });
  await age();
  while ((await reparse()) > 0);
  const [other, ...rest] = await prisma().mailAttachment.findMany({ where: { messageId } });
  expect([other?.filename, rest]).toEqual(["a.pdf", []]);
  expect(other?.id).not.toBe(file?.id);
  const { token } = account;
  const response = await fetch(`${stack.baseUrl}/api/agent/email/attachments/${other?.id}`, {
    headers: { "x-service-token": token },
  });
  expect(await response.text()).toBe("content");
});
