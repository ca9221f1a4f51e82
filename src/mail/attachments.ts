/** Files of messages: uploaded, kept and read piece by piece, so that none is ever in memory whole. */
import { createHash } from "node:crypto";
import type { MailAttachment, Prisma } from "../../generated/prisma/client.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { AgentMailDeps } from "./deps.ts";
import { requireCorrespondent, requireMailbox } from "./mailboxes.ts";
import { withMailboxLock } from "./threads.ts";

/** All files of one letter together. */
export const MAX_ATTACHMENTS_BYTES = 20 * 1024 * 1024;
const MAX_ATTACHMENTS = 50;
/** What an account may have uploaded and not sent, drafts included. */
const MAX_UNSENT_BYTES = 200 * 1024 * 1024;
const NO_ROOM = "Too much is uploaded and not sent. Send or delete drafts, or wait a day.";
const UPLOADS_PER_MINUTE = 60;
const CHUNK_BYTES = 512 * 1024;
/** Until every byte is there. */
const INCOMPLETE = -1;
const UNSENT_KEPT_MS = 86_400_000;
const DELETE_BATCH = 100;

/** RFC 2045: a type and its subtype. Several parts in one would be taken apart by whoever reads the letter. */
const CONTENT_TYPE = /^(?!multipart\/)[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** The file is larger than a letter may carry, or the account keeps too much that it never sent. */
export class AttachmentTooLargeError extends ServiceError {
  readonly code = "payload_too_large";
}

const INSERT_CHUNK: Statement = {
  name: "insert-mail-attachment-chunk",
  text: "INSERT INTO mail_attachment_chunks (attachment_id, position, bytes) VALUES ($1, $2, $3)",
};

const READ_CHUNK: Statement = {
  name: "read-mail-attachment-chunk",
  text: "SELECT bytes FROM mail_attachment_chunks WHERE attachment_id = $1 AND position = $2",
};

/**
 * Keeps a file for a letter that is yet to be written; unless one takes it, it is deleted after a day.
 * @param upload.bytes at most 20 MiB
 * @throws {InvalidRequestError | NotFoundError | AttachmentTooLargeError | RateLimitedError | ForbiddenError}
 */
export async function uploadAttachment(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  upload: { readonly filename: string; readonly contentType: string; readonly bytes: AsyncIterable<Uint8Array> },
): Promise<MailAttachment> {
  const { accountId } = requireCorrespondent(viewer);
  const filename = readFilename(upload.filename);
  const contentType = readContentType(upload.contentType);
  await requireMailbox(deps.db, accountId);
  await deps.rateLimiter.consume("mail-upload", accountId, UPLOADS_PER_MINUTE);
  const { prisma } = deps.db;
  const { mailAttachment } = prisma;
  if (!(await hasRoom(prisma, accountId, 1))) throw new AttachmentTooLargeError(NO_ROOM);
  const id = newId("mat");
  const row = { id, accountId, filename, contentType, sizeBytes: INCOMPLETE, sha256: new Uint8Array() };
  await mailAttachment.create({ data: row });
  try {
    const { sizeBytes, sha256 } = await storeChunks(deps.db, id, upload.bytes);
    // Of many uploaded at once those are kept for which there is room.
    return await withMailboxLock(deps.db, accountId, async (tx) => {
      if (!(await hasRoom(tx, accountId, sizeBytes))) throw new AttachmentTooLargeError(NO_ROOM);
      return await tx.mailAttachment.update({ where: { id }, data: { sizeBytes, sha256 } });
    });
  } catch (error) {
    await mailAttachment.deleteMany({ where: { id } });
    throw error;
  }
}

/** Whether so many more bytes may be kept unsent. Whoever keeps them within `tx` holds the mailbox, or two find the same room. */
async function hasRoom(tx: Prisma.TransactionClient, accountId: string, moreBytes: number): Promise<boolean> {
  const where = { accountId, messageId: null, sizeBytes: { gte: 0 } };
  const { _sum } = await tx.mailAttachment.aggregate({ where, _sum: { sizeBytes: true } });
  return (_sum.sizeBytes ?? 0) + moreBytes <= MAX_UNSENT_BYTES;
}

/** @throws {AttachmentTooLargeError} beyond 20 MiB */
async function storeChunks(db: Database, attachmentId: string, bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let sizeBytes = 0;
  let position = 0;
  const flush = async () => {
    if (pendingBytes > 0) await db.query(INSERT_CHUNK, [attachmentId, position, Buffer.concat(pending)]);
    position += 1;
    pending = [];
    pendingBytes = 0;
  };
  for await (const piece of bytes) {
    sizeBytes += piece.length;
    if (sizeBytes > MAX_ATTACHMENTS_BYTES)
      throw new AttachmentTooLargeError("A letter carries at most 20 MiB of files.");
    hash.update(piece);
    for (let start = 0; start < piece.length; ) {
      const part = piece.subarray(start, start + CHUNK_BYTES - pendingBytes);
      pending.push(part);
      pendingBytes += part.length;
      start += part.length;
      if (pendingBytes === CHUNK_BYTES) await flush();
    }
  }
  await flush();
  return { sizeBytes, sha256: new Uint8Array(hash.digest()) };
}

/** A file of the viewer's account. @throws {NotFoundError | ForbiddenError} */
export async function findAttachment(deps: AgentMailDeps, viewer: Viewer | null, id: string): Promise<MailAttachment> {
  const { accountId } = requireCorrespondent(viewer);
  const where = { id, accountId, sizeBytes: { gte: 0 } };
  const found = await deps.db.prisma.mailAttachment.findFirst({ where });
  if (!found) throw new NotFoundError("There is no such attachment.");
  return found;
}

/** Its bytes, in pieces of 512 KiB at most. */
export async function* attachmentBytes(db: Database, attachmentId: string): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position++) {
    const [chunk] = await db.query<{ bytes: Uint8Array }>(READ_CHUNK, [attachmentId, position]);
    if (!chunk) return;
    yield chunk.bytes;
  }
}

