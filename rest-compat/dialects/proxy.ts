/** The X402 proxy: the target's answer comes back as the target wrote it, streamed. */
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ReceivedBody } from "../../src/platform/egress/body.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { withoutMark } from "../byte-order-mark.ts";
import { executionFailure, unionFailure } from "../failure.ts";
import { sendFailure } from "../failure-answer.ts";
import { readBody, readQuery } from "../input.ts";
import type { Runner } from "../runner.ts";
import { isFailure } from "./native.ts";

interface TargetAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Readable;
}

/** An answer may be a page: shown in a browser it runs no script, and nothing in it counts as of this origin. */
const SANDBOXED = { "content-security-policy": "sandbox", "x-content-type-options": "nosniff" };

/** Passes the exchange through the operation: the body's bytes go out as they came, the answer's come back as a stream. */
export async function answerProxy(
  { route, run }: Runner,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<FastifyReply | Readable | Buffer> {
  reply.headers(SANDBOXED);
  const query = readQuery(route.query, request.query);
  const bytes = request.body as Buffer | null | undefined;
  if (bytes && route.body) readBody(route.body, parseJson(bytes));

  const disconnect = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) disconnect.abort();
  });
  let target: TargetAnswer | undefined;
  const exchange = {
    headers: singleHeaders(request),
    body: bytes ? { bytes, contentType: request.headers["content-type"] ?? "application/json" } : null,
    signal: disconnect.signal,
    onBody(answer: TargetAnswer) {
      target = answer;
    },
  };
  const variables = route.variables({ query, body: null, path: {} });
  const result = await run(variables, { ...context, exchange });
  if (disconnect.signal.aborted) {
    target?.body.destroy();
    return reply.hijack();
  }
  const answer = result.errors || !result.data ? null : route.answer(result.data, variables);
  if (answer !== null && isFailure(answer)) return sendFailure(reply, unionFailure(route, answer));
  if (answer === null || !target) {
    target?.body.destroy();
    const report = (error: unknown) => request.log.error({ err: error, path: route.path }, "unexpected error");
    return sendFailure(reply, executionFailure(route, result, request.id, report));
  }
  const vary = [reply.getHeader("vary"), target.headers["vary"]].flat().filter((names) => names !== undefined);
  reply.code(target.status).headers(target.headers);
  // What CORS answers varies by origin, whatever the target's answer varies by.
  if (vary.length > 0) reply.header("vary", vary.join(", "));
  return wholeOf(target) ?? target.body;
}

/** RFC 9110 section 8.3.1, as far as its parameters. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** All of a body that is there already. Where it is not said properly what it is, the host would say it in its own words. */
function wholeOf({ headers: { "content-type": type }, body }: TargetAnswer): Buffer | null {
  if (!(body instanceof ReceivedBody) || body.bytes.byteLength === 0) return null;
  return typeof type === "string" && MEDIA_TYPE.test(type) ? body.bytes : null;
}

/** @throws {InvalidRequestError} */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(withoutMark(bytes.toString("utf8")));
  } catch {
    throw new InvalidRequestError("body is not valid JSON.", "body");
  }
}

function singleHeaders({ headers }: FastifyRequest): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return single;
}
