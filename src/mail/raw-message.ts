/** The raw message of each received email, as it arrived: compressed and sealed in chunks, retained as long as the message. */
import { createReadStream } from "node:fs";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompressSync } from "node:zlib";
import type { Prisma } from "../../generated/prisma/client.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { SealBrokenError } from "../platform/crypto/sealing/sealed-box.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { NotFoundError } from "../platform/errors.ts";
import { CHUNK_BYTES, type MailSealer, type MailVault } from "./mail-vault.ts";
import { requireMailAccess } from "./mailboxes.ts";

const compress = promisify(zstdCompress);
/** Base64, the greatest part of large messages, shrinks by a quarter at the fastest level. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const READ: Statement = {
  name: "read-mail-raw-chunk",
  text: `SELECT sealed_bytes AS "sealedBytes" FROM mail_raw_chunks WHERE message_id = $1 AND position = $2`,
};

/** A message whose raw form can be stored. */
export interface RawMessage {
  readonly id: string;
  readonly accountId: string;
  /** Size of the raw message in bytes. */
  readonly sizeBytes: number;
}

const placeOf = (messageId: string, position: number) => ({ content: `raw:${messageId}`, position });

/** Stores the file as the raw message within `tx`, which stores the message itself before it ends. */
export async function storeRawMessage(
  tx: Prisma.TransactionClient,
  sealer: MailSealer,
  messageId: string,
  path: string,
): Promise<void> {
  let position = 0;
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  for await (const bytes of chunks) {
    const sealed = sealer.seal(await compress(bytes, COMPRESSION), placeOf(messageId, position));
    // As text: the embedded database accepts it six times as fast as bytes; a server is equally fast with both.
    const base64 = Buffer.from(sealed.buffer).toString("base64");
    await tx.$executeRaw`INSERT INTO mail_raw_chunks (message_id, position, sealed_bytes)
      VALUES (${messageId}, ${position}, decode(${base64}, 'base64'))`;
    position += 1;
  }
}

/** Yields the raw message in chunks. @throws {SealBrokenError} a chunk was changed, moved or is missing */
export async function* readRawMessage(
  { db, mailVault }: { readonly db: Database; readonly mailVault: MailVault },
  { id, accountId, sizeBytes }: RawMessage,
): AsyncGenerator<Buffer> {
  const sealer = await mailVault.sealerOf(accountId);
  let remainingBytes = sizeBytes;
  for (let position = 0; remainingBytes > 0; position++) {
    const [chunk] = await db.query<{ sealedBytes: Uint8Array }>(READ, [id, position]);
    if (!chunk) throw new SealBrokenError("A chunk of the raw message is missing.");
    const compressed = sealer.open(chunk.sealedBytes, placeOf(id, position));
    const bytes = zstdDecompressSync(compressed, { maxOutputLength: CHUNK_BYTES });
    remainingBytes -= bytes.length;
    yield bytes;
  }
}

/** Returns a received message of the viewer's account whose raw form is stored. @throws {NotFoundError | ForbiddenError} */
export async function findRawMessage(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  id: string,
): Promise<RawMessage> {
  const { accountId } = requireMailAccess(viewer);
  const where = { id, accountId, parserVersion: { not: null } };
  const found = await db.prisma.mailMessage.findFirst({
    where,
    select: { id: true, accountId: true, sizeBytes: true },
  });
  if (!found) throw new NotFoundError("Message not found, or its raw form is not stored.");
  return found;
}
