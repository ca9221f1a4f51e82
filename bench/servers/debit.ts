/**
 * A minimal durable debit: one statement debits a budget within its limit and inserts a ledger row. It runs through pg on 16
 * connections. Argument: DATABASE_URL.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { serveParent } from "../harness/serve-parent.ts";

const CONNECTIONS = 16;
const BUDGETS = 128;
const DEBIT = {
  name: "debit",
  text: `WITH taken AS (
      UPDATE bare_budgets SET used_micro_usd = used_micro_usd + $3
      WHERE id = $2 AND used_micro_usd + $3 <= limit_micro_usd RETURNING id
    )
    INSERT INTO bare_ledger (id, budget_id, amount_micro_usd) SELECT $1, id, $3 FROM taken RETURNING id`,
};

const pool = new pg.Pool({ connectionString: process.argv[2], max: CONNECTIONS });
await pool.query(`
  CREATE TABLE bare_budgets (id int PRIMARY KEY, limit_micro_usd bigint NOT NULL, used_micro_usd bigint NOT NULL);
  CREATE TABLE bare_ledger (id uuid PRIMARY KEY, budget_id int NOT NULL, amount_micro_usd bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now());
  INSERT INTO bare_budgets SELECT id, 1000000000000000, 0 FROM generate_series(0, ${BUDGETS - 1}) AS id`);

/** Debits for `durationMs` on every connection. @returns debits per second */
async function debit({ durationMs, budgets }: { durationMs: number; budgets: number }): Promise<number> {
  const startedMs = performance.now();
  let count = 0;
  const lanes = Array.from({ length: CONNECTIONS }, async () => {
    while (performance.now() - startedMs < durationMs) {
      const { rowCount } = await pool.query({ ...DEBIT, values: [randomUUID(), count % budgets, 1_000] });
      if (rowCount !== 1) throw new Error("Debit failed: the budget is missing or exceeded.");
      count++;
    }
  });
  await Promise.all(lanes);
  return count / ((performance.now() - startedMs) / 1_000);
}

serveParent(null, { handlers: { debit }, close: () => pool.end() });
