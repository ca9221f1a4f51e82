/** `/oauth/continue`: brings a person's decision to the application, once, by the browser in which it was made. */
import { sessionOf, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { isStorableText } from "../platform/database/text.ts";
import { type AuthorizationAnswer, codeAnswer, errorAnswer } from "./authorization-answer.ts";
import { newCode } from "./codes.ts";
import type { OAuthDeps } from "./deps.ts";
import { CODE_SECONDS } from "./lifetimes.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

// The code begins to live when the browser takes it away. A grant that was disconnected in between gives none.
const TAKE: Statement = {
  name: "take-authorization-answer",
  text: `WITH taken AS (
      UPDATE oauth_requests r SET continued_at = now() FROM oauth_clients c
      WHERE r.id = $1 AND r.session_id = $2 AND r.account_id = $3 AND r.decided_at IS NOT NULL AND r.continued_at IS NULL
        AND r.expires_at > now() AND c.id = r.client_id AND c.status = 'approved'
      RETURNING r.client_id, r.account_id, r.redirect_uri, r.state, r.scopes, r.code_challenge, r.is_popup, r.is_approved
    ), minted AS (
      INSERT INTO oauth_codes (code_hash, grant_id, client_id, redirect_uri, code_challenge, scopes, family_id, expires_at)
      SELECT $4, g.id, t.client_id, t.redirect_uri, t.code_challenge, t.scopes, $5, now() + interval '${CODE_SECONDS} seconds'
      FROM taken t JOIN oauth_grants g ON g.slot = t.account_id::text || ':' || t.client_id
      WHERE t.is_approved AND g.revoked_at IS NULL AND g.scopes @> t.scopes
      RETURNING grant_id
    )
    SELECT redirect_uri, state, is_popup, EXISTS (SELECT FROM minted) AS has_code FROM taken`,
};

interface Taken {
  redirect_uri: string;
  state: string;
  is_popup: boolean;
  has_code: boolean;
}

/** @throws {OAuthProtocolError} when this browser has no decision to take away; for the person, not for the application. */
export async function continueAuthorization(
  deps: OAuthDeps,
  viewer: Viewer | null,
  requestId: string,
): Promise<AuthorizationAnswer> {
  const session = sessionOf(viewer);
  const { code, codeHash, familyId } = newCode();
  const [taken] =
    session && isStorableText(requestId)
      ? await deps.db.query<Taken>(TAKE, [requestId, session.credentialId, session.accountId, codeHash, familyId])
      : [];
  if (!taken) {
    const text = "This request has expired, or was answered already, or was decided in another browser.";
    throw new OAuthProtocolError("invalid_request", text);
  }
  const receiver = { redirectUri: taken.redirect_uri, state: taken.state, isPopup: taken.is_popup };
  if (taken.has_code) return codeAnswer(deps, receiver, code);
  return errorAnswer(deps, receiver, new OAuthProtocolError("access_denied", "The person did not allow this."));
}
