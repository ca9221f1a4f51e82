/** Writes a message that was read, its attachments and its thread: all of it or nothing. */
import { createReadStream } from "node:fs";
import type { Prisma } from "../../../generated/prisma/client.ts";
import { createKeyedSemaphore } from "../../platform/concurrency/keyed-semaphore.ts";
import type { Database } from "../../platform/database/connection.ts";
import { RateLimitedError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { type CheckedMessage, type Verdict, verdictOf } from "../reading/verdict.ts";
import { threadFor } from "../threads.ts";
import type {
  Authentication,
  DeliveryFailure,
  Envelope,
  IncomingMessage,
  SpooledAttachment,
} from "./incoming-message.ts";
import { mailboxBusy } from "./refusal.ts";
import type { SpooledMessage } from "./spool.ts";

/** Of each piece of an attachment, so that none is ever in memory whole. */
const CHUNK_BYTES = 524_288;
/** 35 MB on a slow disk. */
const TRANSACTION_MS = 120_000;
const WAIT_MS = 30_000;

export interface ReadMessage {
  readonly message: IncomingMessage;
  readonly authentication: Authentication;
  readonly envelope: Envelope;
  readonly spooled: Pick<SpooledMessage, "sizeBytes" | "sha256">;
}

export interface Stored {
  readonly messageId: string;
  /** Others that moved with it: what it says did not arrive, and a forgery that had its Message-ID. */
  readonly movedIds: readonly string[];
}

class DuplicateError extends Error {}

/** Of two with one name, the better proven is the true one. */
const RANKS: Readonly<Record<Verdict, number>> = { suspicious: 0, unproven: 1, authentic: 2 };

/** Of its own: whoever writes in the mailbox waits for its row alone, and not for strangers' attachments. */
const withPermit = createKeyedSemaphore();

/**
 * Null when the mailbox has it already: the same Message-ID from the same author. A forgery that came first, with less to prove
 * it and saying something else, keeps nobody's message out: it gives up its Message-ID.
 * @throws {MailRefusedError} for now: too many wait to be stored in this mailbox
 */
export async function storeMessage(
  db: Database,
  mailbox: { readonly id: string; readonly accountId: string },
  read: ReadMessage,
): Promise<Stored | null> {
  const row = rowOf(mailbox, read);
  const { attachments, deliveryFailure } = read.message;
  // Repetitions with much to write end here; the others at the row itself.
  if (attachments.length > 0 && (await findKnown(db.prisma, row, attachments))?.isForged === false) return null;
  const store = async (tx: Prisma.TransactionClient) => {
    const attachmentIds: string[] = [];
    for (const attachment of attachments) attachmentIds.push(await storeAttachment(tx, mailbox.accountId, attachment));
    // Holds the mailbox from here on: what takes long is done.
    const threadId = await threadFor(tx, mailbox.id, { ...row, at: row.createdAt });
    const movedIds: string[] = [];
    const { count } = await tx.mailMessage.createMany({ data: { ...row, threadId }, skipDuplicates: true });
    if (count === 0) {
      movedIds.push(await makeWay(tx, row, attachments));
      await tx.mailMessage.create({ data: { ...row, threadId } });
    }
    if (attachmentIds.length > 0) {
      await tx.mailAttachment.updateMany({ where: { id: { in: attachmentIds } }, data: { messageId: row.id } });
    }
    if (deliveryFailure) movedIds.push(...(await markBounced(tx, mailbox.id, deliveryFailure, row.createdAt)));
    return { messageId: row.id, movedIds };
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

type Row = ReturnType<typeof rowOf>;

/** The message that has the same Message-ID and author; forged when it says something else, and less proves it. */
async function findKnown(tx: Prisma.TransactionClient, row: Row, attachments: readonly SpooledAttachment[]) {
  const { mailboxId, direction, messageIdHeader, fromAddress } = row;
  const known = await tx.mailMessage.findUnique({
    where: {
      mailboxId_direction_messageIdHeader_fromAddress: { mailboxId, direction, messageIdHeader, fromAddress },
    },
    include: { attachments: { select: { sha256: true } } },
  });
  if (!known) return null;
  const files = known.attachments.map(({ sha256 }) => Buffer.from(sha256).toString("hex"));
  const said = (message: Pick<Row, "subject" | "bodyText" | "bodyHtml">, hashes: readonly string[]) =>
    JSON.stringify([message.subject, message.bodyText, message.bodyHtml, hashes.toSorted()]);
  const isSame =
    said(known, files) ===
    said(
      row,
      attachments.map(({ sha256 }) => sha256),
    );
  return { id: known.id, isForged: !isSame && RANKS[verdictOf(row)] > RANKS[verdictOf(known)] };
}

/** Takes the Message-ID from a forgery, and answers which it is. @throws {DuplicateError} when what is there is none */
async function makeWay(tx: Prisma.TransactionClient, row: Row, attachments: readonly SpooledAttachment[]) {
  const known = await findKnown(tx, row, attachments);
  if (!known?.isForged) throw new DuplicateError();
  const { id } = known;
  await tx.mailMessage.update({ where: { id }, data: { messageIdHeader: `<${id}@none>`, updatedAt: row.createdAt } });
  return id;
}

/** What a message's verdict is made of. */
export function checked({ message, authentication }: Pick<ReadMessage, "message" | "authentication">): CheckedMessage {
  const { domains, ...results } = authentication;
  return { fromAddress: message.from.address, ...results, authentication: domains as unknown as Prisma.JsonObject };
}

function rowOf(mailbox: { readonly id: string; readonly accountId: string }, read: ReadMessage) {
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
    // As text, which the embedded database takes six times as fast as bytes, and a server as fast.
    const base64 = bytes.toString("base64");
    await tx.$executeRaw`INSERT INTO mail_attachment_chunks (attachment_id, position, bytes)
      VALUES (${id}, ${position}, decode(${base64}, 'base64'))`;
    position += 1;
  }
  return id;
}

/** A report counts for what this mailbox sent, and only while it is thought to have arrived. */
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
