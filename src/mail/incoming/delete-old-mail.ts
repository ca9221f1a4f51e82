/** Retention: 30 days for messages and their attachments (spec section 8). A thread is deleted with its last message. */
import type { Database } from "../../platform/database/connection.ts";

const RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;
/** Messages per statement. Bounds how long locks are held: an attachment has many rows. */
const BATCH = 500;

const DELETE_MESSAGES = {
  name: "delete_old_mail",
  text: `DELETE FROM mail_messages WHERE id IN (
    SELECT id FROM mail_messages WHERE created_at < $1 ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`,
};
/**
 * Deletes empty threads, including those left by a process that ended early. A transaction that adds a message locks the thread
 * and updates `last_message_at`, after which the condition no longer matches.
 */
const DELETE_THREADS = {
  name: "delete_empty_mail_threads",
  text: `DELETE FROM mail_threads WHERE last_message_at < $1 AND id IN (
    SELECT id FROM mail_threads t WHERE last_message_at < $1
      AND NOT EXISTS (SELECT 1 FROM mail_messages WHERE thread_id = t.id) LIMIT ${BATCH}) RETURNING id`,
};

/** Deletes messages past retention and empty threads. Returns the number of deleted messages. */
export async function deleteOldMail(db: Database, nowMs: number = Date.now()): Promise<number> {
  const before = new Date(nowMs - RETENTION_DAYS * DAY_MS);
  let deleted = 0;
  for (let isMore = true; isMore; ) {
    const { length } = await db.query(DELETE_MESSAGES, [before]);
    deleted += length;
    isMore = length === BATCH;
  }
  while ((await db.query(DELETE_THREADS, [before])).length === BATCH);
  return deleted;
}
