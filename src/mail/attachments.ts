/** Attachments of messages and drafts. Content is uploaded, stored and read in chunks, never as a whole in memory. */
import { createHash } from "node:crypto";
import type { MailAttachment, Prisma } from "../../generated/prisma/client.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { AgentMailDeps } from "./deps.ts";
import { CHUNK_BYTES, type MailSealer, type MailVault } from "./mail-vault.ts";
import { requireMailAccess, requireMailbox } from "./mailboxes.ts";
import { withMailboxLock } from "./threads.ts";

/** Limit for all attachments of one email together. */
export const MAX_ATTACHMENTS_BYTES = 20 * 1024 * 1024;
const MAX_ATTACHMENTS = 50;
/** Limit for an account's attachments that no message has, those of drafts included. */
const MAX_UNSENT_BYTES = 200 * 1024 * 1024;
const UNSENT_LIMIT_MESSAGE =
  "The account's unsent attachments would exceed 200 MiB. Nothing was stored. Send or delete drafts, or wait 24 hours until unused uploads are deleted.";
const UPLOADS_PER_MINUTE = 60;
/** `size_bytes` of an upload that has not finished. */
const INCOMPLETE_SIZE = -1;

/** `type/subtype` (RFC 2045). Excludes `multipart/*`: mail clients would parse such an attachment into parts. */
const CONTENT_TYPE = /^(?!multipart\/)[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** The file exceeds 20 MiB, or the account's unsent attachments exceed 200 MiB. */
export class AttachmentTooLargeError extends ServiceError {
  readonly code = "payload_too_large";
}

const INSERT_CHUNK: Statement = {
  name: "insert-mail-attachment-chunk",
  text: "INSERT INTO mail_attachment_chunks (attachment_id, position, bytes, sealed_for) VALUES ($1, $2, $3, $1)",
};

const READ_CHUNK: Statement = {
  name: "read-mail-attachment-chunk",
  text: `SELECT bytes, sealed_for AS "sealedFor" FROM mail_attachment_chunks WHERE attachment_id = $1 AND position = $2`,
};

/**
 * Stores a file to attach to an email or a draft. An unused upload is deleted after 24 hours.
 * @param upload.bytes at most 20 MiB
 * @throws {InvalidRequestError | NotFoundError | AttachmentTooLargeError | RateLimitedError | ForbiddenError}
 */
export async function uploadAttachment(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  upload: { readonly filename: string; readonly contentType: string; readonly bytes: AsyncIterable<Uint8Array> },
): Promise<MailAttachment> {
  const { accountId } = requireMailAccess(viewer);
  const filename = readFilename(upload.filename);
  const contentType = readContentType(upload.contentType);
  await requireMailbox(deps.db, accountId);
  await deps.rateLimiter.consume("mail-upload", accountId, UPLOADS_PER_MINUTE);
  const { prisma } = deps.db;
  const { mailAttachment } = prisma;
  if (!(await fitsUnsentLimit(prisma, accountId, 1))) throw new AttachmentTooLargeError(UNSENT_LIMIT_MESSAGE);
  const id = newId("mat");
  const row = { id, accountId, filename, contentType, sizeBytes: INCOMPLETE_SIZE, sha256: new Uint8Array() };
  await mailAttachment.create({ data: row });
  try {
    const { sizeBytes, sha256 } = await storeChunks(
      deps.db,
      await deps.mailVault.sealerOf(accountId),
      id,
      upload.bytes,
    );
    // Checked again under the lock: concurrent uploads may have used up the quota.
    return await withMailboxLock(deps.db, accountId, async (tx) => {
      if (!(await fitsUnsentLimit(tx, accountId, sizeBytes))) throw new AttachmentTooLargeError(UNSENT_LIMIT_MESSAGE);
      return await tx.mailAttachment.update({ where: { id }, data: { sizeBytes, sha256 } });
    });
  } catch (error) {
    await mailAttachment.deleteMany({ where: { id } });
    throw error;
  }
}

/**
 * Returns true if `moreBytes` fit into the account's quota for unsent attachments. To store them, hold the mailbox lock in
 * `tx`; otherwise concurrent callers can pass the same check.
 */
async function fitsUnsentLimit(tx: Prisma.TransactionClient, accountId: string, moreBytes: number): Promise<boolean> {
  const where = { accountId, messageId: null, sizeBytes: { gte: 0 } };
  const { _sum } = await tx.mailAttachment.aggregate({ where, _sum: { sizeBytes: true } });
  return (_sum.sizeBytes ?? 0) + moreBytes <= MAX_UNSENT_BYTES;
}

/** Stores the content in chunks of 512 KiB. @throws {AttachmentTooLargeError} above 20 MiB */
async function storeChunks(db: Database, sealer: MailSealer, attachmentId: string, bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let sizeBytes = 0;
  let position = 0;
  const flush = async () => {
    if (pendingBytes > 0) {
      const sealed = sealer.seal(Buffer.concat(pending), placeOf(attachmentId, position));
      await db.query(INSERT_CHUNK, [attachmentId, position, sealed]);
    }
    position += 1;
    pending = [];
    pendingBytes = 0;
  };
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_ATTACHMENTS_BYTES)
      throw new AttachmentTooLargeError("The attachment exceeds 20 MiB. It was not stored. Upload a smaller file.");
    hash.update(chunk);
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + CHUNK_BYTES - pendingBytes);
      pending.push(part);
      pendingBytes += part.length;
      start += part.length;
      if (pendingBytes === CHUNK_BYTES) await flush();
    }
  }
  await flush();
  return { sizeBytes, sha256: new Uint8Array(hash.digest()) };
}

