/** Content of an export in sealed chunks. A chunk opens only in its place in the export of the same account. */
import { open, SealBrokenError, seal } from "../../platform/crypto/sealing/sealed-box.ts";
import { accountContext, type RowIdentity, type SealedTable } from "../../platform/crypto/sealing/sealed-table.ts";
import { type KeyEncryptionKeys, openDataKey, type WrappedKey } from "../../platform/crypto/sealing/wrapped-key.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";

const CHUNK_BYTES = 512 * 1024;

export const SEALED_EXPORTS: SealedTable = {
  name: "account_exports",
  hasAccounts: true,
  contextOf: (row) => accountContext("account-export", row),
};

const INSERT: Statement = {
  name: "insert-export-chunk",
  text: "INSERT INTO account_export_chunks (export_id, attempt, position, sealed_bytes) VALUES ($1, $2, $3, $4)",
};
const READ: Statement = {
  name: "read-export-chunk",
  text: `SELECT sealed_bytes AS "sealedBytes" FROM account_export_chunks
    WHERE export_id = $1 AND attempt = $2 AND position = $3`,
};

export interface SealedExport extends WrappedKey, RowIdentity {
  readonly attempt: number;
}

/** Stores the bytes in chunks of 512 KiB and returns their number. The caller has deleted chunks of earlier attempts. */
export async function storeArchive(
  { db, keks }: { readonly db: Database; readonly keks: KeyEncryptionKeys },
  row: SealedExport,
  bytes: AsyncIterable<Uint8Array>,
): Promise<bigint> {
  const dataKey = await openDataKey(keks, row, SEALED_EXPORTS.contextOf(row));
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let sizeBytes = 0n;
  let position = 0;
  const flush = async () => {
    const plaintext = Buffer.concat(pending);
    const sealed = seal(dataKey, plaintext, chunkContext(row, position));
    plaintext.fill(0);
    await db.query(INSERT, [row.id, row.attempt, position, sealed]);
    position += 1;
    pending = [];
    pendingBytes = 0;
  };
  for await (const chunk of bytes) {
    sizeBytes += BigInt(chunk.length);
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + CHUNK_BYTES - pendingBytes);
      pending.push(part);
      pendingBytes += part.length;
      start += part.length;
      if (pendingBytes === CHUNK_BYTES) await flush();
    }
  }
  if (pendingBytes > 0) await flush();
  return sizeBytes;
}

/**
 * Yields the archive of a completed export.
 * @throws {SealBrokenError} a chunk was changed, moved or is missing
 */
export async function* readArchive(
  { db, keks }: { readonly db: Database; readonly keks: KeyEncryptionKeys },
  row: SealedExport & { readonly sizeBytes: bigint },
): AsyncGenerator<Uint8Array> {
  const dataKey = await openDataKey(keks, row, SEALED_EXPORTS.contextOf(row));
  let remainingBytes = row.sizeBytes;
  for (let position = 0; remainingBytes > 0n; position++) {
    const [chunk] = await db.query<{ sealedBytes: Uint8Array }>(READ, [row.id, row.attempt, position]);
    if (!chunk) throw new SealBrokenError("A chunk of the export is missing.");
    const bytes = open(dataKey, chunk.sealedBytes, chunkContext(row, position));
    remainingBytes -= BigInt(bytes.length);
    yield bytes;
  }
}

function chunkContext(row: SealedExport, position: number): string {
  return `${SEALED_EXPORTS.contextOf(row)}:${row.attempt}:${position}`;
}
