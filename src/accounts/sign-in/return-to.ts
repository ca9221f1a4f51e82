const MAX_LENGTH = 2_000;
/** Any origin will do: only whether a path leaves it matters. */
const HERE = "http://here.invalid";

/**
 * Where a browser goes after signing in: a path of this site, as written; null for anything that a browser could take
 * for another place (a scheme, `//host`, a backslash, a control character), for what is too long, and for what is absent.
 */
export function readReturnTo(text: string | null | undefined): string | null {
  if (!text || text.length > MAX_LENGTH || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null;
  if (!URL.canParse(text, HERE)) return null;
  const url = new URL(text, HERE);
  // Dots in a path may leave `//host` behind: `/.//evil.example`.
  return url.origin === HERE && !url.pathname.startsWith("//") ? text : null;
}
