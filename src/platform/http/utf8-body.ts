/** Bodies that are not valid UTF-8 are refused (RFC 8259 section 8.1). Otherwise characters would be replaced without notice. */
import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { InvalidRequestError } from "../errors.ts";

const PROBLEM = "is not valid UTF-8. Nothing was done.";

/** Returns the text of a body. @throws {InvalidRequestError} if it is not valid UTF-8 */
export function decodeUtf8(body: Buffer): string {
  if (!isUtf8(body)) throw new InvalidRequestError(`body ${PROBLEM}`, "body");
  return body.toString();
}

/** Replaces Fastify's parser of JSON bodies with one that also requires UTF-8. */
export function requireUtf8(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const bytes = body as Buffer;
    if (isUtf8(bytes)) parse(request, bytes.toString(), done);
    else done(new InvalidRequestError(`body ${PROBLEM}`, "body"));
  });
}
