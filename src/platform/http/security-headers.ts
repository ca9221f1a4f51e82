/**
 * Returns the headers of every response. They are few, because each header costs time. A page sets its own
 * `content-security-policy`, which replaces this one. A route that forwards responses disables these headers with `config: {
 * securityHeaders: false }`.
 */
export function createSecurityHeaders(options: { isHttps: boolean }): Readonly<Record<string, string>> {
  return {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(options.isHttps ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}
