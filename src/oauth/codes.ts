/** Authorization codes: 60 seconds, once; only the hash is kept. */
import { randomBytes } from "node:crypto";
import { hashToken } from "../accounts/secret-token.ts";
import type { Database, Statement } from "../platform/database.ts";
import { newId } from "../platform/ids.ts";
import type { Client } from "./clients/find-client.ts";
import { CODE_SECONDS } from "./lifetimes.ts";

export interface NewCode {
  readonly code: string;
  readonly codeHash: Uint8Array<ArrayBuffer>;
  /** Whatever it is exchanged for, and all that follows, belongs to this family. */
  readonly familyId: string;
}

/** A code and what is stored of it. */
export function newCode(): NewCode {
  const code = randomBytes(32).toString("base64url");
  return { code, codeHash: hashToken(code), familyId: newId("fam") };
}

/** One grant of an account to a client stands at a time: it holds this slot. */
export function grantSlot(accountId: string, clientId: string): string {
  return `${accountId}:${clientId}`;
}

const MINT_FOR_STANDING_GRANT: Statement = {
  name: "mint-code-for-standing-grant",
  text: `INSERT INTO oauth_codes (code_hash, grant_id, client_id, redirect_uri, code_challenge, scopes, family_id, expires_at)
    SELECT $1, g.id, g.client_id, $3, $4, $5::text[], $6, now() + interval '${CODE_SECONDS} seconds'
    FROM oauth_grants g WHERE g.slot = $2 AND g.revoked_at IS NULL AND g.scopes @> $5::text[]
    RETURNING grant_id`,
};

export interface CodeTerms {
  readonly client: Client;
  readonly accountId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly scopes: readonly string[];
}

/** A code for what the account granted the client before; null when it granted nothing, or less than `scopes`. */
export async function mintCodeForStandingGrant(db: Database, terms: CodeTerms): Promise<string | null> {
  const { code, codeHash, familyId } = newCode();
  const { client, accountId, redirectUri, codeChallenge, scopes } = terms;
  const slot = grantSlot(accountId, client.id);
  const minted = await db.query(MINT_FOR_STANDING_GRANT, [
    codeHash,
    slot,
    redirectUri,
    codeChallenge,
    scopes,
    familyId,
  ]);
  return minted.length > 0 ? code : null;
}
