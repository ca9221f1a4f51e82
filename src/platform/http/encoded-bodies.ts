/** Bodies are taken as they are, never compressed: a few bytes could become more than the service has room for. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { InvalidRequestError } from "../errors.ts";

const MAX_SHOWN_CHARS = 50;

/** The body is encoded in a way that is not taken (RFC 9110 section 15.5.16). */
export class EncodedBodyError extends InvalidRequestError {
  readonly statusCode = 415;
  constructor(encoding: string) {
    super(
      `Content-Encoding ${encoding} is not taken: send the body as it is, without that header.`,
      "Content-Encoding",
    );
  }
}

/** Refuses them before they are read, once it is known who asks; each route's own error handler says so. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook("preParsing", (request, reply, _payload, done) => {
    const encoding = request.headers["content-encoding"];
    if (!encoding || encoding.toLowerCase() === "identity" || !hasBody(request) || request.is404) return done();
    reply.header("accept-encoding", "identity");
    done(new EncodedBodyError(encoding.slice(0, MAX_SHOWN_CHARS)));
  });
}

/** Clients name an encoding for bodies that they do not send, too. */
function hasBody({ headers }: FastifyRequest): boolean {
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}
