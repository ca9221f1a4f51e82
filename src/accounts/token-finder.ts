import type DataLoader from "dataloader";
import { createBatchLoader } from "../platform/concurrency/batch-loader.ts";
import type { Database } from "../platform/database/connection.ts";
import { hashTokenHex } from "./secret-token.ts";

/** One at a time: what comes while one is under way goes together in the next, which costs the service a fifth less. */
const BATCHING = { maxBatch: 200, maxConcurrent: 1 };

/** "Last used" is written again when it is older than this. */
export const LAST_USED_PRECISION = "60 seconds";

/** For a statement whose first value is the hashes: whether `t` has one of them. */
export const HAS_ONE_OF_HASHES = "t.token_hash = ANY(ARRAY(SELECT decode(hex, 'hex') FROM unnest($1::text[]) AS hex))";

/**
 * Looks tokens up by their hash, those that many requests carry in one query. Each query begins after the requests it
 * answers; nothing is remembered after it.
 * @param findRows the rows of those hashes (in hex) that stand, in any order
 */
export function createTokenFinder<Row extends { readonly token_hash_hex: string }>(
  findRows: (db: Database, hashes: readonly string[]) => Promise<readonly Row[]>,
): (db: Database, token: string) => Promise<Row | null> {
  const finders = new WeakMap<Database, DataLoader<string, Row | null>>();
  const finderOf = (db: Database) => {
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
  return (db, token) => finderOf(db).load(hashTokenHex(token));
}
