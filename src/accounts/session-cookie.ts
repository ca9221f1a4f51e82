/** The cookie that keeps a browser signed in, and when it counts. */
import { parseCookie, stringifySetCookie } from "cookie";

/**
 * When a session cookie counts: never (routes for machines), only for this site's own pages (`same-origin`: nobody
 * else's page can make the browser act), or also when another site sends the browser here (`navigation`: for pages that
 * only look, such as `/oauth/authorize`).
 */
export type CookieUse = "none" | "same-origin" | "navigation";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

// The prefix makes browsers insist on Secure, Path=/ and no Domain (RFC 6265bis, section 4.1.3.2).
const SECURE_NAME = "__Host-satchel_session";
const PLAIN_NAME = "satchel_session";

/**
 * The session's secret in the request's cookie, if it may count here. Over https only the prefixed cookie does: any
 * other may have been set by somebody who controls a neighbouring host or the line.
 */
export function sessionCookieOf(headers: Headers, use: CookieUse, isHttps: boolean): string | null {
  const { cookie } = headers;
  if (use === "none" || typeof cookie !== "string") return null;
  if (use === "same-origin" && !isSameOrigin(headers)) return null;
  return parseCookie(cookie)[isHttps ? SECURE_NAME : PLAIN_NAME] ?? null;
}

/** The `Set-Cookie` that signs a browser in for `maxAgeSeconds`, or with a null token out. */
export function sessionSetCookie(
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

/** Whether the request comes from a page of this very site, or from no page at all. */
export function isSameOrigin({ origin, host, "sec-fetch-site": site }: Headers): boolean {
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return true;
  return typeof origin === "string" && URL.canParse(origin) && new URL(origin).host === host;
}
