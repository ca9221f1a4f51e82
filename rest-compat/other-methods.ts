/** What is said of a path that exists, asked with a method that it does not take. */

/** With those of the routes, every method there is. A preflight of an origin that may call is answered before. */
export const ANY_METHOD = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];

/** The header `Allow`, which is also the whole answer to `OPTIONS` (RFC 9110 section 9.3.7). */
export function allowHeader(methods: readonly string[]): { allow: string } {
  return { allow: [...methods, "OPTIONS"].join(", ") };
}

/** Who may GET may ask for the head alone. */
export function withHead(methods: readonly string[]): string[] {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** The text of a 405. */
export function takesOnly(path: string, methods: readonly string[]): string {
  return `${path} takes ${methods.join(" and ")} only.`;
}
