import type { FastifyInstance } from "fastify";
import { badRequestText } from "./error-response.ts";

/**
 * Refuses requests with several `Host` headers (RFC 9112 section 3.2). Node drops all but the first, and a proxy may have
 * chosen by another one.
 */
export function requireSingleHost(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (hasSeveralHosts(request.raw.rawHeaders)) {
      reply
        .code(400)
        .type("application/json; charset=utf-8")
        .send(badRequestText("The request has several Host headers."));
      return;
    }
    done();
  });
}

/** @param rawHeaders each name followed by its value */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count > 1;
}
