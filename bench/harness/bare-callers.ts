/** Callers of the bare programs: the least that tells who asks, which is their token's hash looked up in the database. */
import { hash } from "node:crypto";
import type pg from "pg";
import { createBatchLoader } from "../../src/platform/concurrency/batch-loader.ts";

const CALLERS = 128;
const GATHER = { maxBatch: 200, maxConcurrent: 2 };

/** What a bare program says once it is ready. */
export interface BareProgram {
  readonly baseUrl: string;
  readonly tokens: readonly string[];
}

/** A header for each connection: an account of its own. */
export function bareTokenHeaders({ tokens }: BareProgram): readonly Record<string, string>[] {
  return tokens.map((token) => ({ "x-service-token": token }));
}

export interface BareCallers {
  /** A caller for each connection, whose account is the token's place here. */
  readonly tokens: readonly string[];
  /** The caller's account; the look-ups of a moment go together. @throws when the token is nobody's */
  accountOf(token: unknown): Promise<number>;
}

export async function createBareCallers(database: pg.Pool): Promise<BareCallers> {
  const tokens = Array.from({ length: CALLERS }, (_, n) => `token-${n}`);
  await database.query("CREATE TABLE bare_tokens (token_sha256 text PRIMARY KEY, account_id int NOT NULL)");
  await database.query("INSERT INTO bare_tokens SELECT * FROM unnest($1::text[], $2::int[])", [
    tokens.map(sha256),
    tokens.map((_, n) => n),
  ]);
  const accounts = createBatchLoader<string, number>(async (hashes) => {
    const text = "SELECT token_sha256, account_id FROM bare_tokens WHERE token_sha256 = ANY($1)";
    const { rows } = await database.query({ name: "find-accounts", text, values: [hashes] });
    const found = new Map(rows.map((row) => [row.token_sha256, row.account_id]));
    return hashes.map((one) => found.get(one) ?? new Error("No such token."));
  }, GATHER);
  return { tokens, accountOf: (token) => accounts.load(sha256(String(token))) };
}

function sha256(token: string): string {
  return hash("sha256", token);
}
