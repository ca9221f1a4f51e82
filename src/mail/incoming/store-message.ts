/** Stores a parsed message, its attachments and its thread in one transaction. */
import { createReadStream } from "node:fs";
import type { Prisma } from "../../../generated/prisma/client.ts";
import { createKeyedSemaphore } from "../../platform/concurrency/keyed-semaphore.ts";
import type { Database } from "../../platform/database/connection.ts";
import { RateLimitedError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { type CheckedMessage, determineVerdict, type Verdict } from "../reading/verdict.ts";
import { assignThread } from "../threads.ts";
import type {
  Authentication,
  DeliveryFailure,
  Envelope,
  IncomingMessage,
  SpooledAttachment,
} from "./incoming-message.ts";
import { mailboxBusy } from "./refusal.ts";
import type { SpooledMessage } from "./spool.ts";

/** Attachments are stored in chunks of this size, never as a whole in memory. */
const CHUNK_BYTES = 524_288;
/** Long enough for 35 MB on a slow disk. */
const TRANSACTION_MS = 120_000;
const WAIT_MS = 30_000;

export interface ReadMessage {
  readonly message: IncomingMessage;
  readonly authentication: Authentication;
  readonly envelope: Envelope;
  readonly spooled: Pick<SpooledMessage, "sizeBytes" | "sha256">;
}

export interface StoredMessage {
  readonly messageId: string;
  /** Other messages that changed: one reported undelivered, and a forgery that had the same Message-ID. */
  readonly changedIds: readonly string[];
}

class DuplicateError extends Error {}

/** Of two messages with one Message-ID, the one with the higher rank is genuine. */
const RANKS: Readonly<Record<Verdict, number>> = { suspicious: 0, unproven: 1, authentic: 2 };

/** Separate from the mailbox's row lock: the mailbox's own changes do not wait while attachments are stored. */
const withPermit = createKeyedSemaphore();

/**
 * Stores the message. Returns null when the mailbox already has one with the same Message-ID and author. A stored message with
 * other content and a lower rank is a forgery: it loses its Message-ID, and the new message is stored.
 *
 * @throws {MailRefusedError} temporary, when too many messages wait to be stored in this mailbox
 */
export async function storeMessage(
  db: Database,
  mailbox: { readonly id: string; readonly accountId: string },
  read: ReadMessage,
): Promise<StoredMessage | null> {
  const row = toRow(mailbox, read);
  const { attachments, deliveryFailure } = read.message;
  // Duplicates with attachments are detected before these are written; others by the unique index.
  if (attachments.length > 0 && (await findKnown(db.prisma, row, attachments))?.isForged === false) return null;
  const store = async (tx: Prisma.TransactionClient) => {
    const attachmentIds: string[] = [];
    for (const attachment of attachments) attachmentIds.push(await storeAttachment(tx, mailbox.accountId, attachment));
    // Locks the mailbox. The attachments, the slowest part, are already stored.
    const threadId = await assignThread(tx, mailbox.id, { ...row, at: row.createdAt });
    const changedIds: string[] = [];
    const { count } = await tx.mailMessage.createMany({ data: { ...row, threadId }, skipDuplicates: true });
    if (count === 0) {
      changedIds.push(await releaseMessageId(tx, row, attachments));
      await tx.mailMessage.create({ data: { ...row, threadId } });
    }
    if (attachmentIds.length > 0) {
      await tx.mailAttachment.updateMany({ where: { id: { in: attachmentIds } }, data: { messageId: row.id } });
    }
    if (deliveryFailure) changedIds.push(...(await markBounced(tx, mailbox.id, deliveryFailure, row.createdAt)));
    return { messageId: row.id, changedIds };
  };
  try {
    return await withPermit(mailbox.id, () =>
      db.prisma.$transaction(store, { timeout: TRANSACTION_MS, maxWait: WAIT_MS }),
    );
  } catch (error) {
    if (error instanceof DuplicateError) return null;
    if (error instanceof RateLimitedError) throw mailboxBusy();
    throw error;
  }
}

type Row = ReturnType<typeof toRow>;

/** Returns the stored message with the same Message-ID and author. It is forged if its content differs and its rank is lower. */
async function findKnown(tx: Prisma.TransactionClient, row: Row, attachments: readonly SpooledAttachment[]) {
  const { mailboxId, direction, messageIdHeader, fromAddress } = row;
  const existing = await tx.mailMessage.findUnique({
    where: {
      mailboxId_direction_messageIdHeader_fromAddress: { mailboxId, direction, messageIdHeader, fromAddress },
    },
    include: { attachments: { select: { sha256: true } } },
  });
  if (!existing) return null;
  const files = existing.attachments.map(({ sha256 }) => Buffer.from(sha256).toString("hex"));
  const contentKey = (message: Pick<Row, "subject" | "bodyText" | "bodyHtml">, hashes: readonly string[]) =>
    JSON.stringify([message.subject, message.bodyText, message.bodyHtml, hashes.toSorted()]);
  const isSame =
    contentKey(existing, files) ===
    contentKey(
      row,
      attachments.map(({ sha256 }) => sha256),
    );
  return { id: existing.id, isForged: !isSame && RANKS[determineVerdict(row)] > RANKS[determineVerdict(existing)] };
}

/** Replaces the Message-ID of a forgery and returns its id. @throws {DuplicateError} when the stored message is not a forgery */
async function releaseMessageId(tx: Prisma.TransactionClient, row: Row, attachments: readonly SpooledAttachment[]) {
  const known = await findKnown(tx, row, attachments);
  if (!known?.isForged) throw new DuplicateError();
  const { id } = known;
  await tx.mailMessage.update({ where: { id }, data: { messageIdHeader: `<${id}@none>`, updatedAt: row.createdAt } });
  return id;
}

/** Returns the fields that determine a message's verdict. */
export function toCheckedMessage({
  message,
  authentication,
}: Pick<ReadMessage, "message" | "authentication">): CheckedMessage {
  const { domains, ...results } = authentication;
  return { fromAddress: message.from.address, ...results, authentication: domains as unknown as Prisma.JsonObject };
}

function toRow(mailbox: { readonly id: string; readonly accountId: string }, read: ReadMessage) {
  const { message, authentication, envelope, spooled } = read;
  const at = new Date();
  return {
    id: newId("aem"),
    mailboxId: mailbox.id,
    accountId: mailbox.accountId,
    direction: "inbound",
    status: "received",
    fromAddress: message.from.address,
    fromName: message.from.name,
    toAddresses: [...message.to],
    ccAddresses: [...message.cc],
    replyToAddress: message.replyTo,
    subject: message.subject,
    bodyText: message.bodyText,
    extractedText: message.extractedText,
    bodyHtml: message.bodyHtml,
    messageIdHeader: message.messageIdHeader ?? `<${spooled.sha256}@none>`,
    inReplyTo: message.inReplyTo,
    references: [...message.references],
    automated: message.automated,
    spfResult: authentication.spfResult,
    dkimResult: authentication.dkimResult,
    dmarcResult: authentication.dmarcResult,
    authentication: authentication.domains as unknown as Prisma.JsonObject,
    sizeBytes: spooled.sizeBytes,
    envelopeFrom: envelope.from,
    remoteAddress: envelope.remoteAddress,
    createdAt: at,
    updatedAt: at,
  };
}

async function storeAttachment(
  tx: Prisma.TransactionClient,
  accountId: string,
  attachment: SpooledAttachment,
): Promise<string> {
  const { path, filename, contentType, sizeBytes, sha256, contentId, isInline } = attachment;
  const id = newId("mat");
  const data = {
    id,
    accountId,
    filename,
    contentType,
    sizeBytes,
    sha256: Buffer.from(sha256, "hex"),
    contentId,
    isInline,
  };
  await tx.mailAttachment.create({ data });
  let position = 0;
  for await (const bytes of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<
    Buffer<ArrayBuffer>
  >) {
    // As text: the embedded database accepts it six times as fast as bytes; a server is equally fast with both.
    const base64 = bytes.toString("base64");
    await tx.$executeRaw`INSERT INTO mail_attachment_chunks (attachment_id, position, bytes)
      VALUES (${id}, ${position}, decode(${base64}, 'base64'))`;
    position += 1;
  }
  return id;
}

/** Marks the mailbox's own message in a delivery report as bounced, if its status is `sent`. Returns its id, if any. */
async function markBounced(
  tx: Prisma.TransactionClient,
  mailboxId: string,
  { messageIdHeader, reason }: DeliveryFailure,
  at: Date,
): Promise<string[]> {
  const sent = { mailboxId, direction: "outbound", status: "sent", messageIdHeader };
  const found = await tx.mailMessage.findFirst({ where: sent, select: { id: true } });
  if (!found) return [];
  await tx.mailMessage.updateMany({
    where: { id: found.id, status: "sent" },
    data: { status: "bounced", failureReason: reason, updatedAt: at },
  });
  return [found.id];
}
