/** Response headers in OpenAPI. */

/** Entries of `components.headers`, keyed by header name. */
export const HEADERS = {
  "RateLimit-Limit": { description: "Requests allowed in the window.", schema: { type: "integer" } },
  "RateLimit-Remaining": { description: "Requests remaining in the window.", schema: { type: "integer" } },
  "RateLimit-Reset": { description: "Seconds until the window resets.", schema: { type: "integer" } },
  "Retry-After": { description: "Seconds to wait before a retry.", schema: { type: "integer" } },
  "WWW-Authenticate": {
    description:
      'The required authentication scheme with `resource_metadata`; `error="invalid_token"` if a token was sent.',
    schema: { type: "string" },
  },
};

type Header = keyof typeof HEADERS;

const LIMIT: readonly Header[] = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

/** Returns the headers of a response with this status, or an empty object if it has none. */
export function getHeaders(
  { announcesLimit: hasRateLimitHeaders = false }: { readonly announcesLimit?: boolean },
  status: number,
): { readonly headers?: Record<string, { $ref: string }> } {
  const names: readonly Header[] = [
    ...(hasRateLimitHeaders && status !== 401 ? LIMIT : []),
    ...(status === 429 || status === 503 ? ["Retry-After" as const] : []),
    ...(status === 401 ? ["WWW-Authenticate" as const] : []),
  ];
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}
