/** Places in the status lists (draft-ietf-oauth-status-list, section 13.2): random, so that they say nothing, and never given twice. */
import { randomInt } from "node:crypto";
import type { Database, Statement } from "../../platform/database/connection.ts";

/** How many places a list has: enough that none tells who is on it. */
export const STATUS_LIST_SIZE = 2 ** 17;
const FIRST_LIST_ID = 1;
/** Where all of these are taken the list is as good as full: nine in ten places, with even odds at 96 of a hundred. */
const TRIES = 16;

export interface StatusPlace {
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

/** A place that nothing had when it looked; whoever stores it first has it. @param size of a list */
export async function findFreeStatusIndex(db: Database, size = STATUS_LIST_SIZE): Promise<StatusPlace> {
  const [newest] = await db.query<{ id: number | null }>(NEWEST_LIST, []);
  const statusListId = newest?.id ?? FIRST_LIST_ID;
  const tried = Array.from({ length: TRIES }, () => randomInt(size));
  const [free] = await db.query<{ index: number }>(FIRST_FREE, [statusListId, tried]);
  if (free) return { statusListId, statusIndex: free.index };
  return { statusListId: statusListId + 1, statusIndex: randomInt(size) };
}
