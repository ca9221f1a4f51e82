/** Authorization codes: single use, valid for 60 seconds. Only the hash is stored. */
import { randomBytes } from "node:crypto";
import { hashToken } from "../accounts/secret-token.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import type { Client } from "./clients/find-client.ts";
import { CODE_SECONDS } from "./lifetimes.ts";

export interface NewCode {
  readonly code: string;
  readonly codeHash: Uint8Array<ArrayBuffer>;
  /** The token family: all tokens that descend from the code. */
  readonly familyId: string;
}

/** Creates a code, its stored hash and the id of its token family. */
export function createCode(): NewCode {
  const code = randomBytes(32).toString("base64url");
  return { code, codeHash: hashToken(code), familyId: newId("fam") };
}

/** Returns the unique `slot` value of the active grant of an account to a client. At most one grant is active. */
export function grantSlot(accountId: string, clientId: string): string {
  return `${accountId}:${clientId}`;
}

const MINT_FOR_ACTIVE_GRANT: Statement = {
  name: "mint-code-for-standing-grant",
  text: `INSERT INTO oauth_codes (code_hash, grant_id, client_id, redirect_uri, code_challenge, scopes, family_id, expires_at)
    SELECT $1, g.id, g.client_id, $3, $4, $5::text[], $6, now() + interval '${CODE_SECONDS} seconds'
    FROM oauth_grants g WHERE g.slot = $2 AND g.revoked_at IS NULL AND g.scopes @> $5::text[]
      AND ($7::boolean OR EXISTS (SELECT FROM oauth_codes c WHERE c.grant_id = g.id AND c.redirect_uri = $3))
    RETURNING grant_id`,
};

/**
 * Returns true if only the registered application can receive codes at its redirect URIs. Any local program can listen
 * on a loopback port.
 */
function hasExclusiveRedirectUris({ kind }: Pick<Client, "kind">): boolean {
  return kind !== "command_line";
}

const HAS_RECEIVED: Statement = {
  name: "has-received-oauth-code",
  text: "SELECT 1 AS found FROM oauth_codes WHERE grant_id = $1 AND redirect_uri = $2 LIMIT 1",
};

/**
 * Returns true if a code may be sent to this redirect URI without consent. Another local program can impersonate a
 * native app (RFC 8252, section 8.6), so a loopback URI must have received a code of this grant recently.
 */
export async function canSkipConsent(
  db: Database,
  client: Pick<Client, "kind">,
  grantId: string,
  redirectUri: string,
): Promise<boolean> {
  return hasExclusiveRedirectUris(client) || (await db.query(HAS_RECEIVED, [grantId, redirectUri])).length > 0;
}

export interface CodeTerms {
  readonly client: Client;
  readonly accountId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly scopes: readonly string[];
}

/**
 * Mints a code under the account's active grant to the client. Returns null if there is none, if it does not cover
 * `scopes`, or if the redirect URI requires consent.
 */
export async function mintCodeForActiveGrant(db: Database, terms: CodeTerms): Promise<string | null> {
  const { code, codeHash, familyId } = createCode();
  const { client, accountId, redirectUri, codeChallenge, scopes } = terms;
  const slot = grantSlot(accountId, client.id);
  const minted = await db.query(MINT_FOR_ACTIVE_GRANT, [
    codeHash,
    slot,
    redirectUri,
    codeChallenge,
    scopes,
    familyId,
    hasExclusiveRedirectUris(client),
  ]);
  return minted.length > 0 ? code : null;
}
