import type { FastifyRequest } from "fastify";

/** What a 401 says it wants (RFC 6750 section 3): a token, or where one came, another. Without one there is no error to name. */
export function bearerChallenge({ headers }: Pick<FastifyRequest, "headers">): { readonly "www-authenticate": string } {
  const isSent =
    Boolean(headers["x-service-token"] ?? headers["x-satchel-token"]) ||
    /^Bearer +\S/i.test(headers.authorization ?? "");
  return { "www-authenticate": `Bearer realm="satchel"${isSent ? ', error="invalid_token"' : ""}` };
}
