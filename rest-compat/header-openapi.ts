/** The headers of answers as OpenAPI describes them. */

/** By the names that `components` gives them, which are the headers' own. */
export const HEADERS = {
  "RateLimit-Limit": { description: "How many requests the window allows.", schema: { type: "integer" } },
  "RateLimit-Remaining": { description: "How many of them are left.", schema: { type: "integer" } },
  "RateLimit-Reset": { description: "Until the window begins anew, in seconds.", schema: { type: "integer" } },
  "Retry-After": { description: "When to ask again, in seconds.", schema: { type: "integer" } },
  "WWW-Authenticate": {
    description: 'What opens the route; with `error="invalid_token"` where a token was sent.',
    schema: { type: "string" },
  },
};

type Header = keyof typeof HEADERS;

const LIMIT: readonly Header[] = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

/** What an answer of that status may carry; nothing where there is nothing to tell. */
export function headersOf(
  { announcesLimit = false }: { readonly announcesLimit?: boolean },
  status: number,
): { readonly headers?: Record<string, { $ref: string }> } {
  const names: readonly Header[] = [
    ...(announcesLimit && status !== 401 ? LIMIT : []),
    ...(status === 429 ? ["Retry-After" as const] : []),
    ...(status === 401 ? ["WWW-Authenticate" as const] : []),
  ];
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}
