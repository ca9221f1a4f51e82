/**
 * Routes that receive or return a file, as described in `rest-compat/file-routes.ts`. They accept tokens, and session
 * cookies from this site's own pages.
 */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { convertServiceError, createInternalFailure } from "../../../rest-compat/failure.ts";
import { createFailure, sendFailure } from "../../../rest-compat/failure-response.ts";
import type { FileRoute } from "../../../rest-compat/file-routes.ts";
import { routerPath } from "../../../rest-compat/route.ts";
import { type AuthenticationDeps, authenticate, readCredential } from "../../accounts/authenticate.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { convertDatabaseError, isUnstorableText, UNSTORABLE_TEXT } from "../../platform/database/errors.ts";
import { InvalidRequestError, ServiceError, UnauthorizedError } from "../../platform/errors.ts";
import { drainRequestBody } from "../../platform/http/drain-body.ts";
import type { Site } from "../../platform/http/site.ts";

export type FileRouteDeps = AuthenticationDeps & { readonly site: Site };

export interface FileRequest {
  readonly viewer: Viewer;
  /** Returns a path parameter; an empty string if absent. */
  readonly pathPart: (name: string) => string;
  /**
   * Returns a query parameter; null if absent or empty.
   * @throws {InvalidRequestError} if it was sent more than once
   */
  readonly queryText: (name: string) => string | null;
  readonly contentType: string;
  /** @throws {InvalidRequestError} if the request has no body */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** Prevents scripts in a file from running in this site's origin, regardless of its media type. */
const DOWNLOAD_HEADERS = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, no-store",
};

/** Registers `route`. `serve` handles authenticated requests; errors it throws become failure responses. */
export function registerFileRoute(
  app: FastifyInstance,
  deps: FileRouteDeps,
  route: FileRoute,
  serve: (file: FileRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.register(async (scope) => {
    scope.setErrorHandler(sendErrorResponse);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.route({
      method: route.method,
      url: routerPath(route),
      handler: async (request, reply) => serve(await readFileRequest(deps, request), reply),
    });
  });
}

/** Returns headers that make browsers save a file instead of displaying it. */
export function downloadHeaders(contentType: string, filename: string) {
  const plain = toAsciiName(filename);
  const exact = plain === filename ? "" : `; filename*=UTF-8''${encodeName(filename)}`;
  return {
    ...DOWNLOAD_HEADERS,
    "content-type": contentType,
    "content-disposition": `attachment; filename="${plain}"${exact}`,
  };
}

/** @throws {UnauthorizedError} before any part of the body is read */
async function readFileRequest(deps: FileRouteDeps, request: FastifyRequest): Promise<FileRequest> {
  const { headers, query, params, body } = request;
  const viewer = await authenticate(deps, readCredential(headers, "same-origin", deps.site.isHttps));
  request.loggedCaller = viewer;
  if (viewer === null) throw new UnauthorizedError();
  return {
    viewer,
    pathPart: (name) => (params as Readonly<Record<string, string>>)[name] ?? "",
    queryText: (name) => queryText(query as Readonly<Record<string, unknown>>, name),
    contentType: headers["content-type"] ?? "",
    bytes() {
      if (!(body instanceof Readable)) throw new InvalidRequestError("body is required.", "body");
      // `sendErrorResponse` drains the rest of the body, so the stream must not be destroyed when reading stops early.
      return body.iterator({ destroyOnReturn: false });
    },
  };
}

function queryText(query: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = query[name];
  if (Array.isArray(value)) throw new InvalidRequestError(`${name} must be sent only once.`, name);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Returns the ASCII fallback for clients that do not support `filename*` (RFC 6266). */
function toAsciiName(filename: string): string {
  return filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
}

/** Percent-encodes a file name for `filename*` (RFC 8187). */
function encodeName(filename: string): string {
  const percent = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(filename).replaceAll(/['()*]/g, percent);
}

function sendErrorResponse(thrown: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = convertDatabaseError(thrown) as Error;
  drainRequestBody(request.raw);
  reply.header("cache-control", "no-store");
  if (error instanceof ServiceError) return sendFailure(reply, convertServiceError(error));
  if (isUnstorableText(error)) return sendFailure(reply, createFailure("invalid_request", UNSTORABLE_TEXT));
  const status = "statusCode" in error ? error.statusCode : 500;
  // The upload was interrupted, so no client awaits the response.
  if (request.raw.aborted || (typeof status === "number" && status >= 400 && status < 500)) {
    return sendFailure(
      reply,
      createFailure("invalid_request", "body is incomplete. Send it again.", { field: "body" }),
    );
  }
  request.log.error({ err: error, route: request.routeOptions.url ?? null }, "Unexpected error");
  return sendFailure(reply, createInternalFailure(request.id));
}
