/** Client of the OpenID provider for sign-in (OpenID Connect Core, section 3.1), by oauth4webapi. */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import * as oauth from "oauth4webapi";
import { cachePromise } from "../../platform/concurrency/memoize.ts";
import type { AccessTokenVerifier } from "../login-token.ts";

export interface UpstreamSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  /** The provider's name on the sign-in button. */
  readonly name: string;
  /** The required audience of access tokens; null if access tokens are not accepted. */
  readonly audience: string | null;
}

/** The values that bind an authorization request to its callback. */
export interface PendingAuthorization {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The user that the provider authenticated. */
export interface UpstreamUser {
  readonly subject: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly name: string | null;
  /** When the user authenticated at the provider (`auth_time`); undefined if the provider does not report it. */
  readonly provedAt: Date | undefined;
}

export interface UpstreamProvider extends AccessTokenVerifier {
  readonly name: string;
  /** Reads the discovery document. Rejects if the provider is unreachable or has another issuer. */
  check(): Promise<void>;
  /** Returns the URL of the authorization request. `forceLogin` requests a new authentication at the provider. */
  authorizationUrl(pending: PendingAuthorization, redirectUri: string, forceLogin: boolean): Promise<string>;
  /**
   * Validates the callback, exchanges the code and returns the user.
   * @throws if a response is invalid, or the provider does not respond within 10 seconds
   */
  fetchUser(callback: URL, pending: PendingAuthorization, redirectUri: string): Promise<UpstreamUser>;
}

const TIMEOUT_MS = 10_000;
const METADATA_TTL_MS = 3_600_000;
const CLOCK_TOLERANCE_SECONDS = 30;
const RECENT_SECONDS = 600;
/** Only asymmetric algorithms: with a shared secret, any verifier of a token could also forge it. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Creates the client. It sends no request to the provider before the first sign-in. */
export function createUpstreamProvider(settings: UpstreamSettings): UpstreamProvider {
  const issuer = new URL(settings.issuer);
  // The configuration accepts plain http only outside production.
  const options = { [oauth.allowInsecureRequests]: issuer.protocol === "http:" };
  const requestOptions = () => ({ ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const client: oauth.Client = { client_id: settings.clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const metadata = new LRUCache<"server", Promise<oauth.AuthorizationServer>>({ max: 1, ttl: METADATA_TTL_MS });
  let keys: { readonly uri: string; readonly find: JWTVerifyGetKey } | null = null;

  const readServer = async (): Promise<oauth.AuthorizationServer> =>
    oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, requestOptions()));
  const discover = () => metadata.get("server") ?? cachePromise(metadata, "server", readServer());

  const keysOf = (server: oauth.AuthorizationServer): JWTVerifyGetKey => {
    const uri = server.jwks_uri ?? "";
    if (keys?.uri !== uri) keys = { uri, find: createRemoteJWKSet(new URL(uri), { timeoutDuration: TIMEOUT_MS }) };
    return keys.find;
  };

  return {
    issuer: settings.issuer,
    name: settings.name,

    async check() {
      await readServer();
    },

    async authorizationUrl(pending, redirectUri, forceLogin) {
      const server = await discover();
      if (!server.authorization_endpoint) throw new Error("The OpenID provider has no authorization endpoint.");
      const url = new URL(server.authorization_endpoint);
      const parameters = {
        client_id: settings.clientId,
        response_type: "code",
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: "S256",
        ...(forceLogin ? { prompt: "login", max_age: String(RECENT_SECONDS) } : {}),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },

    async fetchUser(callback, pending, redirectUri) {
      const server = await discover();
      const callbackParameters = oauth.validateAuthResponse(server, client, callback, pending.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        clientAuthentication(settings, server),
        callbackParameters,
        redirectUri,
        pending.codeVerifier,
        requestOptions(),
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: pending.nonce,
        requireIdToken: true,
      });
      // OpenID Connect Core, section 3.1.3.7 accepts TLS instead of the signature. This client requires both.
      await oauth.validateApplicationLevelSignature(server, response, requestOptions());
      const claims = oauth.getValidatedIdTokenClaims(tokens);
      if (!claims) throw new Error("The OpenID provider's token response has no ID token.");
      const { sub: subject, auth_time: authTime } = claims;
      const userInfo: UserClaims = await fetchUserInfo(server, tokens.access_token, subject);
      const name = userInfo.name ?? claims["name"];
      return {
        subject,
        email: findVerifiedEmail(userInfo, claims as UserClaims),
        name: typeof name === "string" ? name : null,
        provedAt: authTime === undefined ? undefined : new Date(authTime * 1000),
      };
    },

    async verifyAccessToken(jwt) {
      if (settings.audience === null) return null;
      const server = await discover();
      try {
        const { payload } = await jwtVerify(jwt, keysOf(server), {
          issuer: settings.issuer,
          audience: settings.audience,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          requiredClaims: ["exp", "sub"],
        });
        return payload.sub ?? null;
      } catch (error) {
        if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return null;
        throw error;
      }
    },
  };

  /** Fetches the userinfo claims. Most providers return the email address there, not in the ID token. */
  async function fetchUserInfo(
    server: oauth.AuthorizationServer,
    accessToken: string,
    subject: string,
  ): Promise<UserClaims> {
    if (!server.userinfo_endpoint) return {};
    const response = await oauth.userInfoRequest(server, client, accessToken, requestOptions());
    return await oauth.processUserInfoResponse(server, client, subject, response);
  }
}

/** Claims about a user (OpenID Connect Core, section 5.1). Their types are not validated. */
interface UserClaims {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
}

/**
 * Returns the first email address in the sources; null unless a source with the same address has `email_verified:
 * true`.
 */
function findVerifiedEmail(...sources: readonly UserClaims[]): string | null {
  const email = sources.find((claims) => claims.email !== undefined)?.email;
  const isVerified = sources.find(
    (claims) => claims.email === email && claims.email_verified !== undefined,
  )?.email_verified;
  return typeof email === "string" && isVerified === true ? email : null;
}

function clientAuthentication({ clientSecret }: UpstreamSettings, server: oauth.AuthorizationServer): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}
