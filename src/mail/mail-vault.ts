/**
 * Seals raw messages and attachments in chunks. Each mailbox has its own data key, wrapped by a key-encryption key. A chunk opens
 * only in its place in content of the same account.
 */
import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { cachePromise } from "../platform/concurrency/memoize.ts";
import { open, seal } from "../platform/crypto/sealing/sealed-box.ts";
import { accountContext, type SealedTable } from "../platform/crypto/sealing/sealed-table.ts";
import { createDataKey, type KeyEncryptionKeys, openDataKey } from "../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../platform/database/connection.ts";

/** Size of the plain bytes of each chunk but the last. */
export const CHUNK_BYTES = 512 * 1024;

export const SEALED_MAILBOXES: SealedTable = {
  name: "mailboxes",
  hasAccounts: true,
  contextOf: (row) => accountContext("mailbox", row),
};

/** The place of a chunk: its content, such as `raw:aem_…`, and its position. */
export interface ChunkPlace {
  readonly content: string;
  readonly position: number;
}

/** Seals and opens the chunks of one account. */
export interface MailSealer {
  seal(bytes: Uint8Array, place: ChunkPlace): Uint8Array<ArrayBuffer>;
  /** @throws {SealBrokenError} */
  open(box: Uint8Array, place: ChunkPlace): Uint8Array<ArrayBuffer>;
}

export interface MailVault {
  /**
   * Returns the sealer of an account with a mailbox, whose key is created on first use. Call it outside of transactions: it writes
   * the mailbox's row.
   */
  sealerOf(accountId: string): Promise<MailSealer>;
}

const CACHED_KEYS = 10_000;
const CACHE_TTL_MS = 5 * 60_000;

export function createMailVault(db: Database, keks: KeyEncryptionKeys): MailVault {
  // By account: a data key never changes, only the key that wraps it.
  const sealers = new LRUCache<string, Promise<MailSealer>>({ max: CACHED_KEYS, ttl: CACHE_TTL_MS });
  return {
    sealerOf(accountId) {
      const cached = sealers.get(accountId);
      if (cached) return cached;
      const sealer = openMailboxKey(db, keks, accountId).then((dataKey) => createSealer(dataKey, accountId));
      return cachePromise(sealers, accountId, sealer);
    },
  };
}

function createSealer(dataKey: KeyObject, accountId: string): MailSealer {
  const contextOf = ({ content, position }: ChunkPlace) =>
    accountContext("mail-chunk", { id: `${content}:${position}`, accountId });
  return {
    seal: (bytes, place) => seal(dataKey, bytes, contextOf(place)),
    open: (box, place) => open(dataKey, box, contextOf(place)),
  };
}

async function openMailboxKey({ prisma }: Database, keks: KeyEncryptionKeys, accountId: string): Promise<KeyObject> {
  const find = () => prisma.mailbox.findUniqueOrThrow({ where: { accountId } });
  let mailbox = await find();
  if (mailbox.wrappedDataKey === null) {
    const { wrappedDataKey, kekId } = await createDataKey(keks, SEALED_MAILBOXES.contextOf(mailbox));
    // Of concurrent nodes, the first decides on the key.
    await prisma.mailbox.updateMany({ where: { accountId, wrappedDataKey: null }, data: { wrappedDataKey, kekId } });
    mailbox = await find();
  }
  const { wrappedDataKey, kekId } = mailbox;
  if (wrappedDataKey === null || kekId === null) throw new Error("The mailbox has no data key.");
  const wrapped = { wrappedDataKey: Uint8Array.from(wrappedDataKey), kekId };
  return await openDataKey(keks, wrapped, SEALED_MAILBOXES.contextOf(mailbox));
}
