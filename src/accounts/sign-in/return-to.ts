const MAX_LENGTH = 2_000;
/** An arbitrary origin, to detect paths that resolve to another one. */
const BASE_ORIGIN = "http://here.invalid";

/**
 * Returns the path for the redirect after sign-in, unchanged, if it is a path of this site. Returns null if it is
 * absent, longer than 2,000 characters, or could resolve to another origin (a scheme, `//host`, a backslash, a control
 * character).
 */
export function readReturnTo(text: string | null | undefined): string | null {
  if (!text || text.length > MAX_LENGTH || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null;
  if (!URL.canParse(text, BASE_ORIGIN)) return null;
  const url = new URL(text, BASE_ORIGIN);
  // Dot segments can normalize to `//host`: `/.//evil.example`.
  return url.origin === BASE_ORIGIN && !url.pathname.startsWith("//") ? text : null;
}
