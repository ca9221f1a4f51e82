/** Messages are kept for 30 days (spec section 8), with their attachments; threads as long as there is a message in them. */
import type { Database } from "../../platform/database/connection.ts";

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** A statement deletes so many: none holds up the rest for long, and an attachment has many rows. */
const BATCH = 500;

const DELETE_MESSAGES = {
  name: "delete_old_mail",
  text: `DELETE FROM mail_messages WHERE id IN (
    SELECT id FROM mail_messages WHERE created_at < $1 ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`,
};
/**
 * Whatever emptied them, and whoever died before this. One that a message joins at this moment is locked by it, and has moved
 * afterwards.
 */
const DELETE_THREADS = {
  name: "delete_empty_mail_threads",
  text: `DELETE FROM mail_threads WHERE last_message_at < $1 AND id IN (
    SELECT id FROM mail_threads t WHERE last_message_at < $1
      AND NOT EXISTS (SELECT 1 FROM mail_messages WHERE thread_id = t.id) LIMIT ${BATCH}) RETURNING id`,
};

/** @returns how many messages went */
export async function deleteOldMail(db: Database, nowMs: number = Date.now()): Promise<number> {
  const before = new Date(nowMs - KEPT_DAYS * DAY_MS);
  let deleted = 0;
  for (let isMore = true; isMore; ) {
    const { length } = await db.query(DELETE_MESSAGES, [before]);
    deleted += length;
    isMore = length === BATCH;
  }
  while ((await db.query(DELETE_THREADS, [before])).length === BATCH);
  return deleted;
}