/** Returns an attachment of the viewer's account. @throws {NotFoundError | ForbiddenError} */
export async function findAttachment(deps: AgentMailDeps, viewer: Viewer | null, id: string): Promise<MailAttachment> {
  const { accountId } = requireMailAccess(viewer);
  const where = { id, accountId, sizeBytes: { gte: 0 } };
  const found = await deps.db.prisma.mailAttachment.findFirst({ where });
  if (!found) throw new NotFoundError("Attachment not found.");
  return found;
}

export interface StoredContentDeps {
  readonly db: Database;
  readonly mailVault: MailVault;
}

type StoredContent = Pick<MailAttachment, "id" | "accountId">;

/** Yields the attachment's content in chunks of at most 512 KiB. @throws {SealBrokenError} a chunk was changed or moved */
export async function* readAttachmentContent(
  deps: StoredContentDeps,
  attachment: StoredContent,
): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position++) {
    const bytes = await readChunk(deps, attachment, position);
    if (bytes === null) return;
    yield bytes;
  }
}

async function readChunk(
  { db, mailVault }: StoredContentDeps,
  { id, accountId }: StoredContent,
  position: number,
): Promise<Uint8Array | null> {
  const [chunk] = await db.query<{ bytes: Uint8Array; sealedFor: string | null }>(READ_CHUNK, [id, position]);
  if (!chunk) return null;
  if (chunk.sealedFor === null) return chunk.bytes;
  const sealer = await mailVault.sealerOf(accountId);
  return sealer.open(chunk.bytes, placeOf(chunk.sealedFor, position));
}

const placeOf = (attachmentId: string, position: number) => ({ content: `attachment:${attachmentId}`, position });

/** Stores a chunk of a received attachment: 512 KiB, except the last. */
export async function storeAttachmentChunk(
  tx: Prisma.TransactionClient,
  sealer: MailSealer,
  { id, position, bytes }: { readonly id: string; readonly position: number; readonly bytes: Uint8Array },
): Promise<void> {
  const sealed = sealer.seal(bytes, placeOf(id, position));
  // As text: the embedded database accepts it six times as fast as bytes; a server is equally fast with both.
  const base64 = Buffer.from(sealed.buffer).toString("base64");
  await tx.$executeRaw`INSERT INTO mail_attachment_chunks (attachment_id, position, bytes, sealed_for)
    VALUES (${id}, ${position}, decode(${base64}, 'base64'), ${id})`;
}

