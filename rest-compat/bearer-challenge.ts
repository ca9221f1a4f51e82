import type { FastifyRequest } from "fastify";

/**
 * Returns the `WWW-Authenticate` challenge of a 401 (RFC 6750 section 3). A request without a token gets no `error`, as
 * section 3.1 requires.
 */
export function bearerChallenge({ headers }: Pick<FastifyRequest, "headers">): { readonly "www-authenticate": string } {
  const isSent =
    Boolean(headers["x-service-token"] ?? headers["x-satchel-token"]) ||
    /^Bearer +\S/i.test(headers.authorization ?? "");
  return { "www-authenticate": `Bearer realm="satchel"${isSent ? ', error="invalid_token"' : ""}` };
}
