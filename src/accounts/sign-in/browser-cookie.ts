/** The cookie that binds a sign-in attempt to the browser that started it. */
import { randomBytes } from "node:crypto";
import { parseCookie, stringifySetCookie } from "cookie";
import { isSameOrigin } from "../session-cookie.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const SECURE_NAME = "__Host-satchel_browser";
const PLAIN_NAME = "satchel_browser";
/** Longer than the lifetime of any attempt. */
const MAX_AGE_SECONDS = 3_600;

/** Creates a browser secret. Only its hash is stored. */
export function createBrowserSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Returns the browser secret in the request's cookie; null if absent, malformed or not accepted by `use`.
 * @param use `navigation` also accepts requests from another site, such as the OpenID provider's redirect
 */
export function readBrowserSecret(
  headers: Headers,
  use: "same-origin" | "navigation",
  isHttps: boolean,
): string | null {
  const { cookie } = headers;
  if (typeof cookie !== "string" || (use === "same-origin" && !isSameOrigin(headers))) return null;
  const secret = parseCookie(cookie)[isHttps ? SECURE_NAME : PLAIN_NAME];
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : null;
}

/** Returns the `Set-Cookie` that stores the browser secret. */
export function formatBrowserCookie(secret: string, isHttps: boolean): string {
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
