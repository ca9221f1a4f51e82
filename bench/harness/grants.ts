/** An application and its grants from the accounts of a benchmark, inserted directly into the database. */
import { randomBytes, randomUUID } from "node:crypto";
import { hashToken, mintToken } from "../../src/accounts/secret-token.ts";
import { openDatabase } from "../../src/platform/database/connection.ts";
import type { Resources } from "./resources.ts";

export const CALLBACK = "https://app.example/callback";
const SCOPES = ["payments:sign", "balance:read", "transactions:read"];

export interface BenchGrants {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Returns a new token for each account, in the order of the accounts. */
  newTokens(kind: "access" | "refresh"): Promise<readonly string[]>;
  /** Returns new authorization codes, distributed evenly over the accounts. */
  newCodes(count: number): Promise<readonly string[]>;
}

/** Names only columns that earlier versions also have, whose databases `--against` opens. */
const INSERT_CLIENT = {
  name: "bench-client",
  text: `INSERT INTO oauth_clients (id, status, kind, responsible_name, responsible_phone, responsible_country, responsible_address,
      app_name, support_email, contact_emails, javascript_origins, redirect_uris, terms_accepted_at, secret_hash)
    VALUES ($1, 'approved', 'confidential', '', '', '', '', 'Bench', '', '{}', '{}', '{${CALLBACK}}', now(), $2)`,
};
const INSERT_GRANTS = {
  name: "bench-grants",
  text: `WITH granted AS (
      INSERT INTO oauth_grants (id, account_id, client_id, scopes, networks, slot)
      SELECT 'grt_' || id, id::uuid, $2, $3, '{base,base-sepolia}', id || ':' || $2 FROM unnest($1::text[]) AS id RETURNING id, account_id
    ) INSERT INTO budgets (id, account_id, day, month) SELECT id, account_id, current_date, date_trunc('month', current_date) FROM granted`,
};
const INSERT_TOKENS = {
  name: "bench-tokens",
  text: `INSERT INTO oauth_tokens (id, kind, token_hash, grant_id, client_id, family_id, scopes, expires_at)
    SELECT gen_random_uuid(), $4, hash, 'grt_' || id, $3, gen_random_uuid(), $5, now() + interval '1 day'
    FROM unnest($1::text[], $2::bytea[]) AS t (id, hash)`,
};
const INSERT_CODES = {
  name: "bench-codes",
  text: `INSERT INTO oauth_codes (code_hash, grant_id, client_id, redirect_uri, scopes, family_id, expires_at)
    SELECT hash, 'grt_' || id, $3, '${CALLBACK}', $4, gen_random_uuid(), now() + interval '1 hour'
    FROM unnest($1::text[], $2::bytea[]) AS t (id, hash)`,
};

export async function openGrants(
  resources: Resources,
  databaseUrl: string,
  accountIds: readonly string[],
): Promise<BenchGrants> {
  const db = resources.add(await openDatabase({ databaseUrl, dataDir: "", poolSize: 2 }), (database) =>
    database.close(),
  );
  const clientId = `cl_${randomUUID()}`;
  const clientSecret = mintToken("satchel_cs_");
  await db.query(INSERT_CLIENT, [clientId, hashToken(clientSecret)]);
  await db.query(INSERT_GRANTS, [accountIds, clientId, SCOPES]);
  return {
    clientId,
    clientSecret,
    async newTokens(kind) {
      const tokens = accountIds.map(() => mintToken(kind === "access" ? "satchel_at_" : "satchel_rt_"));
      await db.query(INSERT_TOKENS, [accountIds, tokens.map(hashToken), clientId, kind, SCOPES]);
      return tokens;
    },
    async newCodes(count) {
      const codes = Array.from({ length: count }, () => randomBytes(32).toString("base64url"));
      const owners = codes.map((_code, index) => accountIds[index % accountIds.length]);
      await db.query(INSERT_CODES, [owners, codes.map(hashToken), clientId, SCOPES]);
      return codes;
    },
  };
}
