import type { FastifyReply } from "fastify";
import { formatChallenge } from "../src/platform/http/challenge.ts";
import type { Site } from "../src/platform/http/site.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The public address of the service, for challenges. */
    site: Site;
  }
}

/**
 * Adds the `WWW-Authenticate` challenge of a 401, unless authentication added a more specific one. A request without a token gets
 * no `error` (RFC 6750 section 3.1).
 */
export function addBearerChallenge(reply: FastifyReply): void {
  if (reply.hasHeader("www-authenticate")) return;
  const { headers, url } = reply.request;
  const isSent =
    Boolean(headers["x-service-token"] ?? headers["x-satchel-token"]) ||
    /^(?:Bearer|DPoP) +\S/i.test(headers.authorization ?? "");
  const path = url.split("?", 1)[0] ?? "/";
  reply.header("www-authenticate", formatChallenge(reply.server.site, path, isSent ? { error: "invalid_token" } : {}));
}
