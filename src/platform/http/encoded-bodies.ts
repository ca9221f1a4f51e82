/** Rejection of compressed bodies: a few bytes could decompress to more than the service has memory for. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { InvalidRequestError } from "../errors.ts";

const MAX_SHOWN_CHARS = 50;

/** The body has an unsupported content coding (RFC 9110 section 15.5.16). */
export class EncodedBodyError extends InvalidRequestError {
  readonly statusCode = 415;
  constructor(encoding: string) {
    super(
      `Content-Encoding ${encoding} is not supported. Nothing was done. Send the body uncompressed, without that header.`,
      "Content-Encoding",
    );
  }
}

/** Rejects encoded bodies before they are read, after authentication. Each route's error handler formats the error. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook("preParsing", (request, reply, _payload, done) => {
    const encoding = request.headers["content-encoding"];
    if (!encoding || encoding.toLowerCase() === "identity" || !hasBody(request) || request.is404) return done();
    reply.header("accept-encoding", "identity");
    done(new EncodedBodyError(encoding.slice(0, MAX_SHOWN_CHARS)));
  });
}

/** Some clients send Content-Encoding without a body. */
function hasBody({ headers }: FastifyRequest): boolean {
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}
