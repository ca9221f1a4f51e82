import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Documents of automatic persisted queries (Apollo), by the SHA-256 of their text. */
export type PersistedDocuments = {
  find(sha256Hash: string): string | undefined;
  /** Stores a valid document, whose hash the caller has verified. */
  register(sha256Hash: string, query: string): void;
};

const MAX_ENTRIES = 20_000;
/** Limit of each of the two caches. */
const MAX_BYTES = 16_777_216;
/** Size of an entry apart from its text. */
const ENTRY_BYTES = 256;

/** Returns the SHA-256 of the text's UTF-8 in lower-case hexadecimal digits. */
export function hashDocument(query: string): string {
  return createHash("sha256").update(query).digest("hex");
}

/**
 * Creates a cache for one process. A document that was evicted, or registered on another node, costs its client one more request.
 * Documents that a client has requested by their hash have a cache of their own. Clients that write values into their documents, and
 * so register each of them once, evict only each other's.
 */
export function createPersistedDocuments(): PersistedDocuments {
  const registered = createCache();
  const requested = createCache();
  return {
    find(sha256Hash) {
      const known = requested.get(sha256Hash);
      if (known !== undefined) return known;
      const query = registered.get(sha256Hash);
      if (query === undefined) return undefined;
      registered.delete(sha256Hash);
      requested.set(sha256Hash, query);
      return query;
    },
    register(sha256Hash, query) {
      if (!requested.has(sha256Hash)) registered.set(sha256Hash, query);
    },
  };
}

function createCache() {
  return new LRUCache<string, string>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    // V8 stores a UTF-16 code unit in at most two bytes.
    sizeCalculation: ({ length }) => length * 2 + ENTRY_BYTES,
  });
}
