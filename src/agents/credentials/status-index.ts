/** Assignment of status list indexes. They are random, which reveals nothing (draft-ietf-oauth-status-list, section 13.2), and unique. */
import { randomInt } from "node:crypto";
import type { Database, Statement } from "../../platform/database/connection.ts";

/** Entries of a status list. A large list hides which credential a verifier checks. */
export const STATUS_LIST_SIZE = 2 ** 17;
const FIRST_LIST_ID = 1;
/** Random indexes tried before a new list is started. All are in use with a probability of 19 % at 90 % occupancy, and of 52 % at 96 %. */
const MAX_TRIES = 16;

export interface StatusListEntry {
  readonly statusListId: number;
  readonly statusIndex: number;
}

const NEWEST_LIST: Statement = {
  name: "newest-status-list",
  text: "SELECT max(status_list_id) AS id FROM agent_credentials",
};

const FIRST_FREE: Statement = {
  name: "first-free-status-index",
  text: `SELECT tried.index FROM unnest($2::int[]) WITH ORDINALITY AS tried (index, place)
    WHERE NOT EXISTS (SELECT 1 FROM agent_credentials WHERE status_list_id = $1 AND status_index = tried.index)
    ORDER BY place LIMIT 1`,
};

/** Returns a currently unused index. It is not reserved, so storing it may conflict. @param size entries of a list */
export async function findFreeStatusIndex(db: Database, size = STATUS_LIST_SIZE): Promise<StatusListEntry> {
  const [newest] = await db.query<{ id: number | null }>(NEWEST_LIST, []);
  const statusListId = newest?.id ?? FIRST_LIST_ID;
  const tried = Array.from({ length: MAX_TRIES }, () => randomInt(size));
  const [free] = await db.query<{ index: number }>(FIRST_FREE, [statusListId, tried]);
  if (free) return { statusListId, statusIndex: free.index };
  return { statusListId: statusListId + 1, statusIndex: randomInt(size) };
}
