/** `grant_type=urn:ietf:params:oauth:grant-type:device_code`: the polls of a device (RFC 8628 section 3.4). */
import { type FrozenBy, frozenByOf, isHeldOpen } from "../../accounts/freeze/freeze-state.ts";
import { hashToken } from "../../accounts/secret-token.ts";
import type { Proof } from "../../platform/crypto/dpop-proof.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { newId } from "../../platform/ids.ts";
import { type AuthenticatedClient, invalidClientError, requiresSecret } from "../client-authentication.ts";
import type { OAuthDeps } from "../deps.ts";
import { claimEndpointProof } from "../dpop.ts";
import { frozenGrantError } from "../frozen-grant.ts";
import { OAuthProtocolError } from "../oauth-protocol-error.ts";
import { narrowResources, readResources } from "../resources.ts";
import { createTokenPair, insertPair, type TokenResponse } from "../token-pair.ts";

export interface DeviceCodeExchange {
  readonly deviceCode: string | null;
  readonly resource: string | null;
}

/** Seconds that a poll may come early, because networks delay some more than others. */
const EARLY_SECONDS = 1;

const IS_OPEN = "device_code_hash = $1 AND client_id = $2 AND continued_at IS NULL AND expires_at > now()";

// A poll is either counted or slows the device down: of concurrent polls one is counted.
const POLL: Statement = {
  name: "poll-device-code",
  text: `WITH counted AS (
      UPDATE oauth_requests SET last_polled_at = now() WHERE ${IS_OPEN} AND (last_polled_at IS NULL
        OR last_polled_at <= now() - make_interval(secs => poll_interval_seconds - ${EARLY_SECONDS})) RETURNING id
    ), slowed AS (
      UPDATE oauth_requests SET poll_interval_seconds = poll_interval_seconds + 5
      WHERE ${IS_OPEN} AND NOT EXISTS (SELECT FROM counted)
    )
    SELECT r.id, r.scopes, r.resources, r.account_id, r.is_approved, r.continued_at IS NOT NULL AS is_used,
      r.expires_at <= now() AS is_expired, EXISTS (SELECT FROM counted) AS is_counted,
      CASE WHEN a.id IS NOT NULL THEN ${frozenByOf("a")} END AS frozen_by
    FROM oauth_requests r LEFT JOIN accounts a ON a.id = r.account_id WHERE r.device_code_hash = $1 AND r.client_id = $2`,
};

// No tokens are issued if the grant was disconnected since the approval.
const CLAIM: Statement = {
  name: "claim-device-code",
  text: `WITH claimed AS (
      UPDATE oauth_requests r SET continued_at = now() FROM oauth_grants g
      WHERE r.id = $1 AND r.is_approved AND r.continued_at IS NULL AND r.expires_at > now() AND ${isHeldOpen("r.account_id")}
        AND g.slot = r.account_id::text || ':' || r.client_id AND g.revoked_at IS NULL AND g.scopes @> r.scopes
      RETURNING g.id AS grant_id, r.client_id, $2::text AS family_id
    ) ${insertPair("claimed", 3)}`,
};

const FIND_FREEZE: Statement = {
  name: "find-freeze-of-device-request",
  text: `SELECT ${frozenByOf("a")} AS frozen_by FROM oauth_requests r JOIN accounts a ON a.id = r.account_id WHERE r.id = $1`,
};

interface PollRow {
  id: string;
  scopes: string[];
  resources: string[];
  account_id: string | null;
  /** Null until the decision. */
  is_approved: boolean | null;
  is_used: boolean;
  is_expired: boolean;
  is_counted: boolean;
  frozen_by: FrozenBy | null;
}

/**
 * Exchanges an approved device code for tokens, once.
 * @param proof the verified proof of a key that the tokens are bound to; null for bearer tokens
 * @throws {OAuthProtocolError} `authorization_pending`, `slow_down`, `access_denied` or `expired_token` (RFC 8628
 *   section 3.5), or an error of the token endpoint; `temporarily_unavailable` while the account is frozen
 */
export async function exchangeDeviceCode(
  { db, site, onCredentialCreated }: OAuthDeps,
  { client, isAuthenticated }: AuthenticatedClient,
  { deviceCode, resource }: DeviceCodeExchange,
  proof: Proof | null,
): Promise<TokenResponse> {
  if (requiresSecret(client) && !isAuthenticated) throw invalidClientError();
  if (deviceCode === null) throw new OAuthProtocolError("invalid_request", "device_code is missing.");
  const [row] = await db.query<PollRow>(POLL, [hashToken(deviceCode), client.id]);
  const problem = findProblem(row);
  if (!row || problem) throw problem ?? invalidGrantError();
  const access = narrowResources(row.resources, readResources(site, resource));
  await claimEndpointProof(db, proof);
  const { response, values } = createTokenPair(
    client,
    { access: row.scopes, refresh: row.scopes },
    { resources: { access, refresh: row.resources }, dpopJkt: proof?.thumbprint ?? null },
  );
  const claimed = await db.query(CLAIM, [row.id, newId("fam"), ...values]);
  if (claimed.length > 0) {
    onCredentialCreated(row.account_id ?? "");
    return response;
  }
  // The code of an account that was frozen meanwhile remains unused.
  const [freeze] = await db.query<Pick<PollRow, "frozen_by">>(FIND_FREEZE, [row.id]);
  throw freeze?.frozen_by ? frozenGrantError(freeze.frozen_by) : invalidGrantError();
}

/** Returns the error of a poll that receives no tokens; null if the request is approved. */
function findProblem(row: PollRow | undefined): OAuthProtocolError | null {
  if (!row || row.is_used) return invalidGrantError();
  if (row.is_expired) return new OAuthProtocolError("expired_token", "The device code has expired. Start again.");
  if (!row.is_counted) {
    const text = "The device polls too often. Its interval is now 5 seconds longer.";
    return new OAuthProtocolError("slow_down", text);
  }
  if (row.is_approved === null) {
    return new OAuthProtocolError("authorization_pending", "The user has not decided yet. Poll again.");
  }
  if (!row.is_approved) return new OAuthProtocolError("access_denied", "The user denied the request.");
  return row.frozen_by === null ? null : frozenGrantError(row.frozen_by);
}

function invalidGrantError(): OAuthProtocolError {
  const text = "The device code is invalid, was already used, or was issued to another client.";
  return new OAuthProtocolError("invalid_grant", text);
}
