/**
 * Login identity tokens (spec section 3.1): the dashboard's own, a short-lived JWT, or the access token of the
 * configured OpenID provider.
 */
import { randomUUID } from "node:crypto";
import { decodeJwt, errors, jwtVerify, SignJWT } from "jose";
import type { SigningKeys } from "../platform/crypto/signing-keys.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Site } from "../platform/http/site.ts";
import { requireSession } from "./recent-proof.ts";
import { accountIdOf, subjectOf } from "./subject.ts";
import type { Viewer } from "./viewer.ts";

/** What the tokens are for; the one service that takes them. */
const AUDIENCE = "purchase-token";
const TYPE = "login+jwt";
const LIFETIME_SECONDS = 5 * 60;
const MAX_TOKEN_LENGTH = 16_384;

export interface LoginTokenDeps {
  readonly db: Database;
  readonly site: Site;
  readonly signingKeys: SigningKeys;
  /** The OpenID provider people may sign in with. */
  readonly upstream: AccessTokenVerifier | null;
}

/** Checks access tokens of an OpenID provider. */
export interface AccessTokenVerifier {
  readonly issuer: string;
  /** The subject of a good access token that is meant for this service; null for any other. */
  verifyAccessToken(jwt: string): Promise<string | null>;
}

/** A login identity token for whoever is signed in, good for 5 minutes and no longer than the session. */
export async function createLoginToken(
  deps: LoginTokenDeps,
  viewer: Viewer | null,
): Promise<{ token: string; expiresAt: Date }> {
  const { accountId, credentialId } = requireSession(viewer);
  return await signLoginToken(deps, accountId, { lifetimeSeconds: LIFETIME_SECONDS, sessionId: credentialId });
}

/** Signs a token without asking who wants it: for the composition root, which gives the sandbox's scripts one. */
export async function signLoginToken(
  deps: LoginTokenDeps,
  accountId: string,
  { lifetimeSeconds, sessionId }: { readonly lifetimeSeconds: number; readonly sessionId?: string },
): Promise<{ token: string; expiresAt: Date }> {
  const { kid, privateKey } = await deps.signingKeys.current("login_token");
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + lifetimeSeconds;
  const baseUrl = deps.site.baseUrl();
  const token = await new SignJWT(sessionId === undefined ? {} : { sid: sessionId })
    .setProtectedHeader({ alg: "ES256", kid, typ: TYPE })
    .setIssuer(baseUrl)
    .setSubject(subjectOf(baseUrl, accountId))
    .setAudience(AUDIENCE)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { token, expiresAt: new Date(expiresAt * 1000) };
}

/**
 * Whose login identity token this is: the dashboard's own, or an access token of the OpenID provider whose account is
 * known here. Null for anything else: malformed, expired, for another audience, of another issuer, wrongly signed.
 */
export async function verifyLoginToken(deps: LoginTokenDeps, jwt: string): Promise<string | null> {
  const issuer = issuerOf(jwt);
  if (issuer === null) return null;
  if (issuer === deps.site.baseUrl()) return await verifyOwn(deps, jwt);
  const { upstream } = deps;
  if (!upstream || issuer !== upstream.issuer) return null;
  const subject = await upstream.verifyAccessToken(jwt);
  if (subject === null) return null;
  const identity = await deps.db.prisma.upstreamIdentity.findUnique({
    where: { issuer_subject: { issuer: upstream.issuer, subject } },
  });
  return identity?.accountId ?? null;
}

/** Who the token says it is from: decides only whose keys it is checked with. */
function issuerOf(jwt: string): string | null {
  if (jwt.length > MAX_TOKEN_LENGTH) return null;
  try {
    return decodeJwt(jwt).iss ?? null;
  } catch {
    return null;
  }
}

async function verifyOwn(deps: LoginTokenDeps, jwt: string): Promise<string | null> {
  const baseUrl = deps.site.baseUrl();
  const keyOf = async ({ kid }: { kid?: string }) => {
    const key = kid === undefined ? null : await deps.signingKeys.publicKey("login_token", kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  try {
    const { payload } = await jwtVerify(jwt, keyOf, {
      issuer: baseUrl,
      audience: AUDIENCE,
      algorithms: ["ES256"],
      typ: TYPE,
      requiredClaims: ["exp", "iat", "sub", "jti"],
    });
    const accountId = accountIdOf(baseUrl, payload.sub);
    return accountId !== null && (await stands(deps, accountId, payload["sid"])) ? accountId : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** Whether the account is there, and the session the token was made in has not been ended. */
async function stands({ db }: LoginTokenDeps, accountId: string, sessionId: unknown): Promise<boolean> {
  if (typeof sessionId !== "string") return (await db.prisma.account.count({ where: { id: accountId } })) === 1;
  const where = { id: sessionId, accountId, revokedAt: null, expiresAt: { gt: new Date() } };
  return (await db.prisma.session.count({ where })) === 1;
}
