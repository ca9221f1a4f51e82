/**
 * Routes that receive or return a file, as described in `rest-compat/file-routes.ts`. They accept tokens, and session
 * cookies from this site's own pages.
 */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { convertServiceError, createInternalFailure } from "../../../rest-compat/failure.ts";
import { createFailure, sendFailure } from "../../../rest-compat/failure-response.ts";
import type { FileRoute } from "../../../rest-compat/file-routes.ts";
import { readQuery } from "../../../rest-compat/input.ts";
import { routerPath } from "../../../rest-compat/route.ts";
import { createUnknownMemberHandler, type UnknownMemberMode } from "../../../rest-compat/unknown-members.ts";
import { type AuthenticationDeps, authenticate, readCredential } from "../../accounts/authenticate.ts";
import { InvalidTokenError } from "../../accounts/token-kind.ts";
import { InsufficientScopeError, type Viewer } from "../../accounts/viewer.ts";
import { convertDatabaseError, isUnstorableText, UNSTORABLE_TEXT } from "../../platform/database/errors.ts";
import { InvalidRequestError, ServiceError, UnauthorizedError } from "../../platform/errors.ts";
import { formatChallenge } from "../../platform/http/challenge.ts";
import { drainRequestBody } from "../../platform/http/drain-body.ts";
import type { Site } from "../../platform/http/site.ts";

export type FileRouteDeps = AuthenticationDeps & { readonly site: Site; readonly unknownMembers: UnknownMemberMode };

export interface FileRequest {
  readonly viewer: Viewer;
  /** Returns a path parameter; an empty string if absent. */
  readonly pathPart: (name: string) => string;
  /** The query parameters, as the route declares them. */
  readonly query: Readonly<Record<string, string | undefined>>;
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
    scope.setErrorHandler((error: Error, request, reply) => {
      if (error instanceof InsufficientScopeError) {
        const challenge = { error: "insufficient_scope", scopes: [route.scope] } as const;
        reply.header("www-authenticate", formatChallenge(deps.site, request.url, challenge));
      }
      return sendErrorResponse(error, request, reply);
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const onUnknown = createUnknownMemberHandler(deps.unknownMembers, `${route.method} ${route.path}`, app.log);
    scope.route({
      method: route.method,
      url: routerPath(route),
      handler: async (request, reply) => {
        const viewer = await authenticateRequest(deps, request, reply);
        const query = readQuery(route.query, request.query, onUnknown) as FileRequest["query"];
        return await serve({ viewer, query, ...readRequest(request) }, reply);
      },
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
async function authenticateRequest(deps: FileRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<Viewer> {
  const { headers, method } = request;
  const { site } = deps;
  const path = request.url.split("?", 1)[0] ?? "/";
  const credential = readCredential(headers, "same-origin", site.isHttps);
  const viewer = await authenticate(deps, credential, { headers, method, path, site }).catch((error: unknown) => {
    if (error instanceof InvalidTokenError)
      reply.header("www-authenticate", formatChallenge(site, path, error.challenge));
    throw error;
  });
  request.loggedCaller = viewer;
  if (viewer === null) throw new UnauthorizedError();
  return viewer;
}

function readRequest({ headers, params, body }: FastifyRequest): Omit<FileRequest, "viewer" | "query"> {
  return {
    pathPart: (name) => (params as Readonly<Record<string, string>>)[name] ?? "",
    contentType: headers["content-type"] ?? "",
    bytes() {
      if (!(body instanceof Readable)) throw new InvalidRequestError("body is required.", "body");
      // `sendErrorResponse` drains the rest of the body, so the stream must not be destroyed when reading stops early.
      return body.iterator({ destroyOnReturn: false });
    },
  };
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
