/**
 * A minimal message store: one statement inserts the row, through pg on 16 connections, into Satchel's table with its indexes.
 * Arguments: DATABASE_URL, and the ids of mailbox, account and thread.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { serveParent } from "../harness/serve-parent.ts";

const CONNECTIONS = 16;
const [databaseUrl, mailboxId, accountId, threadId] = process.argv.slice(2);
const BODY = "Your order has been shipped and will arrive tomorrow. ".repeat(20);
const INSERT = {
  name: "insert",
  text: `INSERT INTO mail_messages (id, mailbox_id, account_id, thread_id, direction, status, from_address, from_name, to_addresses,
      cc_addresses, subject, body_text, extracted_text, message_id_header, "references", size_bytes)
    VALUES ($1, $2, $3, $4, 'inbound', 'received', 'ada@bench.example', 'Ada', '{agent@agents.example}', '{}', 'Your order', $5, $5, $1, '{}', 1200)`,
};

const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });

/** Inserts for `durationMs` on every connection. @returns messages per second */
async function insert({ durationMs }: { durationMs: number }): Promise<number> {
  const startedMs = performance.now();
  let count = 0;
  const lanes = Array.from({ length: CONNECTIONS }, async () => {
    while (performance.now() - startedMs < durationMs) {
      await pool.query({ ...INSERT, values: [randomUUID(), mailboxId, accountId, threadId, BODY] });
      count++;
    }
  });
  await Promise.all(lanes);
  return count / ((performance.now() - startedMs) / 1_000);
}

serveParent(null, { handlers: { insert }, close: () => pool.end() });
