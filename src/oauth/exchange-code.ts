/** `grant_type=authorization_code` (spec section 4.2, RFC 6749 section 4.1.3). */
import { type FrozenBy, frozenByOf, isHeldOpen } from "../accounts/freeze/freeze-state.ts";
import { hashToken } from "../accounts/secret-token.ts";
import type { Proof } from "../platform/crypto/dpop-proof.ts";
import type { Statement } from "../platform/database/connection.ts";
import { type AuthenticatedClient, invalidClientError, requiresSecret } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { claimEndpointProof } from "./dpop.ts";
import { frozenGrantError } from "./frozen-grant.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { isCodeVerifier, matchesChallenge } from "./pkce.ts";
import { isRegisteredRedirect } from "./redirect-uri.ts";
import { narrowResources, readResources } from "./resources.ts";
import { revokeFamily } from "./revoke-family.ts";
import { createTokenPair, insertPair, type TokenResponse } from "./token-pair.ts";

export interface CodeExchange {
  readonly code: string | null;
  readonly redirectUri: string | null;
  readonly codeVerifier: string | null;
  readonly resource: string | null;
}

const FIND: Statement = {
  name: "find-oauth-code",
  text: `SELECT c.client_id, c.redirect_uri, c.code_challenge, c.scopes, c.resources, c.dpop_jkt, c.family_id, c.consumed_at, g.account_id,
      ${frozenByOf("a")} AS frozen_by
    FROM oauth_codes c JOIN oauth_grants g ON g.id = c.grant_id JOIN accounts a ON a.id = g.account_id WHERE c.code_hash = $1`,
};

// Of concurrent exchanges one finds the code unused. The others wait for its commit and then find the code used.
const CLAIM: Statement = {
  name: "claim-oauth-code",
  text: `WITH claimed AS (
      UPDATE oauth_codes SET consumed_at = now() WHERE code_hash = $1 AND consumed_at IS NULL AND expires_at > now()
        AND ${isHeldOpen("(SELECT account_id FROM oauth_grants WHERE id = grant_id)")}
      RETURNING grant_id, client_id, family_id
    ) ${insertPair("claimed", 2)}`,
};

const INVALIDATE: Statement = {
  name: "burn-oauth-code",
  text: "UPDATE oauth_codes SET consumed_at = now() WHERE code_hash = $1 AND consumed_at IS NULL RETURNING family_id",
};

interface CodeRow {
  client_id: string;
  redirect_uri: string;
  code_challenge: string | null;
  scopes: string[];
  resources: string[];
  dpop_jkt: string | null;
  family_id: string;
  consumed_at: Date | null;
  account_id: string;
  frozen_by: FrozenBy | null;
}

/**
 * Exchanges a code for tokens, once. A second exchange revokes the tokens of the first (RFC 6749 section 4.1.2). A
 * wrong verifier or redirect URI invalidates the code.
 * @param proof the verified proof of a key that the tokens are bound to; null for bearer tokens
 * @throws {OAuthProtocolError} `invalid_client`, `invalid_request`, `invalid_grant` or `invalid_target`; `temporarily_unavailable` while the
 *   account is frozen
 */
export async function exchangeCode(
  { db, site, onCredentialCreated }: OAuthDeps,
  { client, isAuthenticated }: AuthenticatedClient,
  exchange: CodeExchange,
  proof: Proof | null,
): Promise<TokenResponse> {
  if (requiresSecret(client) && !isAuthenticated) throw invalidClientError();
  const { code, redirectUri, codeVerifier } = checkExchange(exchange);
  const codeHash = hashToken(code);
  const [row] = await db.query<CodeRow>(FIND, [codeHash]);
  // Another client's code remains valid: a client that holds it by mistake or theft can neither use nor invalidate it.
  if (row?.client_id !== client.id) throw invalidGrantError("The code is invalid or was issued to another client.");
  if (row.frozen_by !== null) throw frozenGrantError(row.frozen_by);
  const isUnused = row.consumed_at === null;
  const isKeyRight = row.dpop_jkt === null || row.dpop_jkt === proof?.thumbprint;
  // The client may have removed the redirect URI since it received the code.
  const isRegistered = isRegisteredRedirect(client, row.redirect_uri);
  if (isUnused && !(isKeyRight && isRegistered && matchesCode(row, redirectUri, codeVerifier))) {
    const invalidated = await db.query(INVALIDATE, [codeHash]);
    if (invalidated.length > 0) {
      throw invalidGrantError(
        "redirect_uri, code_verifier or DPoP key does not match the code. The code was invalidated.",
      );
    }
  } else if (isUnused) {
    const access = narrowResources(row.resources, readResources(site, exchange.resource));
    await claimEndpointProof(db, proof);
    const { response, values } = createTokenPair(
      client,
      { access: row.scopes, refresh: row.scopes },
      { resources: { access, refresh: row.resources }, dpopJkt: proof?.thumbprint ?? null },
    );
    const claimed = await db.query(CLAIM, [codeHash, ...values]);
    if (claimed.length > 0) {
      onCredentialCreated(row.account_id);
      return response;
    }
  }
  // The code of an account that was frozen meanwhile remains unused.
  const [unchanged] = await db.query<CodeRow>(FIND, [codeHash]);
  if (unchanged?.frozen_by) throw frozenGrantError(unchanged.frozen_by);
  // The code has expired or was already used, possibly by a concurrent exchange.
  await revokeFamily(db, row.family_id);
  throw invalidGrantError("The code has expired or was already used.");
}

/** @throws {OAuthProtocolError} if a parameter is missing or malformed */
function checkExchange({ code, redirectUri, codeVerifier }: CodeExchange) {
  if (code === null) throw new OAuthProtocolError("invalid_request", "code is missing.");
  if (redirectUri === null) throw new OAuthProtocolError("invalid_request", "redirect_uri is missing.");
  if (codeVerifier !== null && !isCodeVerifier(codeVerifier)) {
    throw new OAuthProtocolError("invalid_request", "code_verifier must be 43 to 128 unreserved characters.");
  }
  return { code, redirectUri, codeVerifier };
}

/**
 * Returns true if redirect URI and verifier match the code. A challenge requires a verifier and a verifier requires a
 * challenge, which prevents PKCE downgrades (RFC 9700 section 2.1.1).
 */
function matchesCode(row: CodeRow, redirectUri: string, codeVerifier: string | null): boolean {
  if (row.redirect_uri !== redirectUri) return false;
  if (row.code_challenge === null || codeVerifier === null) return row.code_challenge === codeVerifier;
  return matchesChallenge(codeVerifier, row.code_challenge);
}

function invalidGrantError(description: string): OAuthProtocolError {
  return new OAuthProtocolError("invalid_grant", description);
}
