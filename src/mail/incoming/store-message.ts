/** Stores a parsed message, its attachments and its thread in one transaction. */
import { createReadStream } from "node:fs";
import { Prisma } from "../../../generated/prisma/client.ts";
import { createKeyedSemaphore } from "../../platform/concurrency/keyed-semaphore.ts";
import { RateLimitedError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { storeAttachmentChunk } from "../attachments.ts";
import { applyReport, type ChangedDelivery } from "../deliveries/apply-report.ts";
import { CHUNK_BYTES, type MailSealer } from "../mail-vault.ts";
import { storeRawMessage } from "../raw-message.ts";
import { type CheckedMessage, determineVerdict, type Verdict } from "../reading/verdict.ts";
import { assignThread } from "../threads.ts";
import type { Recipient } from "./admit.ts";
import type { IncomingMailDeps } from "./deps.ts";
import type { Authentication, Envelope, IncomingMessage, MailReport, SpooledAttachment } from "./incoming-message.ts";
import { PARSER_VERSION } from "./parser-version.ts";
import { countUsage, measureUsage, requireSpace, type Usage } from "./quota.ts";
import { mailboxBusy } from "./refusal.ts";
import type { SpooledMessage } from "./spool.ts";

/** Long enough for 35 MB on a slow disk. */
const TRANSACTION_MS = 120_000;
const WAIT_MS = 30_000;

export interface ReadMessage {
  readonly message: IncomingMessage;
  readonly authentication: Authentication;
  readonly envelope: Envelope;
  readonly spooled: Pick<SpooledMessage, "path" | "sizeBytes" | "sha256">;
}

export interface StoredMessage {
  readonly messageId: string;
  /** Other messages that changed: one that a report concerns, and a forgery that had the same Message-ID. */
  readonly changedIds: readonly string[];
  /** The delivery that a report changed. */
  readonly changedDelivery: ChangedDelivery | null;
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
  { db, mailVault, limits }: Pick<IncomingMailDeps, "db" | "mailVault" | "limits">,
  mailbox: Pick<Recipient, "id" | "accountId" | "envelopeTo" | "returnKey">,
  read: ReadMessage,
): Promise<StoredMessage | null> {
  const { remoteAddress } = read.envelope;
  const usage = measureUsage(mailbox.id, { message: read.message, remoteAddress, sizeBytes: read.spooled.sizeBytes });
  const row = toRow(mailbox, read, usage);
  const { attachments, report } = read.message;
  // Duplicates with attachments are detected before these are written; others by the unique index.
  if (attachments.length > 0 && (await findKnown(db.prisma, row, attachments))?.isForged === false) return null;
  await requireSpace(db, usage, limits);
  // Before the transaction, because it may create the mailbox's key.
  const sealer = await mailVault.sealerOf(mailbox.accountId);
  const store = async (tx: Prisma.TransactionClient) => {
    await storeRawMessage(tx, sealer, row.id, read.spooled.path);
    const attachmentIds: string[] = [];
    for (const attachment of attachments) {
      attachmentIds.push(await storeAttachment(tx, sealer, mailbox.accountId, attachment));
    }
    // Locks the mailbox. The attachments, the slowest part, are already stored.
    // A report joins the thread of the message that it names, which may prove nothing about that message's delivery.
    const references = [...row.references, ...(report?.originalIds ?? [])];
    const threadId = await assignThread(tx, mailbox.id, { ...row, references, at: row.createdAt });
    const changedIds: string[] = [];
    const { count } = await tx.mailMessage.createMany({ data: { ...row, threadId }, skipDuplicates: true });
    if (count === 0) {
      changedIds.push(await releaseMessageId(tx, row, attachments));
      await tx.mailMessage.create({ data: { ...row, threadId } });
    }
    await countUsage(tx, usage, limits);
    if (attachmentIds.length > 0) {
      await tx.mailAttachment.updateMany({ where: { id: { in: attachmentIds } }, data: { messageId: row.id } });
    }
    const changedDelivery =
      report && mailbox.returnKey !== null ? await applyReport(tx, mailbox.accountId, mailbox.returnKey, report) : null;
    if (changedDelivery) changedIds.push(changedDelivery.messageId);
    return { messageId: row.id, changedIds, changedDelivery };
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
  const authentic = { ...domains, authors: message.authors } as unknown as Prisma.JsonObject;
  return { fromAddress: message.from.address, ...results, authentication: authentic };
}

function toRow(mailbox: Parameters<typeof storeMessage>[1], read: ReadMessage, usage: Usage) {
  const { message, authentication, envelope, spooled } = read;
  const at = new Date();
  return {
    id: newId("aem"),
    mailboxId: mailbox.id,
    accountId: mailbox.accountId,
    direction: "inbound",
    status: "received",
    fromAddress: message.from.address,
    ...toContentColumns(message),
    messageIdHeader: message.messageIdHeader ?? `<${spooled.sha256}@none>`,
    ...(message.report === null ? {} : { report: toStoredReport(message.report, mailbox.returnKey !== null) }),
    spfResult: authentication.spfResult,
    dkimResult: authentication.dkimResult,
    dmarcResult: authentication.dmarcResult,
    authentication: { ...authentication.domains, authors: message.authors } as unknown as Prisma.JsonObject,
    sizeBytes: spooled.sizeBytes,
    storedBytes: usage.bytes,
    hostNetwork: usage.hostNetwork,
    envelopeFrom: envelope.from,
    envelopeTo: mailbox.envelopeTo,
    remoteAddress: envelope.remoteAddress,
    createdAt: at,
    updatedAt: at,
  };
}

/** Returns the columns that follow from the raw message alone, apart from its identity. */
export function toContentColumns(message: IncomingMessage) {
  return {
    fromName: message.from.name,
    toAddresses: [...message.to],
    ccAddresses: [...message.cc],
    replyToAddress: message.replyTo[0] ?? null,
    replyToAddresses: [...message.replyTo],
    subject: message.subject,
    bodyText: message.bodyText,
    extractedText: message.extractedText,
    quotedText: message.quotedText,
    signature: message.signature,
    bodyHtml: message.bodyHtml,
    hiddenText: message.hiddenText,
    warnings: [...message.warnings],
    inReplyTo: message.inReplyTo,
    references: [...message.references],
    automated: message.automated,
    calendarEvents: message.calendarEvents.length === 0 ? Prisma.DbNull : toJson(message.calendarEvents),
    parserVersion: PARSER_VERSION,
  };
}

export function toStoredReport({ recipients }: MailReport, isVerified: boolean): Prisma.InputJsonObject {
  return { isVerified, recipients: recipients.map((recipient) => ({ ...recipient })) };
}

function toJson(events: IncomingMessage["calendarEvents"]): Prisma.InputJsonArray {
  return events.map(({ organizer, attendees, ...event }) => ({
    ...event,
    organizer: organizer && { ...organizer },
    attendees: attendees.map((attendee) => ({ ...attendee })),
  }));
}

/** Stores an attachment that no message has yet. Returns its id. */
export async function storeAttachment(
  tx: Prisma.TransactionClient,
  sealer: MailSealer,
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
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  for await (const bytes of chunks) {
    await storeAttachmentChunk(tx, sealer, { id, position, bytes });
    position += 1;
  }
  return id;
}
