/** The repeated job of credentials: every agent is looked at when it is due. */
import type { Statement } from "../../platform/database/connection.ts";
import type { CredentialDeps } from "./deps.ts";
import { refreshCredentials } from "./refresh.ts";

const BATCH_SIZE = 50;
const CONCURRENCY = 5;

// Taking a row moves its next look ahead, so that no other node takes it and a crash only means looking again.
const TAKE_DUE: Statement = {
  name: "take-due-agent-credentials",
  text: `UPDATE agents SET credentials_due_at = now() + interval '1 minute'
    WHERE id IN (
      SELECT id FROM agents WHERE status IN ('active', 'revoked') AND credentials_due_at <= now()
      ORDER BY credentials_due_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
    RETURNING id, credentials_due_at AS "takenUntil"`,
};

// Somebody may have asked for another look meanwhile: then that stands. Looks spread over the day; 30 days of life leave room for one a day.
const DONE: Statement = {
  name: "agent-credentials-looked-at",
  text: `UPDATE agents SET credentials_due_at = CASE WHEN status = 'revoked' THEN NULL
      ELSE now() + interval '18 hours' + random() * interval '6 hours' END
    WHERE id = $1 AND credentials_due_at = $2`,
};

/** Does all that is due. Rejects when the database is away; what fails for one agent is tried again for it in a minute. */
export async function refreshDueCredentials(deps: CredentialDeps): Promise<void> {
  for (;;) {
    const rows = await deps.db.query<{ id: string; takenUntil: Date }>(TAKE_DUE, []);
    for (let start = 0; start < rows.length; start += CONCURRENCY) {
      await Promise.all(rows.slice(start, start + CONCURRENCY).map((row) => refreshOne(deps, row)));
    }
    if (rows.length < BATCH_SIZE) return;
  }
}

async function refreshOne(deps: CredentialDeps, { id, takenUntil }: { id: string; takenUntil: Date }): Promise<void> {
  try {
    await refreshCredentials(deps, id);
    await deps.db.query(DONE, [id, takenUntil]);
  } catch (error) {
    deps.logger.warn({ err: error, agentRecordId: id }, "credentials not looked at; they will be again");
  }
}
