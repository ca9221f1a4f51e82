/** `/oauth/continue`: redirects the browser that made a decision to the application, once. */
import { asSession, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { isStorableText } from "../platform/database/text.ts";
import { type AuthorizationResponse, codeResponse, errorResponse } from "./authorization-response.ts";
import { isUsable } from "./clients/status.ts";
import { createCode } from "./codes.ts";
import type { OAuthDeps } from "./deps.ts";
import { CODE_SECONDS } from "./lifetimes.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

// The code's lifetime starts here, not at the decision. No code is minted if the grant was disconnected since.
const CLAIM_DECISION: Statement = {
  name: "take-authorization-answer",
  text: `WITH taken AS (
      UPDATE oauth_requests r SET continued_at = now() FROM oauth_clients c
      WHERE r.id = $1 AND r.session_id = $2 AND r.account_id = $3 AND r.decided_at IS NOT NULL AND r.continued_at IS NULL
        AND r.redirect_uri IS NOT NULL
        AND r.expires_at > now() AND c.id = r.client_id AND ${isUsable("c")}
      RETURNING r.client_id, r.account_id, r.redirect_uri, r.state, r.scopes, r.code_challenge, r.posts_to_opener, r.is_approved, r.resources, r.dpop_jkt
    ), minted AS (
      INSERT INTO oauth_codes (code_hash, grant_id, client_id, redirect_uri, code_challenge, scopes, family_id, expires_at, resources, dpop_jkt)
      SELECT $4, g.id, t.client_id, t.redirect_uri, t.code_challenge, t.scopes, $5, now() + interval '${CODE_SECONDS} seconds', t.resources, t.dpop_jkt
      FROM taken t JOIN oauth_grants g ON g.slot = t.account_id::text || ':' || t.client_id
      WHERE t.is_approved AND g.revoked_at IS NULL AND g.scopes @> t.scopes
      RETURNING grant_id
    )
    SELECT redirect_uri, state, posts_to_opener, EXISTS (SELECT FROM minted) AS has_code FROM taken`,
};

interface DecisionRow {
  redirect_uri: string;
  state: string;
  posts_to_opener: boolean;
  has_code: boolean;
}

/**
 * Claims the decision of this session and returns the redirect to the application.
 * @throws {OAuthProtocolError} if the session has no unclaimed decision. The caller shows it to the user and must not
 *   redirect.
 */
export async function continueAuthorization(
  deps: OAuthDeps,
  viewer: Viewer | null,
  requestId: string,
): Promise<AuthorizationResponse> {
  const session = asSession(viewer);
  const { code, codeHash, familyId } = createCode();
  const values = session && [requestId, session.credentialId, session.accountId, codeHash, familyId];
  const [decision] =
    values && isStorableText(requestId) ? await deps.db.query<DecisionRow>(CLAIM_DECISION, values) : [];
  if (!decision) {
    const text = "This request has expired, was already completed, or was decided in another browser. Start again.";
    throw new OAuthProtocolError("invalid_request", text);
  }
  const receiver = {
    redirectUri: decision.redirect_uri,
    state: decision.state,
    postsToOpener: decision.posts_to_opener,
  };
  if (decision.has_code) return codeResponse(deps, receiver, code);
  return errorResponse(deps, receiver, new OAuthProtocolError("access_denied", "The user denied the request."));
}
