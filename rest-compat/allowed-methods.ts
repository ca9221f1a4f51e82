/** Responses for a known path with an unsupported method. */

/** All methods that a catch-all route handles. The CORS handler responds to preflights of allowed origins first. */
export const ANY_METHOD = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];

/** Returns the `Allow` header, which is also the complete response to `OPTIONS` (RFC 9110 section 9.3.7). */
export function createAllowHeader(methods: readonly string[]): { allow: string } {
  return { allow: [...methods, "OPTIONS"].join(", ") };
}

/** Adds HEAD to methods that include GET. */
export function addHead(methods: readonly string[]): string[] {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** Returns the message of a 405. */
export function methodNotAllowedMessage(path: string, methods: readonly string[]): string {
  return `${path} accepts only ${methods.join(" and ")} requests.`;
}