/** Returns at most `length` bytes of the attachment's content from `offset`, which may be beyond its end. */
export async function readAttachmentPart(
  deps: StoredContentDeps,
  attachment: StoredContent,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let missing = length;
  let start = offset % CHUNK_BYTES;
  for (let position = Math.floor(offset / CHUNK_BYTES); missing > 0; position++) {
    const bytes = await readChunk(deps, attachment, position);
    if (bytes === null) break;
    const part = Buffer.from(bytes.subarray(start, start + missing));
    parts.push(part);
    missing -= part.byteLength;
    start = 0;
  }
  return Buffer.concat(parts);
}

/**
 * Assigns attachments of the account to a message or a draft and returns their total size in bytes. Unused uploads and
 * attachments of the draft `fromDraftId` move to the new owner. Those of another message or draft are copied.
 *
 * @param tx must hold the mailbox lock
 * @throws {InvalidRequestError} with the field `attachmentIds`
 */
export async function assignAttachments(
  tx: Prisma.TransactionClient,
  accountId: string,
  ids: readonly string[],
  owner: { readonly messageId: string } | { readonly draftId: string },
  fromDraftId: string | null = null,
): Promise<number> {
  const requestedIds = [...new Set(ids)];
  if (requestedIds.length > MAX_ATTACHMENTS) {
    throw new InvalidRequestError(`attachmentIds must contain at most ${MAX_ATTACHMENTS} ids.`, "attachmentIds");
  }
  if (requestedIds.length === 0) return 0;
  const where = { id: { in: requestedIds }, accountId, sizeBytes: { gte: 0 } };
  const found = await tx.mailAttachment.findMany({ where });
  const missing = requestedIds.find((id) => !found.some((one) => one.id === id));
  if (missing !== undefined) {
    throw new InvalidRequestError("attachmentIds contains an unknown id. Upload the file first.", "attachmentIds");
  }
  const sizeBytes = sumSizeBytes(found);
  if (sizeBytes > MAX_ATTACHMENTS_BYTES) {
    throw new InvalidRequestError("The attachments exceed 20 MiB in total.", "attachmentIds");
  }
  const isMovable = (file: MailAttachment) =>
    file.messageId === null && (file.draftId === null || file.draftId === fromDraftId);
  const copied = found.filter((file) => !isMovable(file));
  if ("draftId" in owner && copied.length > 0 && !(await fitsUnsentLimit(tx, accountId, sumSizeBytes(copied)))) {
    throw new InvalidRequestError(`Attachments of other messages are copied. ${UNSENT_LIMIT_MESSAGE}`, "attachmentIds");
  }
  for (const file of found) {
    if (isMovable(file)) await moveAttachment(tx, file, owner);
    else await copyAttachment(tx, file, owner);
  }
  return sizeBytes;
}

function sumSizeBytes(files: readonly MailAttachment[]): number {
  return files.reduce((sum, one) => sum + one.sizeBytes, 0);
}

type AttachmentOwner = { readonly messageId?: string; readonly draftId?: string };

async function moveAttachment(
  tx: Prisma.TransactionClient,
  { id, draftId }: MailAttachment,
  owner: AttachmentOwner,
): Promise<void> {
  // The condition on the current owner decides between concurrent emails.
  const { count } = await tx.mailAttachment.updateMany({
    where: { id, messageId: null, draftId },
    data: { messageId: owner.messageId ?? null, draftId: owner.draftId ?? null },
  });
  if (count === 0)
    throw new InvalidRequestError(
      "Another email used one of the attachments meanwhile. Upload the file again.",
      "attachmentIds",
    );
}

async function copyAttachment(
  tx: Prisma.TransactionClient,
  file: MailAttachment,
  owner: AttachmentOwner,
): Promise<void> {
  const { filename, contentType, sizeBytes, sha256, accountId } = file;
  const id = newId("mat");
  await tx.mailAttachment.create({ data: { id, accountId, filename, contentType, sizeBytes, sha256, ...owner } });
  // A copy shares what its chunks were sealed for: the transaction has no key to seal them again.
  await tx.$executeRaw`INSERT INTO mail_attachment_chunks (attachment_id, position, bytes, sealed_for)
    SELECT ${id}, position, bytes, sealed_for FROM mail_attachment_chunks WHERE attachment_id = ${file.id}`;
}

function readFilename(filename: string): string {
  // Some clients send the full path; only the last segment is stored.
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
