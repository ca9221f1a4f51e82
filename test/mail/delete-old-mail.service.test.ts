// @module-tag postgresql
/** Retention of 30 days for messages; threads are deleted with their last message. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { enforceRules } from "../support/retention.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createMailbox, storeAttachment, storeMessage } from "./fixtures.ts";

const DAY_MS = 86_400_000;
let stack: OwnStack;
let mailbox: Mailbox;

/** Returns the number of deleted messages. */
const deleteOldMail = async (db: Database) =>
  (await enforceRules(db, ["mail-messages", "mail-threads"])).get("mail-messages");

beforeAll(async () => {
  // A separate database, because the test counts deletions in all mailboxes.
  stack = await startStack();
  mailbox = await createMailbox(stack, await stack.account());
});
afterAll(() => stack?.stop());

it("deletes old messages with their attachments, and threads with their last message", async () => {
  const { db } = stack.service.deps;
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const old = await storeMessage(stack, mailbox, {
    createdAt: daysAgo(31),
    messageIdHeader: "<root@merchant.example>",
  });
  const single = await storeMessage(stack, mailbox, { createdAt: daysAgo(31) });
  const recent = await storeMessage(stack, mailbox, { createdAt: daysAgo(29), inReplyTo: "<root@merchant.example>" });
  expect(recent.threadId).toBe(old.threadId);
  await storeAttachment(stack, old.id, { filename: "a.txt", contentType: "text/plain", bytes: Buffer.from("a") });
  await storeAttachment(stack, recent.id, { filename: "b.txt", contentType: "text/plain", bytes: Buffer.from("b") });

  expect(await deleteOldMail(db)).toBe(2);
  expect((await db.prisma.mailMessage.findMany()).map(({ id }) => id)).toEqual([recent.id]);
  expect((await db.prisma.mailThread.findMany()).map(({ id }) => id)).toEqual([recent.threadId]);
  expect((await db.prisma.mailAttachment.findMany()).map(({ filename }) => filename)).toEqual(["b.txt"]);
  expect(await db.prisma.mailAttachmentChunk.count()).toBe(1);
  expect(await db.prisma.mailThread.count({ where: { id: single.threadId } })).toBe(0);
  expect(await deleteOldMail(db)).toBe(0);
});

it("deletes more messages than fit into one batch", async () => {
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

it("deletes an empty thread that an interrupted run left behind", async () => {
  const { db } = stack.service.deps;
  await storeMessage(stack, mailbox, { createdAt: new Date(Date.now() - 31 * DAY_MS) });
  const threads = await db.prisma.mailThread.count();
  const failing: typeof db = {
    ...db,
    query: (statement, values) =>
      statement.name === "retention-mail-threads"
        ? Promise.reject(new Error("interrupted"))
        : db.query(statement, values),
  };
  await expect(deleteOldMail(failing)).rejects.toThrow("interrupted");
  expect(await db.prisma.mailThread.count()).toBe(threads);
  await deleteOldMail(db);
  expect(await db.prisma.mailThread.count()).toBe(threads - 1);
});

it("retains a queued message, which a freeze delays, until it was sent", async () => {
  const { db } = stack.service.deps;
  const createdAt = new Date(Date.now() - 31 * DAY_MS);
  const { id } = await storeMessage(stack, mailbox, { createdAt, status: "queued" });
  expect(await deleteOldMail(db)).toBe(0);
  await db.prisma.mailMessage.update({ where: { id }, data: { status: "sent" } });
  expect(await deleteOldMail(db)).toBe(1);
});

it("removes subject and addresses of an old message from the events of its recipients", async () => {
  const { db } = stack.service.deps;
  const at = { createdAt: new Date(Date.now() - 31 * DAY_MS) };
  const { id, accountId } = await storeMessage(stack, mailbox, { ...at, direction: "outbound" });
  const address = "jane@merchant.example";
  await db.prisma.mailDelivery.create({
    data: { id: "mdl_old", messageId: id, accountId, address, status: "complained", returnKey: "00" },
  });
  const recipient = { deliveryId: "mdl_old", address, status: "complained", failureReason: "abuse", attempts: 1 };
  await db.prisma.accountEvent.create({
    data: {
      ...{ id: "evt_old", accountId, type: "mail.recipient_complained", subjectId: "mdl_old" },
      payload: { id, to: [address], cc: [], subject: "An order", recipient },
      createdAt: new Date(),
      recordedAt: new Date(),
    },
  });
  expect(await deleteOldMail(db)).toBe(1);
  const { payload } = await db.prisma.accountEvent.findUniqueOrThrow({ where: { id: "evt_old" } });
  expect(payload).toMatchObject({
    to: [],
    subject: "",
    isDeleted: true,
    recipient: { address: "", status: "complained" },
  });
  expect(JSON.stringify(payload)).not.toContain(address);
});
