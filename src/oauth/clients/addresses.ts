/** The web addresses an application registers: where codes may be sent, and from where browsers may call. */

/** What RFC 3986 lets stand in an address, with neither fragment nor asterisk. */
const WRITABLE = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** Read from the text itself: a URL parser forgives what other readers of the same text may not. */
const SHAPE = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?<authority>[^/?]+)(?:[/?]|$)/;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const MAX_LENGTH = 2_000;

/**
 * Why this may not be a redirect address; null when it may. It is compared byte for byte (RFC 9700, section 2.1), so
 * nothing in it is corrected.
 */
export function redirectUriProblem(uri: string): string | null {
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (uri.includes("#")) return "must not have a fragment (#)";
  if (uri.includes("*")) return "must not have a wildcard (*): register each address by itself";
  const { scheme, authority = "" } = SHAPE.exec(uri)?.groups ?? {};
  if (scheme === undefined) return "must be an absolute address such as https://app.example/callback";
  if (authority.includes("@")) return "must not have a user name or password";
  if (scheme === "http" && !LOOPBACK.test(authority)) {
    return "must begin with https:// (http:// is for localhost, 127.0.0.1 and [::1])";
  }
  if (scheme !== "http" && scheme !== "https") return "must begin with https://";
  if (!WRITABLE.test(uri) || !URL.canParse(uri)) return "must be an address as RFC 3986 writes it";
  return null;
}

/** Why this may not be a JavaScript origin; null when it may. Exactly what browsers send as `Origin`. */
export function originProblem(origin: string): string | null {
  if (origin.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "must be an origin such as https://app.example";
  }
  if (url.origin !== origin || origin.includes("*")) {
    return "must be scheme, host and port alone, written as browsers send it, such as https://app.example";
  }
  if (url.protocol === "http:" && !LOOPBACK.test(url.host)) {
    return "must begin with https:// (http:// is for localhost, 127.0.0.1 and [::1])";
  }
  return null;
}
