// @module-tag postgresql
/** Messages are kept for 30 days, and threads for as long as there is a message in them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { deleteOldMail } from "../../src/mail/incoming/delete-old.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { attach, openMailbox, storeMessage } from "./correspondence.ts";

const DAY_MS = 86_400_000;
let stack: OwnStack;
let mailbox: Mailbox;

beforeAll(async () => {
  // It counts what is deleted of all mailboxes.
  stack = await startStack();
  mailbox = await openMailbox(stack, await stack.account());
});
afterAll(() => stack?.stop());

it("what is older goes with its files; a thread goes with its last message", async () => {
  const { db } = stack.service.deps;
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const old = await storeMessage(stack, mailbox, { createdAt: daysAgo(31), messageIdHeader: "<root@shop.example>" });
  const alone = await storeMessage(stack, mailbox, { createdAt: daysAgo(31) });
  const young = await storeMessage(stack, mailbox, { createdAt: daysAgo(29), inReplyTo: "<root@shop.example>" });
  expect(young.threadId).toBe(old.threadId);
  await attach(stack, old.id, { filename: "a.txt", contentType: "text/plain", bytes: Buffer.from("a") });
  await attach(stack, young.id, { filename: "b.txt", contentType: "text/plain", bytes: Buffer.from("b") });

  expect(await deleteOldMail(db)).toBe(2);
  expect((await db.prisma.mailMessage.findMany()).map(({ id }) => id)).toEqual([young.id]);
  expect((await db.prisma.mailThread.findMany()).map(({ id }) => id)).toEqual([young.threadId]);
  expect((await db.prisma.mailAttachment.findMany()).map(({ filename }) => filename)).toEqual(["b.txt"]);
  expect(await db.prisma.mailAttachmentChunk.count()).toBe(1);
  expect(await db.prisma.mailThread.count({ where: { id: alone.threadId } })).toBe(0);
  expect(await deleteOldMail(db)).toBe(0);
});

it("more than one statement takes", async () => {
  const { db } = stack.service.deps;
  const rows = await db.executeSql(
    `INSERT INTO mail_messages (id, mailbox_id, account_id, thread_id, direction, status, from_address, from_name, to_addresses,
       cc_addresses, subject, body_text, extracted_text, message_id_header, "references", size_bytes, created_at)
     SELECT 'aem_old_' || n, mailbox_id, account_id, thread_id, direction, status, from_address, from_name, to_addresses,
       cc_addresses, subject, body_text, extracted_text, '<old-' || n || '@x>', "references", size_bytes, now() - interval '40 days'
     FROM mail_messages, generate_series(1, 1200) AS n LIMIT 1200 RETURNING id`,
  );
  expect(rows.rows).toHaveLength(1_200);
  expect(await deleteOldMail(db)).toBe(1_200);
  expect(await db.prisma.mailMessage.count()).toBe(1);
});

it("a thread is not left behind by a process that died between its last message and it", async () => {
  const { db } = stack.service.deps;
  await storeMessage(stack, mailbox, { createdAt: new Date(Date.now() - 31 * DAY_MS) });
  const threads = await db.prisma.mailThread.count();
  const dying: typeof db = {
    ...db,
    query: (statement, values) =>
      statement.text.startsWith("DELETE FROM mail_threads")
        ? Promise.reject(new Error("It died."))
        : db.query(statement, values),
  };
  await expect(deleteOldMail(dying)).rejects.toThrow("It died.");
  expect(await db.prisma.mailThread.count()).toBe(threads);
  await deleteOldMail(db);
  expect(await db.prisma.mailThread.count()).toBe(threads - 1);
});
