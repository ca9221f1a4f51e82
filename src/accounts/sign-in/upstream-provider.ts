/** An OpenID provider through which people may sign in (OpenID Connect Core, section 3.1), by oauth4webapi. */
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
  /** What the provider is called on the button. */
  readonly name: string;
  /** The audience of access tokens that are meant for this service; null takes none. */
  readonly audience: string | null;
}

/** What a journey to the provider must bring back. */
export interface PendingAuthorization {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface UpstreamPerson {
  readonly subject: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly name: string | null;
  /** When they last proved who they are there, where the provider says so. */
  readonly provedAt: Date | undefined;
}

export interface UpstreamProvider extends AccessTokenVerifier {
  readonly name: string;
  /** Where a browser goes to sign in. With `proveAnew` the provider is asked not to take an earlier proof for this one. */
  authorizationUrl(journey: PendingAuthorization, redirectUri: string, proveAnew: boolean): Promise<string>;
  /** Who came back. @throws when anything about the answer is wrong, or the provider does not answer in time */
  personOf(callback: URL, journey: PendingAuthorization, redirectUri: string): Promise<UpstreamPerson>;
}

const TIMEOUT_MS = 10_000;
const METADATA_TTL_MS = 3_600_000;
const CLOCK_TOLERANCE_SECONDS = 30;
const RECENT_SECONDS = 600;
/** Asymmetric ones only: with a shared secret, whoever checks a token could have made it. */
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

/** Nothing is asked of the provider before somebody signs in. */
export function createUpstreamProvider(settings: UpstreamSettings): UpstreamProvider {
  const issuer = new URL(settings.issuer);
  // Configuration allows plain http outside production only.
  const options = { [oauth.allowInsecureRequests]: issuer.protocol === "http:" };
  const timed = () => ({ ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const client: oauth.Client = { client_id: settings.clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const metadata = new LRUCache<"server", Promise<oauth.AuthorizationServer>>({ max: 1, ttl: METADATA_TTL_MS });
  let keys: { readonly uri: string; readonly find: JWTVerifyGetKey } | null = null;

  const discover = (): Promise<oauth.AuthorizationServer> => {
    const read = async () => oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, timed()));
    return metadata.get("server") ?? cachePromise(metadata, "server", read());
  };

  const keysOf = (server: oauth.AuthorizationServer): JWTVerifyGetKey => {
    const uri = server.jwks_uri ?? "";
    if (keys?.uri !== uri) keys = { uri, find: createRemoteJWKSet(new URL(uri), { timeoutDuration: TIMEOUT_MS }) };
    return keys.find;
  };

  return {
    issuer: settings.issuer,
    name: settings.name,

    async authorizationUrl(journey, redirectUri, proveAnew) {
      const server = await discover();
      if (!server.authorization_endpoint) throw new Error("The OpenID provider names no authorization endpoint.");
      const url = new URL(server.authorization_endpoint);
      const parameters = {
        client_id: settings.clientId,
        response_type: "code",
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state: journey.state,
        nonce: journey.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(journey.codeVerifier),
        code_challenge_method: "S256",
        ...(proveAnew ? { prompt: "login", max_age: String(RECENT_SECONDS) } : {}),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },

    async personOf(callback, journey, redirectUri) {
      const server = await discover();
      const answer = oauth.validateAuthResponse(server, client, callback, journey.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        clientAuthentication(settings, server),
        answer,
        redirectUri,
        journey.codeVerifier,
        timed(),
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: journey.nonce,
        requireIdToken: true,
      });
      // OpenID Connect lets TLS stand for the signature here; both are better.
      await oauth.validateApplicationLevelSignature(server, response, timed());
      const claims = oauth.getValidatedIdTokenClaims(tokens);
      if (!claims) throw new Error("The OpenID provider sent no identity token.");
      const { sub: subject, auth_time: authTime } = claims;
      const told: Told = await userInfo(server, tokens.access_token, subject);
      const name = told.name ?? claims["name"];
      return {
        subject,
        email: verifiedEmail(told, claims as Told),
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

  /** Most providers put the address into their userinfo, not into the identity token. */
  async function userInfo(server: oauth.AuthorizationServer, accessToken: string, subject: string): Promise<Told> {
    if (!server.userinfo_endpoint) return {};
    const response = await oauth.userInfoRequest(server, client, accessToken, timed());
    return await oauth.processUserInfoResponse(server, client, subject, response);
  }
}

/** What a provider says of a person. Nothing of it is known to be of the right type. */
interface Told {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
}

/** The first address of a person's that is told. That it is verified counts only where it is said of this very address. */
function verifiedEmail(...sources: readonly Told[]): string | null {
  const email = sources.find((told) => told.email !== undefined)?.email;
  const isVerified = sources.find((told) => told.email === email && told.email_verified !== undefined)?.email_verified;
  return typeof email === "string" && isVerified === true ? email : null;
}

function clientAuthentication({ clientSecret }: UpstreamSettings, server: oauth.AuthorizationServer): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}
