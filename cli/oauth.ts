/** OAuth client of the service, built on oauth4webapi (spec section 4.2). */
import * as oauth from "oauth4webapi";
import { isLoopback } from "./base-url.ts";
import type { Credentials } from "./credentials.ts";
import { CliError, createSignInEndedError, EXIT } from "./errors.ts";
import { toConnectionError } from "./http.ts";
import { USER_AGENT } from "./version.ts";

export const CLIENT: oauth.Client = { client_id: "service_cli" };
/** A public client has no secret and uses PKCE instead. */
export const NO_SECRET = oauth.None();
export const SCOPE = "payments:sign balance:read transactions:read";
const TIMEOUT_MS = 30_000;

export interface Service {
  readonly baseUrl: string;
  readonly server: oauth.AuthorizationServer;
}

/** Reads the server's metadata. @throws {CliError} if the URL is unreachable, or its issuer is not a service at this URL. */
export async function discover(baseUrl: string): Promise<Service> {
  const url = new URL(baseUrl);
  return await convertErrors(baseUrl, async () => {
    const response = await oauth.discoveryRequest(url, { ...createRequestOptions(baseUrl), algorithm: "oauth2" });
    const { issuer } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { issuer?: unknown };
    if (!response.ok || typeof issuer !== "string") throw new CliError(`The server at ${baseUrl} is not Satchel.`);
    // The issuer must equal the base URL to prevent mix-up attacks (RFC 8414 section 3.3).
    if (issuer !== baseUrl) {
      throw new CliError(`The issuer of ${baseUrl} is ${issuer}. Use --base-url ${issuer}`);
    }
    return { baseUrl, server: await oauth.processDiscoveryResponse(url, response) };
  });
}

export interface Authorization {
  /** The authorization URL to open in the browser. */
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

export async function beginAuthorization({ server }: Service, redirectUri: string): Promise<Authorization> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    client_id: CLIENT.client_id,
    response_type: "code",
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  return { url: url.href, state, verifier, redirectUri };
}

/**
 * Verifies `state` and `iss` of the authorization response and exchanges its code.
 *
 * @throws {CliError} if the user denied access, or the response is from another issuer
 */
export async function completeAuthorization(
  { server, baseUrl }: Service,
  { state, verifier, redirectUri }: Authorization,
  callback: URL,
): Promise<Omit<Credentials, "sub">> {
  return await convertErrors(baseUrl, async () => {
    const parameters = oauth.validateAuthResponse(server, CLIENT, callback, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      CLIENT,
      NO_SECRET,
      parameters,
      redirectUri,
      verifier,
      createRequestOptions(baseUrl),
    );
    return toCredentials(await oauth.processAuthorizationCodeResponse(server, CLIENT, response));
  });
}

/** Exchanges the refresh token. @throws {CliError} if the sign-in expired or the user disconnected the client. */
export async function refreshCredentials(
  { server, baseUrl }: Service,
  { refreshToken, sub, scope }: Credentials,
): Promise<Credentials> {
  return await convertErrors(baseUrl, async () => {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      CLIENT,
      NO_SECRET,
      refreshToken,
      createRequestOptions(baseUrl),
    );
    const tokens = await oauth.processRefreshTokenResponse(server, CLIENT, response);
    return { ...toCredentials({ scope, refresh_token: refreshToken, ...tokens }), sub };
  });
}

/** Revokes the refresh token, and with it all tokens of the same authorization. */
export async function revokeTokens({ server, baseUrl }: Service, { refreshToken }: Pick<Credentials, "refreshToken">) {
  await convertErrors(baseUrl, async () => {
    const response = await oauth.revocationRequest(
      server,
      CLIENT,
      NO_SECRET,
      refreshToken,
      createRequestOptions(baseUrl),
    );
    await oauth.processRevocationResponse(response);
  });
}

/** Returns the user info of an access token; `sub` is stable. */
export async function fetchUserInfo(
  { server, baseUrl }: Service,
  accessToken: string,
): Promise<oauth.UserInfoResponse> {
  return await convertErrors(baseUrl, async () => {
    const response = await oauth.userInfoRequest(server, CLIENT, accessToken, createRequestOptions(baseUrl));
    return await oauth.processUserInfoResponse(server, CLIENT, oauth.skipSubjectCheck, response);
  });
}

export function createRequestOptions(baseUrl: string) {
  return {
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
    headers: { "user-agent": USER_AGENT },
    // `chooseBaseUrl` allows http only for loopback addresses.
    [oauth.allowInsecureRequests]: isLoopback(new URL(baseUrl)),
  };
}

type TokenResponse = Pick<oauth.TokenEndpointResponse, "access_token" | "refresh_token" | "expires_in" | "scope">;

export function toCredentials({ access_token, refresh_token, expires_in, scope = SCOPE }: TokenResponse) {
  if (refresh_token === undefined || expires_in === undefined) {
    throw new CliError("The token response has no refresh token or no expiry. No tokens were stored.");
  }
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAtMs: Date.now() + expires_in * 1_000,
    scope,
  };
}

/** Converts protocol and connection failures to CliErrors. Other errors are defects and are rethrown. */
export async function convertErrors<Result>(baseUrl: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      if (error.error === "access_denied") {
        throw new CliError("You denied access. No tokens were stored.", EXIT.notSignedIn, error.error);
      }
      throw new CliError(error.error_description ?? error.error, EXIT.failed, error.error);
    }
    if (error instanceof oauth.ResponseBodyError) {
      if (error.error === "invalid_grant") throw createSignInEndedError(baseUrl);
      throw new CliError(error.error_description ?? error.error, EXIT.failed, error.error);
    }
    if (error instanceof oauth.WWWAuthenticateChallengeError) throw createSignInEndedError(baseUrl);
    if (error instanceof oauth.OperationProcessingError) {
      throw new CliError(`The response of ${baseUrl} cannot be trusted: ${error.message}.`);
    }
    throw toConnectionError(error, baseUrl) ?? error;
  }
}
