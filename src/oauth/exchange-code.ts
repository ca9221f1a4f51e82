/** `grant_type=authorization_code` (spec section 4.2, RFC 6749 section 4.1.3). */
import { hashToken } from "../accounts/secret-token.ts";
import type { Statement } from "../platform/database/connection.ts";
import { type AuthenticatedClient, mustProveSecret, refused } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { fitsChallenge, isCodeVerifier } from "./pkce.ts";
import { revokeFamily } from "./revoke-family.ts";
import { insertPair, newTokenPair, type TokenResponse } from "./token-pair.ts";

export interface CodeExchange {
  readonly code: string | null;
  readonly redirectUri: string | null;
  readonly codeVerifier: string | null;
}

const FIND: Statement = {
  name: "find-oauth-code",
  text: `SELECT client_id, redirect_uri, code_challenge, scopes, family_id, consumed_at,
      (SELECT account_id FROM oauth_grants WHERE id = grant_id) AS account_id
    FROM oauth_codes WHERE code_hash = $1`,
};

// Of any number of exchanges at once one finds the code unused; the others wait for it to commit, and find it used.
const CLAIM: Statement = {
  name: "claim-oauth-code",
  text: `WITH claimed AS (
      UPDATE oauth_codes SET consumed_at = now() WHERE code_hash = $1 AND consumed_at IS NULL AND expires_at > now()
      RETURNING grant_id, client_id, family_id
    ) ${insertPair("claimed", 2)}`,
};

const BURN: Statement = {
  name: "burn-oauth-code",
  text: "UPDATE oauth_codes SET consumed_at = now() WHERE code_hash = $1 AND consumed_at IS NULL RETURNING family_id",
};

interface CodeRow {
  client_id: string;
  redirect_uri: string;
  code_challenge: string | null;
  scopes: string[];
  family_id: string;
  consumed_at: Date | null;
  account_id: string;
}

/**
 * Exchanges a code for tokens, once. A code that comes a second time revokes what it gave; one that comes with a wrong
 * verifier or redirect URI is used up.
 * @throws {OAuthProtocolError}
 */
export async function exchangeCode(
  { db, onCredentialCreated }: OAuthDeps,
  { client, isProven }: AuthenticatedClient,
  exchange: CodeExchange,
): Promise<TokenResponse> {
  if (mustProveSecret(client) && !isProven) throw refused();
  const { code, redirectUri, codeVerifier } = checkExchange(exchange);
  const codeHash = hashToken(code);
  const [row] = await db.query<CodeRow>(FIND, [codeHash]);
  // Another client's code stays as it is: whoever holds it by mistake or theft neither uses nor spoils it.
  if (row?.client_id !== client.id) throw invalid("The code is not valid, or not this client's.");
  const isUnused = row.consumed_at === null;
  if (isUnused && !fits(row, redirectUri, codeVerifier)) {
    const burnt = await db.query(BURN, [codeHash]);
    if (burnt.length > 0) throw invalid("redirect_uri or code_verifier do not fit the code, which is used up by this.");
  } else if (isUnused) {
    const { answer, values } = newTokenPair(client, { access: row.scopes, refresh: row.scopes });
    const claimed = await db.query(CLAIM, [codeHash, ...values]);
    if (claimed.length > 0) {
      onCredentialCreated(row.account_id);
      return answer;
    }
  }
  // Used before, by another exchange meanwhile, or too late.
  await revokeFamily(db, row.family_id);
  throw invalid("The code has expired or was used already.");
}

/** @throws {OAuthProtocolError} when a parameter is missing or malformed */
function checkExchange({ code, redirectUri, codeVerifier }: CodeExchange) {
  if (code === null) throw new OAuthProtocolError("invalid_request", "code is missing.");
  if (redirectUri === null) throw new OAuthProtocolError("invalid_request", "redirect_uri is missing.");
  if (codeVerifier !== null && !isCodeVerifier(codeVerifier)) {
    throw new OAuthProtocolError("invalid_request", "code_verifier must be 43 to 128 unreserved characters.");
  }
  return { code, redirectUri, codeVerifier };
}

/** A challenge needs its verifier, and a verifier its challenge (RFC 9700 section 2.1.1: no downgrade). */
function fits(row: CodeRow, redirectUri: string, codeVerifier: string | null): boolean {
  if (row.redirect_uri !== redirectUri) return false;
  if (row.code_challenge === null || codeVerifier === null) return row.code_challenge === codeVerifier;
  return fitsChallenge(codeVerifier, row.code_challenge);
}

function invalid(description: string): OAuthProtocolError {
  return new OAuthProtocolError("invalid_grant", description);
}
