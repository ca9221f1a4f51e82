/** Public JSON files about an account owner or an agent, which need no authentication and allow cross-origin requests. */
import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorBody } from "../platform/http/error-response.ts";

/** Maximum delay until clients see a change, such as a revocation. */
const TTL_SECONDS = 60;

/**
 * Sends a file with its ETag, or 404. The 404 does not show whether an id ever existed.
 *
 * @param notFound message of the 404
 */
export function sendPublicFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: object | null,
  { type, notFound }: { readonly type: string; readonly notFound: string },
): FastifyReply {
  reply.header("access-control-allow-origin", "*");
  if (file === null) return reply.code(404).send(errorBody("not_found", notFound));
  const body = JSON.stringify(file);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  reply.header("cache-control", `public, max-age=${TTL_SECONDS}`).header("etag", etag);
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  return reply.type(type).send(body);
}
