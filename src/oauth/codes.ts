/** Authorization codes: 60 seconds, once; only the hash is kept. */
import { randomBytes } from "node:crypto";
import { hashToken } from "../accounts/secret-token.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
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
      AND ($7::boolean OR EXISTS (SELECT FROM oauth_codes c WHERE c.grant_id = g.id AND c.redirect_uri = $3))
    RETURNING grant_id`,
};

/** Whether only the registered application can receive at its addresses. On any port of a machine, any program can. */
function isSureOfReceiver({ kind }: Pick<Client, "kind">): boolean {
  return kind !== "command_line";
}

const HAS_RECEIVED: Statement = {
  name: "has-received-oauth-code",
  text: "SELECT 1 AS found FROM oauth_codes WHERE grant_id = $1 AND redirect_uri = $2 LIMIT 1",
};

/**
 * Whether codes of this grant may go to this address without asking the person: who claims to be a program of theirs may
 * be another (RFC 8252, section 8.6), unless it is where they sent one lately.
 */
export async function canSkipConsent(
  db: Database,
  client: Pick<Client, "kind">,
  grantId: string,
  redirectUri: string,
): Promise<boolean> {
  return isSureOfReceiver(client) || (await db.query(HAS_RECEIVED, [grantId, redirectUri])).length > 0;
}

export interface CodeTerms {
  readonly client: Client;
  readonly accountId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly scopes: readonly string[];
}

/** A code for what the account granted the client before; null when it granted nothing, or less than `scopes`, or not there. */
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
    isSureOfReceiver(client),
  ]);
  return minted.length > 0 ? code : null;
}
