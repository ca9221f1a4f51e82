/** `/oauth/authorize`: the first step of the authorization code flow (spec section 4.2, RFC 6749 section 4.1.1). */
import { asSession, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import {
  type AuthorizationParameters,
  postsToOpener,
  type ValidatedParameters,
  validateParameters,
} from "./authorization-parameters.ts";
import { type AuthorizationResponse, codeResponse, errorResponse } from "./authorization-response.ts";
import { resolveClient } from "./clients/client-documents.ts";
import type { Client } from "./clients/find-client.ts";
import { mintCodeForActiveGrant } from "./codes.ts";
import type { OAuthDeps } from "./deps.ts";
import { REQUEST_SECONDS } from "./lifetimes.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { claimPushedRequest, isPushedRequestUri } from "./pushed-requests.ts";
import { isRegisteredRedirect } from "./redirect-uri.ts";

const STORE_REQUEST: Statement = {
  name: "keep-oauth-request",
  text: `INSERT INTO oauth_requests (id, client_id, redirect_uri, state, scopes, code_challenge, prompt, is_popup, posts_to_opener, login_hint, authenticate_after, expires_at, resources, dpop_jkt)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, CASE WHEN $11::boolean THEN now() END, now() + interval '${REQUEST_SECONDS} seconds', $12::text[], $13)`,
};

/**
 * Starts an authorization request and returns the browser's redirect. The target is the client with a code if an active
 * grant covers the request, the client with an error, or the consent page.
 * @throws {OAuthProtocolError} if the client or redirect URI is invalid. The caller shows it to the user and must not
 *   redirect.
 */
export async function beginAuthorization(
  deps: OAuthDeps,
  viewer: Viewer | null,
  sent: AuthorizationParameters,
): Promise<AuthorizationResponse> {
  const given = await readPushed(deps, sent);
  const { client, redirectUri } = await readClientAndRedirectUri(deps, given);
  try {
    if (client.requirePushedRequests && given === sent) {
      throw new OAuthProtocolError("invalid_request", "This application must push its requests to POST /oauth/par.");
    }
    return await authorize(deps, viewer, { client, redirectUri, parameters: validateParameters(deps, client, given) });
  } catch (error) {
    if (!(error instanceof OAuthProtocolError)) throw error;
    const state = given.repeated.includes("state") || !given.state?.isWellFormed() ? null : given.state;
    return errorResponse(deps, { redirectUri, state, postsToOpener: postsToOpener(given) }, error);
  }
}

/** Returns the pushed request that `request_uri` refers to, or else the parameters as sent. */
async function readPushed(deps: OAuthDeps, sent: AuthorizationParameters): Promise<AuthorizationParameters> {
  const { clientId, requestUri, repeated } = sent;
  if (requestUri === null || !isPushedRequestUri(requestUri)) return sent;
  if (clientId === null || repeated.includes("client_id") || repeated.includes("request_uri")) {
    throw new OAuthProtocolError("invalid_request", "client_id and request_uri must be sent once.");
  }
  return await claimPushedRequest(deps, clientId, requestUri);
}

async function readClientAndRedirectUri(deps: OAuthDeps, given: AuthorizationParameters) {
  const { clientId, redirectUri, repeated } = given;
  if (repeated.includes("client_id") || repeated.includes("redirect_uri")) {
    throw new OAuthProtocolError("invalid_request", "client_id and redirect_uri must be sent only once.");
  }
  if (clientId === null) throw new OAuthProtocolError("invalid_request", "client_id is missing.");
  const client = await resolveClient(deps, clientId);
  if (!client) throw new OAuthProtocolError("invalid_client", "No application has this client_id.");
  if (client.status !== "approved") {
    throw new OAuthProtocolError("unauthorized_client", STATUS_DESCRIPTIONS[client.status]);
  }
  if (redirectUri === null) throw new OAuthProtocolError("invalid_request", "redirect_uri is missing.");
  if (!isRegisteredRedirect(client, redirectUri)) {
    throw new OAuthProtocolError("invalid_request", "redirect_uri is not registered for this application.");
  }
  return { client, redirectUri };
}

const STATUS_DESCRIPTIONS = {
  pending_approval: "This application has not been approved yet.",
  rejected: "This application was not approved.",
  revoked: "This application was revoked.",
} as const;

interface ValidatedRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly parameters: ValidatedParameters;
}

async function authorize(
  deps: OAuthDeps,
  viewer: Viewer | null,
  { client, redirectUri, parameters }: ValidatedRequest,
): Promise<AuthorizationResponse> {
  const session = asSession(viewer);
  const { state, mustSignIn, mustConsent } = parameters;
  if (session && !mustSignIn && !mustConsent) {
    const { codeChallenge, scopes, resources, dpopJkt } = parameters;
    const accountId = session.accountId;
    const terms = { client, accountId, redirectUri, codeChallenge, scopes, resources, dpopJkt };
    const code = await mintCodeForActiveGrant(deps.db, terms);
    if (code !== null) return codeResponse(deps, { redirectUri, state, postsToOpener: parameters.postsToOpener }, code);
  }
  if (parameters.isSilent) {
    throw session
      ? new OAuthProtocolError("consent_required", "The user has not consented to this request.")
      : new OAuthProtocolError("login_required", "No user is signed in.");
  }
  const id = newId("oar");
  const prompt = [mustSignIn ? "login" : "", mustConsent ? "consent" : ""].join(" ").trim() || null;
  await deps.db.query(STORE_REQUEST, [
    id,
    client.id,
    redirectUri,
    state,
    parameters.scopes,
    parameters.codeChallenge,
    prompt,
    parameters.isPopup,
    parameters.postsToOpener,
    parameters.loginHint,
    mustSignIn,
    parameters.resources,
    parameters.dpopJkt,
  ]);
  return { redirectUrl: `${deps.site.browserUrl()}/consent?request=${id}`, isError: false, isForOpener: false };
}
