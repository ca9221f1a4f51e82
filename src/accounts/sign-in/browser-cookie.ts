/** The cookie that ties an attempt to sign in to the browser that began it. */
import { randomBytes } from "node:crypto";
import { parseCookie, stringifySetCookie } from "cookie";
import { isSameOrigin } from "../session-cookie.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const SECURE_NAME = "__Host-satchel_browser";
const PLAIN_NAME = "satchel_browser";
/** Longer than any attempt may take. */
const MAX_AGE_SECONDS = 3_600;

/** A browser's new secret; only its hash is stored. */
export function newBrowserSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The browser's secret in the request's cookie.
 * @param use `navigation` also when another site sends the browser here, as an OpenID provider does
 */
export function browserSecretOf(headers: Headers, use: "same-origin" | "navigation", isHttps: boolean): string | null {
  const { cookie } = headers;
  if (typeof cookie !== "string" || (use === "same-origin" && !isSameOrigin(headers))) return null;
  const secret = parseCookie(cookie)[isHttps ? SECURE_NAME : PLAIN_NAME];
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : null;
}

/** The `Set-Cookie` that keeps it. */
export function browserSetCookie(secret: string, isHttps: boolean): string {
  return stringifySetCookie({
    name: isHttps ? SECURE_NAME : PLAIN_NAME,
    value: secret,
    path: "/",
    httpOnly: true,
    secure: isHttps,
    sameSite: "lax",
    maxAge: MAX_AGE_SECONDS,
  });
}
