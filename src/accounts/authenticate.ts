/** Who is calling: the credential in a request's headers, and whom it stands for. */
import { timingSafeEqual } from "node:crypto";
import type { Database } from "../platform/database/connection.ts";
import { hashToken, isWellFormedToken } from "./secret-token.ts";
import { type CookieUse, sessionCookieOf } from "./session-cookie.ts";
import type { TokenKind } from "./token-kind.ts";
import type { Viewer } from "./viewer.ts";

export interface AuthenticationDeps {
  readonly db: Database;
  readonly adminToken: string | undefined;
  /** Every kind of secret that opens an account. */
  readonly tokenKinds: readonly TokenKind[];
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The credential in a request's headers: `X-Service-Token`, `X-Satchel-Token` or `Authorization: Bearer` (spec section
 * 5), else a browser's session cookie where `cookies` lets it count.
 */
export function credentialOf(headers: Headers, cookies: CookieUse = "none", isHttps = false): string | null {
  const token = tokenOf(headers);
  // A session is its browser's alone: in a header its secret opens nothing.
  if (token !== null) return token.startsWith("satchel_ss_") ? null : token;
  return sessionCookieOf(headers, cookies, isHttps);
}

function tokenOf(headers: Headers): string | null {
  const token = headers["x-service-token"] ?? headers["x-satchel-token"];
  if (typeof token === "string" && token !== "") return token.trim();
  const authorization = headers["authorization"];
  return /^Bearer +(\S+)$/i.exec(typeof authorization === "string" ? authorization : "")?.[1] ?? null;
}

/** Who holds this credential; null when it is unknown, expired or revoked. Asked of the database each time, so that revoking works at once. */
export async function authenticate(deps: AuthenticationDeps, credential: string | null): Promise<Viewer | null> {
  if (!credential) return null;
  for (const kind of deps.tokenKinds) {
    if (isWellFormedToken(credential, kind.prefix)) return await kind.find(deps.db, credential);
  }
  if (deps.adminToken && timingSafeEqual(hashToken(credential), hashToken(deps.adminToken))) {
    return { kind: "operator", expiresAtMs: null };
  }
  return null;
}

/** Whether the credential a long-lived connection was opened with would still be accepted. */
export async function isStillValid({ db, tokenKinds }: AuthenticationDeps, viewer: Viewer): Promise<boolean> {
  if (viewer.kind === "operator") return true;
  const kind = tokenKinds.find(({ credentialKind }) => credentialKind === viewer.credentialKind);
  return kind !== undefined && (await kind.isStillValid(db, viewer.credentialId));
}
