/** `/oauth/authorize`: the first step of the code flow (spec section 4.2, RFC 6749 section 4.1.1). */
import { sessionOf, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import { type AuthorizationAnswer, codeAnswer, errorAnswer } from "./authorization-answer.ts";
import {
  type AuthorizationAsk,
  type AuthorizationParameters,
  readAuthorizationAsk,
} from "./authorization-parameters.ts";
import { type Client, findClient } from "./clients/find-client.ts";
import { mintCodeForStandingGrant } from "./codes.ts";
import type { OAuthDeps } from "./deps.ts";
import { REQUEST_SECONDS } from "./lifetimes.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { isRegisteredRedirect } from "./redirect-uri.ts";

const KEEP_REQUEST: Statement = {
  name: "keep-oauth-request",
  text: `INSERT INTO oauth_requests (id, client_id, redirect_uri, state, scopes, code_challenge, prompt, is_popup, login_hint, authenticate_after, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $10::boolean THEN now() END, now() + interval '${REQUEST_SECONDS} seconds')`,
};

/**
 * Answers where the browser goes: to the client with a code, when the person allowed it before and may be asked nothing;
 * to the client with an error; or to the consent page.
 * @throws {OAuthProtocolError} when client or redirect URI are not good: shown to the person, and sent to nobody.
 */
export async function beginAuthorization(
  deps: OAuthDeps,
  viewer: Viewer | null,
  given: AuthorizationParameters,
): Promise<AuthorizationAnswer> {
  const { client, redirectUri } = await readReceiver(deps, given);
  const isPopup = given.display === "popup";
  try {
    return await answer(deps, viewer, { client, redirectUri, ask: readAuthorizationAsk(client, given) });
  } catch (error) {
    if (!(error instanceof OAuthProtocolError)) throw error;
    const state = given.repeated.includes("state") || !given.state?.isWellFormed() ? null : given.state;
    return errorAnswer(deps, { redirectUri, state, isPopup }, error);
  }
}

async function readReceiver({ db }: OAuthDeps, given: AuthorizationParameters) {
  const { clientId, redirectUri, repeated } = given;
  if (repeated.includes("client_id") || repeated.includes("redirect_uri")) {
    throw new OAuthProtocolError("invalid_request", "client_id and redirect_uri may be given once.");
  }
  if (clientId === null) throw new OAuthProtocolError("invalid_request", "client_id is missing.");
  const client = await findClient(db, clientId);
  if (!client) throw new OAuthProtocolError("invalid_client", "There is no application with this client_id.");
  if (client.status !== "approved") {
    throw new OAuthProtocolError("unauthorized_client", NOT_USABLE[client.status]);
  }
  if (redirectUri === null) throw new OAuthProtocolError("invalid_request", "redirect_uri is missing.");
  if (!isRegisteredRedirect(client, redirectUri)) {
    throw new OAuthProtocolError("invalid_request", "redirect_uri is not one that this application registered.");
  }
  return { client, redirectUri };
}

const NOT_USABLE = {
  pending_approval: "This application has not been approved yet.",
  rejected: "This application was not approved.",
  revoked: "This application may not be used any more.",
} as const;

interface Asked {
  readonly client: Client;
  readonly redirectUri: string;
  readonly ask: AuthorizationAsk;
}

async function answer(
  deps: OAuthDeps,
  viewer: Viewer | null,
  { client, redirectUri, ask }: Asked,
): Promise<AuthorizationAnswer> {
  const session = sessionOf(viewer);
  if (session && !ask.mustSignIn && !ask.mustConsent) {
    const { codeChallenge, scopes } = ask;
    const terms = { client, accountId: session.accountId, redirectUri, codeChallenge, scopes };
    const code = await mintCodeForStandingGrant(deps.db, terms);
    if (code !== null) return codeAnswer(deps, { redirectUri, state: ask.state, isPopup: ask.isPopup }, code);
  }
  if (ask.isSilent) {
    throw session
      ? new OAuthProtocolError("consent_required", "The person has not allowed this yet.")
      : new OAuthProtocolError("login_required", "Nobody is signed in.");
  }
  const id = newId("oar");
  const prompt = [ask.mustSignIn ? "login" : "", ask.mustConsent ? "consent" : ""].join(" ").trim() || null;
  await deps.db.query(KEEP_REQUEST, [
    id,
    client.id,
    redirectUri,
    ask.state,
    ask.scopes,
    ask.codeChallenge,
    prompt,
    ask.isPopup,
    ask.loginHint,
    ask.mustSignIn,
  ]);
  return { redirectUrl: `${deps.site.browserUrl()}/consent?request=${id}`, isError: false, isForOpener: false };
}
