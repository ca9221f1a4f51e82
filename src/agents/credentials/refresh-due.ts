/** Recurring job that refreshes the credentials of agents that are due. */
import type { Statement } from "../../platform/database/connection.ts";
import { warnOfFailure } from "../../platform/observability/failure-log.ts";
import type { CredentialDeps } from "./deps.ts";
import { refreshCredentials } from "./refresh.ts";

const BATCH_SIZE = 50;
const CONCURRENCY = 5;

// Claiming a row postpones its next check: no other node claims it, and after a crash the check is repeated.
const CLAIM_DUE: Statement = {
  name: "take-due-agent-credentials",
  text: `UPDATE agents SET credentials_due_at = now() + interval '1 minute'
    WHERE id IN (
      SELECT id FROM agents WHERE status IN ('active', 'revoked') AND credentials_due_at <= now()
      ORDER BY credentials_due_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
    RETURNING id, credentials_due_at AS "takenUntil"`,
};

// Leaves a check that was scheduled concurrently. Random delays spread checks over the day; daily checks suffice for a lifetime of 30 days.
const SCHEDULE_NEXT: Statement = {
  name: "agent-credentials-looked-at",
  text: `UPDATE agents SET credentials_due_at = CASE WHEN status = 'revoked' THEN NULL
      ELSE now() + interval '18 hours' + random() * interval '6 hours' END
    WHERE id = $1 AND credentials_due_at = $2`,
};

/** Refreshes the credentials of all due agents. An agent whose refresh fails is retried after a minute. Rejects if the database is unavailable. */
export async function refreshDueCredentials(deps: CredentialDeps): Promise<void> {
  for (;;) {
    const rows = await deps.db.query<{ id: string; takenUntil: Date }>(CLAIM_DUE, []);
    for (let start = 0; start < rows.length; start += CONCURRENCY) {
      await Promise.all(rows.slice(start, start + CONCURRENCY).map((row) => refreshOne(deps, row)));
    }
    if (rows.length < BATCH_SIZE) return;
  }
}

async function refreshOne(deps: CredentialDeps, { id, takenUntil }: { id: string; takenUntil: Date }): Promise<void> {
  try {
    await refreshCredentials(deps, id);
    await deps.db.query(SCHEDULE_NEXT, [id, takenUntil]);
  } catch (error) {
    warnOfFailure(deps.logger, error, { agentRecordId: id }, "Credential refresh failed; retry scheduled");
  }
}