/**
 * Gives files of the account to a message or a draft, within `tx`, which holds the mailbox: what was uploaded or belongs to
 * the draft `fromDraftId` is taken; of what belongs to another message or draft, a copy. Answers how many bytes they are together.
 * @throws {InvalidRequestError} naming `attachmentIds`
 */
export async function attach(
  tx: Prisma.TransactionClient,
  accountId: string,
  ids: readonly string[],
  owner: { readonly messageId: string } | { readonly draftId: string },
  fromDraftId: string | null = null,
): Promise<number> {
  const wanted = [...new Set(ids)];
  if (wanted.length > MAX_ATTACHMENTS) {
    throw new InvalidRequestError(`A letter takes ${MAX_ATTACHMENTS} files at most.`, "attachmentIds");
  }
  if (wanted.length === 0) return 0;
  const where = { id: { in: wanted }, accountId, sizeBytes: { gte: 0 } };
  const found = await tx.mailAttachment.findMany({ where });
  const missing = wanted.find((id) => !found.some((one) => one.id === id));
  if (missing !== undefined) {
    throw new InvalidRequestError("A file is not there: upload it first.", "attachmentIds");
  }
  const sizeBytes = sizeOf(found);
  if (sizeBytes > MAX_ATTACHMENTS_BYTES) {
    throw new InvalidRequestError("The files come to more than 20 MiB.", "attachmentIds");
  }
  const isFree = (file: MailAttachment) =>
    file.messageId === null && (file.draftId === null || file.draftId === fromDraftId);
  const copied = found.filter((file) => !isFree(file));
  if ("draftId" in owner && copied.length > 0 && !(await hasRoom(tx, accountId, sizeOf(copied)))) {
    throw new InvalidRequestError(`The files would be copied. ${NO_ROOM}`, "attachmentIds");
  }
  for (const file of found) {
    if (isFree(file)) await take(tx, file, owner);
    else await copy(tx, file, owner);
  }
  return sizeBytes;
}

function sizeOf(files: readonly MailAttachment[]): number {
  return files.reduce((sum, one) => sum + one.sizeBytes, 0);
}

type Owner = { readonly messageId?: string; readonly draftId?: string };

async function take(tx: Prisma.TransactionClient, { id, draftId }: MailAttachment, owner: Owner): Promise<void> {
  // Of two letters that want it at once, one has it.
  const { count } = await tx.mailAttachment.updateMany({
    where: { id, messageId: null, draftId },
    data: { messageId: owner.messageId ?? null, draftId: owner.draftId ?? null },
  });
  if (count === 0)
    throw new InvalidRequestError("Another letter took one of the files. Upload it again.", "attachmentIds");
}

async function copy(tx: Prisma.TransactionClient, file: MailAttachment, owner: Owner): Promise<void> {
  const { filename, contentType, sizeBytes, sha256, accountId } = file;
  const id = newId("mat");
  await tx.mailAttachment.create({ data: { id, accountId, filename, contentType, sizeBytes, sha256, ...owner } });
  await tx.$executeRaw`INSERT INTO mail_attachment_chunks (attachment_id, position, bytes)
    SELECT ${id}, position, bytes FROM mail_attachment_chunks WHERE attachment_id = ${file.id}`;
}

/** Job: deletes what was uploaded a day ago and never sent. */
export async function deleteUnsentUploads(db: Database): Promise<void> {
  const before = new Date(Date.now() - UNSENT_KEPT_MS);
  for (;;) {
    const where = { messageId: null, draftId: null, createdAt: { lt: before } };
    const old = await db.prisma.mailAttachment.findMany({ where, select: { id: true }, take: DELETE_BATCH });
    await db.prisma.mailAttachment.deleteMany({ where: { ...where, id: { in: old.map(({ id }) => id) } } });
    if (old.length < DELETE_BATCH) return;
  }
}

function readFilename(filename: string): string {
  // No folder of whoever uploads it: browsers and programs send some.
  const name = filename.replaceAll("\\", "/").split("/").at(-1)?.trim() ?? "";
  if (name === "" || name === "." || name === ".." || name.length > 255 || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new InvalidRequestError("filename must be 1 to 255 characters without line breaks.", "filename");
  }
  return name;
}

function readContentType(contentType: string): string {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "") return "application/octet-stream";
  if (!CONTENT_TYPE.test(type)) {
    throw new InvalidRequestError("contentType must be a media type such as application/pdf.", "contentType");
  }
  return type;
}
