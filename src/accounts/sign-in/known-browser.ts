/**
 * The cookie of a browser that signed in to an account before. It is no credential: it gives the browser its own rate limits for
 * codes to the account's address, which requests of others cannot exhaust. Signing out everywhere invalidates it.
 */
import { randomUUID } from "node:crypto";
import { parseCookie, stringifySetCookie } from "cookie";
import { errors, jwtVerify, SignJWT } from "jose";
import type { SigningKeys } from "../../platform/crypto/signing-keys.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { Site } from "../../platform/http/site.ts";
import { isSameOrigin } from "../session-cookie.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface KnownBrowserDeps {
  readonly db: Database;
  readonly site: Site;
  readonly signingKeys: SigningKeys;
}

const SECURE_NAME = "__Host-satchel_known";
const PLAIN_NAME = "satchel_known";
const MAX_AGE_SECONDS = 365 * 86_400;
const AUDIENCE = "known-browser";
const TYPE = "browser+jwt";
const MAX_LENGTH = 2_000;

const GENERATION_OF: Statement = {
  name: "browser-generation-of-account",
  text: "SELECT browser_generation FROM accounts WHERE id = $1::uuid",
};

const IS_KNOWN: Statement = {
  name: "is-browser-known",
  text: "SELECT 1 AS found FROM accounts WHERE id = $1::uuid AND browser_generation = $2 AND email = $3",
};

/** Returns the raw cookie of a request from this site's own pages; null if absent. */
export function readKnownBrowserCookie(headers: Headers, isHttps: boolean): string | null {
  const { cookie } = headers;
  if (typeof cookie !== "string" || !isSameOrigin(headers)) return null;
  return parseCookie(cookie)[isHttps ? SECURE_NAME : PLAIN_NAME] ?? null;
}

/** Returns the `Set-Cookie` that marks a browser as known to the account that it signed in to. */
export async function issueKnownBrowserCookie(deps: KnownBrowserDeps, accountId: string): Promise<string> {
  const { kid, privateKey } = await deps.signingKeys.current("known_browser");
  const [account] = await deps.db.query<{ browser_generation: number }>(GENERATION_OF, [accountId]);
  const jwt = await new SignJWT({ gen: account?.browser_generation ?? 0 })
    .setProtectedHeader({ alg: "ES256", kid, typ: TYPE })
    .setIssuer(deps.site.baseUrl())
    .setSubject(accountId)
    .setAudience(AUDIENCE)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${MAX_AGE_SECONDS}s`)
    .sign(privateKey);
  const { isHttps } = deps.site;
  return stringifySetCookie({
    name: isHttps ? SECURE_NAME : PLAIN_NAME,
    value: jwt,
    path: "/",
    httpOnly: true,
    secure: isHttps,
    sameSite: "lax",
    maxAge: MAX_AGE_SECONDS,
  });
}

/**
 * Returns the id of a browser that is known to the account with this address.
 * @returns null if the cookie is malformed, expired, wrongly signed, or of another account; also if it was issued before the
 *   account's sessions were ended
 */
export async function findKnownBrowser(deps: KnownBrowserDeps, jwt: string, email: string): Promise<string | null> {
  const claims = await verify(deps, jwt);
  if (!claims) return null;
  const known = await deps.db.query(IS_KNOWN, [claims.accountId, claims.generation, email]);
  return known.length > 0 ? claims.browserId : null;
}

async function verify({ site, signingKeys }: KnownBrowserDeps, jwt: string) {
  if (jwt.length > MAX_LENGTH) return null;
  const findKey = async ({ kid }: { kid?: string }) => {
    const key = kid === undefined ? null : await signingKeys.publicKey("known_browser", kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  try {
    const expected = { issuer: site.baseUrl(), audience: AUDIENCE, typ: TYPE, algorithms: ["ES256"] };
    const { payload } = await jwtVerify(jwt, findKey, { ...expected, requiredClaims: ["sub", "jti", "exp"] });
    const { sub: accountId = "", jti: browserId = "", gen: generation } = payload;
    return { accountId, browserId, generation: Number(generation) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
