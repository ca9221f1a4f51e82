/**
 * `POST /api/agent/email/attachments` and `GET /api/agent/email/attachments/<id>`: files go through as they are, in pieces, so
 * neither is an operation. A browser that is signed in may use them from this site's own pages.
 */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { MailAttachment } from "../../../generated/prisma/client.ts";
import { inputFailure, internalFailure } from "../../../rest-compat/failure.ts";
import { failureOf, sendFailure } from "../../../rest-compat/failure-answer.ts";
import { type AuthenticationDeps, authenticate, credentialOf } from "../../accounts/authenticate.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { attachmentBytes, findAttachment, MAX_ATTACHMENTS_BYTES, uploadAttachment } from "../../mail/attachments.ts";
import type { AgentMailDeps } from "../../mail/deps.ts";
import { isUnstorableText, UNSTORABLE_TEXT } from "../../platform/database-errors.ts";
import { InvalidRequestError, RateLimitedError, ServiceError, UnauthorizedError } from "../../platform/errors.ts";
import type { Site } from "../../platform/site.ts";

type Deps = AgentMailDeps & AuthenticationDeps & { readonly site: Site };

const PATH = "/api/agent/email/attachments";
/** Nothing in a file may run or look as if this site had written it, whatever it says it is. */
const DOWNLOAD_HEADERS = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, no-store",
};

export function registerMailAttachmentRoutes(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    scope.setErrorHandler(answerError);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.post(PATH, { bodyLimit: MAX_ATTACHMENTS_BYTES + 1 }, async (request, reply) => {
      const viewer = await viewerOf(deps, request);
      const filename = queryText(request, "filename");
      if (filename === null) throw new InvalidRequestError("filename is required.", "filename");
      const contentType = queryText(request, "contentType") ?? request.headers["content-type"] ?? "";
      if (!(request.body instanceof Readable)) throw new InvalidRequestError("body is required.", "body");
      const stored = await uploadAttachment(deps, viewer, { filename, contentType, bytes: request.body });
      return reply.header("cache-control", "no-store").send(shapeOf(stored));
    });
    scope.get<{ Params: { id: string } }>(`${PATH}/:id`, async (request, reply) => {
      const viewer = await viewerOf(deps, request);
      const file = await findAttachment(deps, viewer, request.params.id);
      reply.headers({
        ...DOWNLOAD_HEADERS,
        "content-type": file.contentType,
        "content-length": String(file.sizeBytes),
        "content-disposition": `attachment; filename="${asciiName(file.filename)}"; filename*=UTF-8''${encodeName(file.filename)}`,
      });
      return reply.send(Readable.from(attachmentBytes(deps.db, file.id), { objectMode: false }));
    });
  });
}

/** @throws {UnauthorizedError} before anything of the body is read */
async function viewerOf(deps: Deps, { headers }: FastifyRequest): Promise<Viewer> {
  const viewer = await authenticate(deps, credentialOf(headers, "same-origin", deps.site.isHttps));
  if (viewer === null) throw new UnauthorizedError();
  return viewer;
}

function queryText({ query }: FastifyRequest, name: string): string | null {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  if (Array.isArray(value)) throw new InvalidRequestError(`${name} is given more than once.`, name);
  return typeof value === "string" && value !== "" ? value : null;
}

function shapeOf({ id, filename, contentType, sizeBytes, sha256 }: MailAttachment) {
  return { id, filename, contentType, size: sizeBytes, sha256: Buffer.from(sha256).toString("hex") };
}

/** RFC 6266: what programs read that know no other form. */
function asciiName(filename: string): string {
  return filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
}

/** RFC 8187. */
function encodeName(filename: string): string {
  const percent = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(filename).replaceAll(/['()*]/g, percent);
}

function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof InvalidRequestError) return sendFailure(reply, inputFailure(error));
  if (error instanceof RateLimitedError) reply.header("retry-after", String(Math.ceil(error.retryAfterMs / 1_000)));
  if (error instanceof ServiceError) return sendFailure(reply, failureOf(error.code, error.message));
  if (isUnstorableText(error)) return sendFailure(reply, failureOf("invalid_request", UNSTORABLE_TEXT));
  const status = "statusCode" in error ? error.statusCode : 500;
  if (status === 413) {
    return sendFailure(reply, failureOf("payload_too_large", "A letter carries at most 20 MiB of files."));
  }
  // The upload broke off: nobody waits for an answer.
  if (request.raw.aborted || (typeof status === "number" && status >= 400 && status < 500)) {
    return sendFailure(reply, failureOf("invalid_request", "body did not arrive whole.", { field: "body" }));
  }
  request.log.error({ err: error, route: request.routeOptions.url ?? null }, "unexpected error");
  return sendFailure(reply, internalFailure(request.id));
}
