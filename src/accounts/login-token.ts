/**
 * Login identity tokens (spec section 3.1): a short-lived JWT issued by Satchel, or an access token of the configured
 * OpenID provider.
 */
import { randomUUID } from "node:crypto";
import { decodeJwt, errors, jwtVerify, SignJWT } from "jose";
import type { SigningKeys } from "../platform/crypto/signing-keys.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Site } from "../platform/http/site.ts";
import { requireSession } from "./recent-proof.ts";
import { formatSubject, parseSubject } from "./subject.ts";
import type { Viewer } from "./viewer.ts";

/** The `aud` claim. Only the purchase token endpoint accepts these tokens. */
const AUDIENCE = "purchase-token";
const TYPE = "login+jwt";
const LIFETIME_SECONDS = 5 * 60;
const MAX_TOKEN_LENGTH = 16_384;

export interface LoginTokenDeps {
  readonly db: Database;
  readonly site: Site;
  readonly signingKeys: SigningKeys;
  /** The OpenID provider for sign-in; null if none is configured. */
  readonly upstream: AccessTokenVerifier | null;
}

/** Verifies access tokens of an OpenID provider. */
export interface AccessTokenVerifier {
  readonly issuer: string;
  /** Returns the subject of a valid access token with this service as its audience; null for any other token. */
  verifyAccessToken(jwt: string): Promise<string | null>;
}

/**
 * Creates a login identity token for the signed-in viewer. It is valid for 5 minutes, but not after the session ends.
 */
export async function createLoginToken(
  deps: LoginTokenDeps,
  viewer: Viewer | null,
): Promise<{ token: string; expiresAt: Date }> {
  const { accountId, credentialId } = requireSession(viewer);
  return await signLoginToken(deps, accountId, { lifetimeSeconds: LIFETIME_SECONDS, sessionId: credentialId });
}

/**
 * Signs a token without authorization checks. Only for the composition root, which issues one for the sandbox's
 * scripts.
 */
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
    .setSubject(formatSubject(baseUrl, accountId))
    .setAudience(AUDIENCE)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { token, expiresAt: new Date(expiresAt * 1000) };
}

/**
 * Verifies a login identity token and returns its account id. Accepts Satchel's own tokens and access tokens of the
 * OpenID provider whose subject has an account. Returns null if the token is malformed, expired, wrongly signed, or has
 * another audience or issuer.
 */
export async function verifyLoginToken(deps: LoginTokenDeps, jwt: string): Promise<string | null> {
  const issuer = readIssuer(jwt);
  if (issuer === null) return null;
  if (issuer === deps.site.baseUrl()) return await verifyOwnToken(deps, jwt);
  const { upstream } = deps;
  if (!upstream || issuer !== upstream.issuer) return null;
  const subject = await upstream.verifyAccessToken(jwt);
  if (subject === null) return null;
  const identity = await deps.db.prisma.upstreamIdentity.findUnique({
    where: { issuer_subject: { issuer: upstream.issuer, subject } },
  });
  return identity?.accountId ?? null;
}

/** Reads the unverified `iss` claim. It only selects the keys for verification. */
function readIssuer(jwt: string): string | null {
  if (jwt.length > MAX_TOKEN_LENGTH) return null;
  try {
    return decodeJwt(jwt).iss ?? null;
  } catch {
    return null;
  }
}

async function verifyOwnToken(deps: LoginTokenDeps, jwt: string): Promise<string | null> {
  const baseUrl = deps.site.baseUrl();
  const findKey = async ({ kid }: { kid?: string }) => {
    const key = kid === undefined ? null : await deps.signingKeys.publicKey("login_token", kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  try {
    const { payload } = await jwtVerify(jwt, findKey, {
      issuer: baseUrl,
      audience: AUDIENCE,
      algorithms: ["ES256"],
      typ: TYPE,
      requiredClaims: ["exp", "iat", "sub", "jti"],
    });
    const accountId = parseSubject(baseUrl, payload.sub);
    return accountId !== null && (await isActive(deps, accountId, payload["sid"])) ? accountId : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** Returns true if the account exists and the session that created the token is still active. */
async function isActive({ db }: LoginTokenDeps, accountId: string, sessionId: unknown): Promise<boolean> {
  if (typeof sessionId !== "string") return (await db.prisma.account.count({ where: { id: accountId } })) === 1;
  const where = { id: sessionId, accountId, revokedAt: null, expiresAt: { gt: new Date() } };
  return (await db.prisma.session.count({ where })) === 1;
}
