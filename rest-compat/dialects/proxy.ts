/** The proxy dialect: the X402 target's response is returned unchanged and streamed. */

import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ReceivedBody } from "../../src/platform/egress/body.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { decodeUtf8 } from "../../src/platform/http/utf8-body.ts";
import { stripByteOrderMark } from "../byte-order-mark.ts";
import { convertExecutionFailure, convertUnionFailure } from "../failure.ts";
import { sendFailure } from "../failure-response.ts";
import { readBody, readQuery } from "../input.ts";
import type { Runner } from "../runner.ts";
import { isFailure } from "./native.ts";

interface TargetResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Readable;
}

/** Headers for the case that the response is an HTML page: a browser runs none of its scripts and gives it an opaque origin. */
const SANDBOXED = { "content-security-policy": "sandbox", "x-content-type-options": "nosniff" };

/** Runs the fetch operation: forwards the request body byte for byte and returns the target's response body as a stream. */
export async function handleProxyRequest(
  { route, run, onUnknown }: Runner,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<FastifyReply | Readable | Buffer> {
  reply.headers(SANDBOXED);
  const query = readQuery(route.query, request.query, onUnknown);
  const bytes = request.body as Buffer | null | undefined;
  if (bytes && route.body) readBody(route.body, parseJson(bytes), onUnknown);

  const disconnect = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) disconnect.abort();
  });
  let target: TargetResponse | undefined;
  const exchange = {
    headers: joinHeaderValues(request),
    body: bytes ? { bytes, contentType: request.headers["content-type"] ?? "application/json" } : null,
    signal: disconnect.signal,
    onBody(response: TargetResponse) {
      target = response;
    },
  };
  const variables = route.variables({ query, body: null, path: {} });
  const result = await run(variables, { ...context, exchange });
  if (disconnect.signal.aborted) {
    target?.body.destroy();
    return reply.hijack();
  }
  const responseBody = result.errors || !result.data ? null : route.toResponse(result.data, variables);
  if (responseBody !== null && isFailure(responseBody))
    return sendFailure(reply, convertUnionFailure(route, responseBody));
  if (responseBody === null || !target) {
    target?.body.destroy();
    const report = (error: unknown) => request.log.error({ err: error, path: route.path }, "unexpected error");
    return sendFailure(reply, convertExecutionFailure(route, result, request.id, report));
  }
  const vary = [reply.getHeader("vary"), target.headers["vary"]].flat().filter((names) => names !== undefined);
  reply.code(target.status).headers(target.headers);
  // CORS responses vary by `Origin`, in addition to the target's own `Vary`.
  if (vary.length > 0) reply.header("vary", vary.join(", "));
  return getReceivedBytes(target) ?? target.body;
}

/** A media type up to its parameters (RFC 9110 section 8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * Returns a body that was received completely, otherwise null. Null without a valid media type too: fastify would set a
 * content type of its own on a buffer.
 */
function getReceivedBytes({ headers: { "content-type": type }, body }: TargetResponse): Buffer | null {
  if (!(body instanceof ReceivedBody) || body.bytes.byteLength === 0) return null;
  return typeof type === "string" && MEDIA_TYPE.test(type) ? body.bytes : null;
}

/** @throws {InvalidRequestError} if the body is not JSON in UTF-8. */
function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(stripByteOrderMark(text));
  } catch {
    throw new InvalidRequestError("body is not valid JSON.", "body");
  }
}

function joinHeaderValues({ headers }: FastifyRequest): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return single;
}
