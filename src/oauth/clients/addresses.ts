/** Validation of an application's redirect URIs and JavaScript origins. */

/** The characters that RFC 3986 allows in a URI, without `#` and `*`. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** Applied to the raw text, because URL parsers normalize malformed URIs in different ways. */
const URI_SHAPE = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?<authority>[^/?]+)(?:[/?]|$)/;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
/**
 * A private-use scheme in reverse domain form (RFC 8252 section 7.1). The domain makes it less likely that two
 * applications use the same scheme.
 */
const PRIVATE_USE = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+:(?<authority>\/\/[^/?]+)?\/[^/]/;
const MAX_LENGTH = 2_000;

/** Returns the error message for a redirect URI of a native application; null if it is valid. */
export function findNativeRedirectUriProblem(uri: string): string | null {
  const { authority = "" } = PRIVATE_USE.exec(uri)?.groups ?? {};
  if (!PRIVATE_USE.test(uri) || authority.includes("@")) return findRedirectUriProblem(uri);
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  return URI_CHARACTERS.test(uri) && URL.canParse(uri) ? null : "must be a valid URI (RFC 3986)";
}

/**
 * Returns the error message for a redirect URI; null if it is valid. URIs are compared byte for byte (RFC 9700, section
 * 2.1), so they are not normalized.
 */
export function findRedirectUriProblem(uri: string): string | null {
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (uri.includes("#")) return "must not have a fragment (#)";
  if (uri.includes("*")) return "must not have a wildcard (*): register each redirect URI separately";
  const { scheme, authority = "" } = URI_SHAPE.exec(uri)?.groups ?? {};
  if (scheme === undefined) return "must be an absolute URI such as https://app.example/callback";
  if (authority.includes("@")) return "must not have a user name or password";
  if (scheme === "http" && !LOOPBACK.test(authority)) {
    return "must begin with https:// (http:// is for localhost, 127.0.0.1 and [::1])";
  }
  if (scheme !== "http" && scheme !== "https") return "must begin with https://";
  if (!URI_CHARACTERS.test(uri) || !URL.canParse(uri)) return "must be a valid URI (RFC 3986)";
  return null;
}

/**
 * Returns the error message for a JavaScript origin; null if it is valid. A valid origin equals the browser's `Origin` header.
 */
export function findOriginProblem(origin: string): string | null {
  if (origin.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "must be an origin such as https://app.example";
  }
  if (url.origin !== origin || origin.includes("*")) {
    return "must have only scheme, host and port, exactly as browsers send it, such as https://app.example";
  }
  if (url.protocol === "http:" && !LOOPBACK.test(url.host)) {
    return "must begin with https:// (http:// is for localhost, 127.0.0.1 and [::1])";
  }
  return null;
}
