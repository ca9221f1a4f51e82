/** Authentication: reads the credential from the request headers and finds its viewer. */
import { timingSafeEqual } from "node:crypto";
import type { Database } from "../platform/database/connection.ts";
import { hashToken, isWellFormedToken } from "./secret-token.ts";
import { type CookieUse, readSessionCookie } from "./session-cookie.ts";
import type { TokenKind } from "./token-kind.ts";
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
 * Returns the credential in `X-Service-Token`, `X-Satchel-Token` or `Authorization: Bearer` (spec section 5). Falls
 * back to the session cookie if `cookies` allows it.
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
  return /^Bearer +(\S+)$/i.exec(typeof authorization === "string" ? authorization : "")?.[1] ?? null;
}

/**
 * Returns the viewer of the credential; null if it is unknown, expired or revoked. Reads the database each time, so
 * revocation takes effect immediately.
 */
export async function authenticate(deps: AuthenticationDeps, credential: string | null): Promise<Viewer | null> {
  if (!credential) return null;
  for (const kind of deps.tokenKinds) {
    if (isWellFormedToken(credential, kind.prefix)) return await kind.find(deps.db, credential);
  }
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
