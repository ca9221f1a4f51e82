/** Authentication of the minimal gateway and payer: a database look-up of the hash of the token. */
import { hash } from "node:crypto";
import type pg from "pg";
import { createBatchLoader } from "../../src/platform/concurrency/batch-loader.ts";

const CALLERS = 128;
const BATCH_OPTIONS = { maxBatch: 200, maxConcurrent: 2 };

/** Ready message of a minimal program. */
export interface MinimalProgram {
  readonly baseUrl: string;
  readonly tokens: readonly string[];
}

/** Returns the token header of each connection. Each connection has its own account. */
export function createTokenHeaders({ tokens }: MinimalProgram): readonly Record<string, string>[] {
  return tokens.map((token) => ({ "x-service-token": token }));
}

export interface MinimalCallers {
  /** One token per connection. The account id is the index of the token. */
  readonly tokens: readonly string[];
  /** Returns the account id of the token. Concurrent look-ups share one statement. @throws if no account has the token */
  findAccountId(token: unknown): Promise<number>;
}

export async function createMinimalCallers(database: pg.Pool): Promise<MinimalCallers> {
  const tokens = Array.from({ length: CALLERS }, (_, n) => `token-${n}`);
  await database.query("CREATE TABLE bare_tokens (token_sha256 text PRIMARY KEY, account_id int NOT NULL)");
  await database.query("INSERT INTO bare_tokens SELECT * FROM unnest($1::text[], $2::int[])", [
    tokens.map(sha256),
    tokens.map((_, n) => n),
  ]);
  const accounts = createBatchLoader<string, number>(async (hashes) => {
    const text = "SELECT token_sha256, account_id FROM bare_tokens WHERE token_sha256 = ANY($1)";
    const { rows } = await database.query({ name: "find-accounts", text, values: [hashes] });
    const accountsByHash = new Map(rows.map((row) => [row.token_sha256, row.account_id]));
    return hashes.map((tokenHash) => accountsByHash.get(tokenHash) ?? new Error("No account has this token."));
  }, BATCH_OPTIONS);
  return { tokens, findAccountId: (token) => accounts.load(sha256(String(token))) };
}

function sha256(token: string): string {
  return hash("sha256", token);
}
