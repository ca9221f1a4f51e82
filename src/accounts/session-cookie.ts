/** The session cookie, and the conditions under which it is accepted. */
import { parseCookie, stringifySetCookie } from "cookie";

/**
 * When a session cookie is accepted:
 * - `none`: never (routes for programs);
 * - `same-origin`: only on requests from this site's own pages, which prevents cross-site request forgery;
 * - `navigation`: also when another site redirects the browser here, for pages without side effects, such as
 *   `/oauth/authorize`.
 */
export type CookieUse = "none" | "same-origin" | "navigation";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

// With this prefix browsers require Secure, Path=/ and no Domain (RFC 6265bis, section 4.1.3.2).
const SECURE_NAME = "__Host-satchel_session";
const PLAIN_NAME = "satchel_session";

/**
 * Returns the session secret in the request's cookie if `use` accepts it, else null. Over https only the prefixed
 * cookie is accepted, because an attacker on a sibling host or on the network could have set the other.
 */
export function readSessionCookie(headers: Headers, use: CookieUse, isHttps: boolean): string | null {
  const { cookie } = headers;
  if (use === "none" || typeof cookie !== "string") return null;
  if (use === "same-origin" && !isSameOrigin(headers)) return null;
  return parseCookie(cookie)[isHttps ? SECURE_NAME : PLAIN_NAME] ?? null;
}

/** Returns the `Set-Cookie` that signs a browser in for `maxAgeSeconds`. A null token signs it out. */
export function formatSessionCookie(
  token: string | null,
  { isHttps, maxAgeSeconds }: { readonly isHttps: boolean; readonly maxAgeSeconds: number },
): string {
  return stringifySetCookie({
    name: isHttps ? SECURE_NAME : PLAIN_NAME,
    value: token ?? "",
    path: "/",
    httpOnly: true,
    secure: isHttps,
    sameSite: "lax",
    maxAge: token === null ? 0 : maxAgeSeconds,
  });
}

/** Returns true if the request comes from a page of the same origin, or from no page. */
export function isSameOrigin({ origin, host, "sec-fetch-site": site }: Headers): boolean {
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return true;
  return typeof origin === "string" && URL.canParse(origin) && new URL(origin).host === host;
}
