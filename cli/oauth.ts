/** The service as an authorization server, met through oauth4webapi as any other client would (spec section 4.2). */
import * as oauth from "oauth4webapi";
import { isLoopback } from "./base-url.ts";
import type { Credentials } from "./credentials.ts";
import { CliError, EXIT, signInEnded } from "./errors.ts";
import { unreachable } from "./http.ts";
import { USER_AGENT } from "./version.ts";

const CLIENT: oauth.Client = { client_id: "service_cli" };
/** A public client: PKCE stands in for a secret. */
const NO_SECRET = oauth.None();
const SCOPE = "payments:sign balance:read transactions:read";
const TIMEOUT_MS = 30_000;

export interface Service {
  readonly baseUrl: string;
  readonly server: oauth.AuthorizationServer;
}

/** @throws {CliError} when nothing answers there, or something else than a service of this address. */
export async function discover(baseUrl: string): Promise<Service> {
  const url = new URL(baseUrl);
  return await asTold(baseUrl, async () => {
    const response = await oauth.discoveryRequest(url, { ...options(baseUrl), algorithm: "oauth2" });
    const { issuer } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { issuer?: unknown };
    if (!response.ok || typeof issuer !== "string") throw new CliError(`What answers at ${baseUrl} is no Satchel.`);
    // Every answer is held against the issuer's name: with two names for one service, answers could be mixed up.
    if (issuer !== baseUrl) throw new CliError(`${baseUrl} calls itself ${issuer}. Use that: --base-url ${issuer}`);
    return { baseUrl, server: await oauth.processDiscoveryResponse(url, response) };
  });
}

export interface Authorization {
  /** Where the person's browser goes. */
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
 * Exchanges the code in the browser's answer, after `state` and `iss` were checked.
 * @throws {CliError} when the person refused, or the answer is not this service's
 */
export async function completeAuthorization(
  { server, baseUrl }: Service,
  { state, verifier, redirectUri }: Authorization,
  callback: URL,
): Promise<Omit<Credentials, "sub">> {
  return await asTold(baseUrl, async () => {
    const parameters = oauth.validateAuthResponse(server, CLIENT, callback, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      CLIENT,
      NO_SECRET,
      parameters,
      redirectUri,
      verifier,
      options(baseUrl),
    );
    return asCredentials(await oauth.processAuthorizationCodeResponse(server, CLIENT, response));
  });
}

/** @throws {CliError} when the sign-in has ended, by time or because the person disconnected the client */
export async function refresh(
  { server, baseUrl }: Service,
  { refreshToken, sub, scope }: Credentials,
): Promise<Credentials> {
  return await asTold(baseUrl, async () => {
    const response = await oauth.refreshTokenGrantRequest(server, CLIENT, NO_SECRET, refreshToken, options(baseUrl));
    const answer = await oauth.processRefreshTokenResponse(server, CLIENT, response);
    return { ...asCredentials({ scope, refresh_token: refreshToken, ...answer }), sub };
  });
}

/** Ends the sign-in at the service: the refresh token, and with it all that came from the same authorization. */
export async function revoke({ server, baseUrl }: Service, { refreshToken }: Pick<Credentials, "refreshToken">) {
  await asTold(baseUrl, async () => {
    const response = await oauth.revocationRequest(server, CLIENT, NO_SECRET, refreshToken, options(baseUrl));
    await oauth.processRevocationResponse(response);
  });
}

/** Whose sign-in it is: `sub`, the same for ever. */
export async function userInfo({ server, baseUrl }: Service, accessToken: string): Promise<oauth.UserInfoResponse> {
  return await asTold(baseUrl, async () => {
    const response = await oauth.userInfoRequest(server, CLIENT, accessToken, options(baseUrl));
    return await oauth.processUserInfoResponse(server, CLIENT, oauth.skipSubjectCheck, response);
  });
}

function options(baseUrl: string) {
  return {
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
    headers: { "user-agent": USER_AGENT },
    // `chooseBaseUrl` lets http through for this machine alone.
    [oauth.allowInsecureRequests]: isLoopback(new URL(baseUrl)),
  };
}

type TokenAnswer = Pick<oauth.TokenEndpointResponse, "access_token" | "refresh_token" | "expires_in" | "scope">;

function asCredentials({ access_token, refresh_token, expires_in, scope = SCOPE }: TokenAnswer) {
  if (refresh_token === undefined || expires_in === undefined) {
    throw new CliError("The service's answer lacks a refresh token or an expiry. Nothing was kept.");
  }
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAtMs: Date.now() + expires_in * 1_000,
    scope,
  };
}

/** Words what may go wrong between two machines; a defect of this program stays one. */
async function asTold<Result>(baseUrl: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      if (error.error === "access_denied") {
        throw new CliError("You did not allow it. Nothing was kept.", EXIT.notSignedIn, error.error);
      }
      throw new CliError(error.error_description ?? error.error, EXIT.failed, error.error);
    }
    if (error instanceof oauth.ResponseBodyError) {
      if (error.error === "invalid_grant") throw signInEnded(baseUrl);
      throw new CliError(error.error_description ?? error.error, EXIT.failed, error.error);
    }
    if (error instanceof oauth.WWWAuthenticateChallengeError) throw signInEnded(baseUrl);
    if (error instanceof oauth.OperationProcessingError) {
      throw new CliError(`${baseUrl} gave an answer that cannot be trusted: ${error.message}.`);
    }
    throw unreachable(error, baseUrl) ?? error;
  }
}
