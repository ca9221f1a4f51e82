/** Event source of freezes of accounts. */
import type { FreezeEventData } from "../../events/event-data.ts";
import { defineSource, type SourceRow } from "../../events/event-source.ts";

interface FreezeRow extends SourceRow {
  readonly id: string;
  readonly frozen_by: string;
  readonly frozen_at: Date;
  readonly unfrozen_at: Date | null;
}

/** The start and the end of each freeze. Events do not contain an administrator's reason. */
export const freezeEvents = defineSource<FreezeRow, FreezeEventData>({
  name: "freezes",
  channel: "freeze",
  sql: `SELECT f.account_id, f.id AS row_id, f.id AS subject_id, moment.type, moment.occurred_at, f.updated_at,
      f.id, f.frozen_by, f.frozen_at, f.unfrozen_at
    FROM account_freezes f CROSS JOIN LATERAL (VALUES
      ('account.frozen', f.frozen_at),
      ('account.resumed', f.unfrozen_at)
    ) AS moment (type, occurred_at) WHERE moment.occurred_at IS NOT NULL`,
  dataOf: (row) => ({
    id: row.id,
    frozenBy: row.frozen_by,
    frozenAt: row.frozen_at.toISOString(),
    resumedAt: row.unfrozen_at?.toISOString() ?? null,
  }),
});
