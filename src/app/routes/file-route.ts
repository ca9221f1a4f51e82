/**
 * How routes that take or answer a file are served: as described in `rest-compat/file-routes.ts`, to whoever holds a token and to
 * a browser that is signed in, from this site's own pages.
 */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { internalFailure, serviceFailure } from "../../../rest-compat/failure.ts";
import { failureOf, sendFailure } from "../../../rest-compat/failure-answer.ts";
import type { FileRoute } from "../../../rest-compat/file-routes.ts";
import { routerPath } from "../../../rest-compat/route.ts";
import { type AuthenticationDeps, authenticate, credentialOf } from "../../accounts/authenticate.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { isUnstorableText, UNSTORABLE_TEXT } from "../../platform/database/errors.ts";
import { InvalidRequestError, ServiceError, UnauthorizedError } from "../../platform/errors.ts";
import { drainRequestBody } from "../../platform/http/drain-body.ts";
import type { Site } from "../../platform/http/site.ts";

export type FileRouteDeps = AuthenticationDeps & { readonly site: Site };

export interface FileRequest {
  readonly viewer: Viewer;
  /** A part of the path; empty where there is none. */
  readonly pathPart: (name: string) => string;
  /** A parameter that is not empty. @throws {InvalidRequestError} given twice */
  readonly queryText: (name: string) => string | null;
  readonly contentType: string;
  /** @throws {InvalidRequestError} there is none */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** Nothing in a file may run or look as if this site had written it, whatever it says it is. */
const DOWNLOAD_HEADERS = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, no-store",
};

/** Registers `route`; `serve` answers whoever may call, and what it throws is told as failures are. */
export function registerFileRoute(
  app: FastifyInstance,
  deps: FileRouteDeps,
  route: FileRoute,
  serve: (asked: FileRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.register(async (scope) => {
    scope.setErrorHandler(answerError);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.route({
      method: route.method,
      url: routerPath(route),
      handler: async (request, reply) => serve(await readFileRequest(deps, request), reply),
    });
  });
}

/** Headers under which a file is saved and nothing else. */
export function downloadHeaders(contentType: string, filename: string) {
  const plain = asciiName(filename);
  const exact = plain === filename ? "" : `; filename*=UTF-8''${encodeName(filename)}`;
  return {
    ...DOWNLOAD_HEADERS,
    "content-type": contentType,
    "content-disposition": `attachment; filename="${plain}"${exact}`,
  };
}

/** @throws {UnauthorizedError} before anything of the body is read */
async function readFileRequest(deps: FileRouteDeps, request: FastifyRequest): Promise<FileRequest> {
  const { headers, query, params, body } = request;
  const viewer = await authenticate(deps, credentialOf(headers, "same-origin", deps.site.isHttps));
  if (viewer === null) throw new UnauthorizedError();
  return {
    viewer,
    pathPart: (name) => (params as Readonly<Record<string, string>>)[name] ?? "",
    queryText: (name) => queryText(query as Readonly<Record<string, unknown>>, name),
    contentType: headers["content-type"] ?? "",
    bytes() {
      if (!(body instanceof Readable)) throw new InvalidRequestError("body is required.", "body");
      // Who stops reading leaves the rest to `answerError`, which needs the stream whole.
      return body.iterator({ destroyOnReturn: false });
    },
  };
}

function queryText(query: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = query[name];
  if (Array.isArray(value)) throw new InvalidRequestError(`${name} may be given once.`, name);
  return typeof value === "string" && value !== "" ? value : null;
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
  drainRequestBody(request.raw);
  reply.header("cache-control", "no-store");
  if (error instanceof ServiceError) return sendFailure(reply, serviceFailure(error));
  if (isUnstorableText(error)) return sendFailure(reply, failureOf("invalid_request", UNSTORABLE_TEXT));
  const status = "statusCode" in error ? error.statusCode : 500;
  // The upload broke off: nobody waits for an answer.
  if (request.raw.aborted || (typeof status === "number" && status >= 400 && status < 500)) {
    return sendFailure(reply, failureOf("invalid_request", "body did not arrive whole.", { field: "body" }));
  }
  request.log.error({ err: error, route: request.routeOptions.url ?? null }, "unexpected error");
  return sendFailure(reply, internalFailure(request.id));
}
