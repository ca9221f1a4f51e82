/**
 * Sent with every answer; few, because each costs. A page that needs more sets its own `content-security-policy`, which
 * replaces this one; a route whose answers come from elsewhere sets what those need and turns these off with `config: { securityHeaders: false }`.
 */
export function securityHeaders(options: { isHttps: boolean }): Readonly<Record<string, string>> {
  return {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(options.isHttps ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}
