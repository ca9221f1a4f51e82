/** Authentication: reads the credential from the request headers and finds its viewer. */
import { timingSafeEqual } from "node:crypto";
import type { Database } from "../platform/database/connection.ts";
import { hashToken, isWellFormedToken } from "./secret-token.ts";
import { type CookieUse, readSessionCookie } from "./session-cookie.ts";
import { InvalidTokenError, type TokenKind, type TokenRequest } from "./token-kind.ts";
import type { Viewer } from "./viewer.ts";

export interface AuthenticationDeps {
  readonly db: Database;
  /** All valid tokens of the operator. */
  readonly adminTokens: readonly string[];
  /** Every kind of secret that authenticates an account. */
  readonly tokenKinds: readonly TokenKind[];
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Returns the credential in `X-Service-Token`, `X-Satchel-Token` or `Authorization` (spec section 5). Falls back to the session
 * cookie if `cookies` allows it.
 */
export function readCredential(headers: Headers, cookies: CookieUse = "none", isHttps = false): string | null {
  const token = readTokenHeader(headers);
  // Session secrets are accepted only in the cookie, never in a header.
  if (token !== null) return token.startsWith("satchel_ss_") ? null : token;
  return readSessionCookie(headers, cookies, isHttps);
}

function readTokenHeader(headers: Headers): string | null {
  const token = headers["x-service-token"] ?? headers["x-satchel-token"];
  if (typeof token === "string" && token !== "") return token.trim();
  const authorization = headers["authorization"];
  return /^(?:Bearer|DPoP) +(\S+)$/i.exec(typeof authorization === "string" ? authorization : "")?.[1] ?? null;
}

/** Returns true if the credential was sent with the scheme of tokens that are bound to a key (RFC 9449 section 7.1). */
export function usesDpopScheme({ headers }: Pick<TokenRequest, "headers">): boolean {
  if (headers["x-service-token"] || headers["x-satchel-token"]) return false;
  return /^DPoP /i.test(String(headers["authorization"] ?? ""));
}

/**
 * Returns the viewer of the credential; null if it is unknown, expired or revoked. Reads the database each time, so
 * revocation takes effect immediately.
 * @param request the request that the credential was sent with. Without it, restricted tokens are not accepted.
 * @throws {InvalidTokenError} if the credential is not valid for the request
 */
export async function authenticate(
  deps: AuthenticationDeps,
  credential: string | null,
  request: TokenRequest | null = null,
): Promise<Viewer | null> {
  if (!credential) return null;
  const kind = deps.tokenKinds.find(({ prefix }) => isWellFormedToken(credential, prefix));
  // Only access tokens can be bound to a key.
  if (kind?.credentialKind !== "access_token" && request !== null && usesDpopScheme(request)) {
    throw new InvalidTokenError("This token is not bound to a key. Send it as Bearer.", {
      scheme: "DPoP",
      error: "invalid_token",
    });
  }
  if (kind) return await kind.find(deps.db, credential, request);
  const hash = hashToken(credential);
  // All are compared, so the time does not depend on which one matches.
  if (deps.adminTokens.map((token) => timingSafeEqual(hash, hashToken(token))).includes(true)) {
    return { kind: "operator", expiresAtMs: null };
  }
  return null;
}

/** Returns true if the credential that opened a long-lived connection is still valid. */
export async function isStillValid({ db, tokenKinds }: AuthenticationDeps, viewer: Viewer): Promise<boolean> {
  if (viewer.kind === "operator") return true;
  const kind = tokenKinds.find(({ credentialKind }) => credentialKind === viewer.credentialKind);
  return kind !== undefined && (await kind.isStillValid(db, viewer.credentialId));
}
