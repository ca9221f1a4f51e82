/** Pushed authorization requests (RFC 9126). */
import { randomBytes } from "node:crypto";
import { hashToken } from "../accounts/secret-token.ts";
import type { Statement } from "../platform/database/connection.ts";
import { isStorableText } from "../platform/database/text.ts";
import { type AuthorizationParameters, validateParameters } from "./authorization-parameters.ts";
import { type ClientCredentials, identifyClient, invalidClientError, requiresSecret } from "./client-authentication.ts";
import { refreshDocument } from "./clients/client-documents.ts";
import type { OAuthDeps } from "./deps.ts";
import { claimEndpointProof, readEndpointProof } from "./dpop.ts";
import { PUSHED_REQUEST_SECONDS } from "./lifetimes.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { isRegisteredRedirect } from "./redirect-uri.ts";

/** RFC 9126 section 2.2. */
const PREFIX = "urn:ietf:params:oauth:request_uri:";

const STORE: Statement = {
  name: "store-pushed-request",
  text: `INSERT INTO oauth_pushed_requests (uri_hash, client_id, parameters, expires_at)
    VALUES ($1, $2, $3::jsonb, now() + interval '${PUSHED_REQUEST_SECONDS} seconds')`,
};

// Of concurrent uses one deletes the row; the others find none.
const CLAIM: Statement = {
  name: "claim-pushed-request",
  text: "DELETE FROM oauth_pushed_requests WHERE uri_hash = $1 AND client_id = $2 AND expires_at > now() RETURNING parameters",
};

export interface PushedRequest extends ClientCredentials {
  readonly parameters: AuthorizationParameters;
  /** The `DPoP` header, an alternative to `dpop_jkt` (RFC 9449 section 10.1). */
  readonly dpopProof: string | null;
}

/**
 * Authenticates the client, validates the request and stores it.
 * @throws {OAuthProtocolError} with the error that the authorization endpoint would send, or `invalid_client`
 */
export async function pushRequest(
  deps: OAuthDeps,
  { parameters: given, dpopProof, ...credentials }: PushedRequest,
): Promise<{ requestUri: string; expiresIn: number }> {
  await refreshDocument(deps, credentials.clientId);
  const { client, isAuthenticated } = await identifyClient(deps, credentials);
  if (requiresSecret(client) && !isAuthenticated) throw invalidClientError();
  if (given.requestUri !== null) {
    throw new OAuthProtocolError("invalid_request", "request_uri must not be part of a pushed request.");
  }
  if (given.redirectUri === null || !isRegisteredRedirect(client, given.redirectUri)) {
    throw new OAuthProtocolError("invalid_request", "redirect_uri is missing or not registered for this application.");
  }
  const proof = await readEndpointProof(deps, "/oauth/par", dpopProof);
  if (proof !== null && (given.dpopJkt ?? proof.thumbprint) !== proof.thumbprint) {
    throw new OAuthProtocolError("invalid_dpop_proof", "dpop_jkt is not the thumbprint of the proof's key.");
  }
  const parameters = { ...given, clientId: client.id, dpopJkt: proof?.thumbprint ?? given.dpopJkt };
  validateParameters(deps, client, parameters);
  if (!Object.values(parameters).every((value) => typeof value !== "string" || isStorableText(value))) {
    throw new OAuthProtocolError("invalid_request", "A parameter is not valid text.");
  }
  await claimEndpointProof(deps.db, proof);
  const requestUri = PREFIX + randomBytes(32).toString("base64url");
  await deps.db.query(STORE, [hashToken(requestUri), client.id, JSON.stringify(parameters)]);
  return { requestUri, expiresIn: PUSHED_REQUEST_SECONDS };
}

export function isPushedRequestUri(requestUri: string): boolean {
  return requestUri.startsWith(PREFIX);
}

/**
 * Claims the request that the client pushed, once. All other parameters of the browser's request are ignored (RFC 9126 section 4).
 * @throws {OAuthProtocolError} The caller shows it to the user and must not redirect.
 */
export async function claimPushedRequest(
  { db }: OAuthDeps,
  clientId: string,
  requestUri: string,
): Promise<AuthorizationParameters> {
  const values = [hashToken(requestUri), clientId];
  const [row] = isStorableText(clientId) ? await db.query<{ parameters: AuthorizationParameters }>(CLAIM, values) : [];
  if (!row) {
    const text = "This request_uri has expired, was already used, or belongs to another application. Start again.";
    throw new OAuthProtocolError("invalid_request_uri", text);
  }
  return row.parameters;
}
