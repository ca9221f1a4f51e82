// @module-tag postgresql
/** Query plans of the look-ups by which each request is authenticated. */
import { createHash } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { apiTokenKind } from "../../src/accounts/api-token-kind.ts";
import type { TokenKind } from "../../src/accounts/token-kind.ts";
import { createAccessTokenKind } from "../../src/oauth/access-token-kind.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { createTestDatabase } from "../support/database.ts";
import { explainPrepared, type PlanNode } from "../support/query-plans.ts";

/** Creates 1,000 accounts with 20 API tokens and 20 access tokens each. One account has credit, as after the first sign-ins. */
const FILL = `
  INSERT INTO accounts (id, x402_enabled_at)
    SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, now() FROM generate_series(1, 1000) n;
  INSERT INTO credits (account_id, available_micro_usd) SELECT id, 0 FROM accounts ORDER BY id LIMIT 1;
  INSERT INTO budgets (id, account_id, day, month)
    SELECT prefix || id, id, now()::date, now()::date FROM accounts, unnest(ARRAY['', 'grant-', 'first-', 'second-']) AS prefix;
  INSERT INTO api_tokens (id, account_id, name, token_hash, hint, scopes, networks, allowed_hosts, allowed_payees, budget_ids)
    SELECT id || '-' || n, id, n, sha256((id || '-' || n)::bytea), '', '{}', '{}', '{}', '{}', ARRAY[id::text]
    FROM accounts, generate_series(1, 20) n;
  INSERT INTO oauth_clients (id, status, kind, responsible_name, responsible_phone, responsible_country, responsible_address,
      app_name, support_email, contact_emails, javascript_origins, redirect_uris, terms_accepted_at)
    VALUES ('client', 'approved', 'public', '', '', '', '', '', '', '{}', '{}', '{}', now());
  INSERT INTO oauth_grants (id, account_id, client_id, scopes, networks)
    SELECT 'grant-' || id, id, 'client', '{}', '{}' FROM accounts;
  INSERT INTO oauth_tokens (id, kind, token_hash, grant_id, client_id, family_id, scopes, expires_at)
    SELECT id || '-' || n, 'access', sha256((id || '-' || n)::bytea), 'grant-' || id, 'client', '', '{}', now() + interval '1 hour'
    FROM accounts, generate_series(1, 20) n`;
/** Hash of one token of the account with credit. */
const HASH = createHash("sha256").update("00000000-0000-4000-8000-000000000001-7").digest("hex");

/** Returns the rows that the plan reads, with those that a filter removes. */
function rowsRead(node: PlanNode): number {
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const own = node["Relation Name"] ? ((node["Actual Rows"] ?? 0) + removed) * (node["Actual Loops"] ?? 1) : 0;
  return own + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
}

/** Runs a look-up and returns its first statement with the values. */
async function statementOf(db: Database, kind: TokenKind) {
  const calls: { text: string; values: readonly unknown[] }[] = [];
  const query: typeof db.query = async ({ text }, values) => {
    calls.push({ text, values });
    return [];
  };
  await kind.find({ ...db, query }, `${kind.prefix}unknown`, null);
  return calls[0] ?? expect.fail("no statement");
}

describe.each([
  ["API token", apiTokenKind],
  ["access token", createAccessTokenKind(true)],
])("the look-up of one %s", (_name, kind) => {
  it("reads one of an account's tokens, with and without statistics", async () => {
    const { db, close } = await createTestDatabase();
    onTestFinished(close);
    await db.executeSql(FILL);
    const { text, values } = await statementOf(db, kind);
    for (const statistics of ["none", "analyzed"]) {
      if (statistics === "analyzed") await db.executeSql("ANALYZE");
      for (const mode of ["custom", "generic"] as const) {
        const plan = await explainPrepared(db, text, [[HASH], ...values.slice(1)], mode, "ANALYZE,");
        const read = { statistics, mode, found: plan["Actual Rows"], isFew: rowsRead(plan) <= 10 };
        expect(read).toEqual({ statistics, mode, found: 1, isFew: true });
      }
    }
  });
});
