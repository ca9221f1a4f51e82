import type { Database } from "../platform/database/connection.ts";
import { shareQueries } from "../platform/database/shared-query.ts";
import { hashTokenHex } from "./secret-token.ts";

/** `last_used_at` is updated when it is older than this. */
export const LAST_USED_PRECISION = "60 seconds";

/** SQL condition that `t` has one of the hashes in $1, an array of hex strings. */
export const HAS_ONE_OF_HASHES = "t.token_hash = ANY(ARRAY(SELECT decode(hex, 'hex') FROM unnest($1::text[]) AS hex))";

/**
 * Returns a function that finds a token by its hash. Concurrent look-ups share one query.
 * @param findRows returns the rows of the valid tokens with these hashes (hex), in any order
 */
export function createTokenFinder<Row extends { readonly token_hash_hex: string }>(
  findRows: (db: Database, hashes: readonly string[]) => Promise<readonly Row[]>,
): (db: Database, token: string) => Promise<Row | null> {
  const find = shareQueries<string, Row | null>(async (db, hashes) => {
    const rows = await findRows(db, [...new Set(hashes)]);
    const found = new Map(rows.map((row) => [row.token_hash_hex, row]));
    return hashes.map((hash) => found.get(hash) ?? null);
  });
  return (db, token) => find(db, hashTokenHex(token));
}
