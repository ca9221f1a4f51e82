/** HTTP requests of one connection to an MCP server, through the egress guard and with limits on size and time. */
import { Readable } from "node:stream";
import { type FetchLike, ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { ReceivedBody } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
} from "../../platform/egress/errors.ts";
import { ServiceError } from "../../platform/errors.ts";
import { MAX_RESPONSE_BYTES, type ServerRefusal, ServerRefusalError } from "./server-refusal.ts";

/** Time limit for the end of a session, which delays no caller. */
export const END_SESSION_TIMEOUT_MS = 2_000;

export interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Requests of one connection, with the failure of the current one, which the client hides in errors of its own. */
export function createExchange(egress: Pick<Egress, "request">, firstUrl: string) {
  let url = firstUrl;
  let failure: Error | null = null;
  let refusal: Extract<ServerRefusal, { kind: "http" }> | null = null;
  let ended = new AbortController();
  let deadlineMs = 0;

  const fetch: FetchLike = async (target, init) => {
    // Server-initiated messages are not accepted, so there is no stream for them and none to resume.
    if (init?.method === "GET") return new Response(null, { status: 405 });
    const isPost = init?.method === "POST";
    try {
      const response = await egress.request({
        url: String(target),
        method: isPost ? "POST" : "DELETE",
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === "string" ? init.body : null,
        timeoutMs: isPost ? Math.max(1, deadlineMs - performance.now()) : END_SESSION_TIMEOUT_MS,
        signal: init?.signal ?? undefined,
        // The transport follows redirects within the origin only: a payment is part of the body.
        maxRedirects: 0,
      });
      if (isPost) url = response.url;
      const { status, headers } = response;
      if (isPost) refusal = status >= 400 ? { kind: "http", status, headers } : null;
      const fail = (error: Error) => {
        // After an abort the timeout or the caller's disconnection is the reason.
        if (!init?.signal?.aborted) failure ??= error;
      };
      return new Response(hasBody(status) ? readWithin(response.body, fail) : discard(response.body), {
        status,
        headers: Object.entries(headers).flatMap(([name, values]) =>
          [values].flat().map((value): [string, string] => [name, value]),
        ),
      });
    } catch (error) {
      if (isPost && error instanceof ServiceError) failure ??= error;
      throw error;
    }
  };

  return {
    fetch,
    url: () => url,
    /** Rejects the current request, unless its result was received before the end. */
    endOfStream: () => {
      const { signal } = ended;
      const controller = ended;
      // The client handles a received result first.
      setImmediate(() => {
        if (signal.aborted) return;
        failure ??= new TargetUnreachableError("The server ended its response without a result.");
        controller.abort();
      });
    },
    async run<Result>(
      { timeoutMs, signal }: RequestLimits,
      work: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      failure = null;
      refusal = null;
      ended = new AbortController();
      deadlineMs = performance.now() + timeoutMs;
      try {
        return await work(signal ? AbortSignal.any([signal, ended.signal]) : ended.signal);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw failure ?? toTargetError(error, refusal);
      }
    },
  };
}

function hasBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

function discard(body: Readable): null {
  body.destroy();
  return null;
}

/** Returns the body as a web stream that fails above the maximum size. */
function readWithin(body: Readable, onFailure: (error: Error) => void): BodyInit {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let sizeBytes = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > MAX_RESPONSE_BYTES) throw new ServerRefusalError({ kind: "too_large" });
        yield chunk;
      }
    } catch (error) {
      const isKnown = error instanceof ServiceError || error instanceof ServerRefusalError;
      onFailure(isKnown ? error : new TargetUnreachableError("The server's response broke off."));
      throw error;
    }
  }
  if (body instanceof ReceivedBody && body.bytes.byteLength <= MAX_RESPONSE_BYTES) return Buffer.from(body.bytes);
  return Readable.toWeb(Readable.from(chunks())) as unknown as BodyInit;
}

function toTargetError(error: unknown, refusal: ServerRefusal | null): Error {
  if (error instanceof ServiceError) return error;
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return new ServerRefusalError({ kind: "rpc", code, message, data });
  }
  if (refusal) return new ServerRefusalError(refusal);
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType) {
    const { resultType } = error.data as { resultType: unknown };
    return new ServerRefusalError({ kind: "result_type", resultType: String(resultType) });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new TargetTimeoutError("The server did not respond in time.");
  }
  return new TargetResponseInvalidError("The server's response is not a valid message of the Model Context Protocol.");
}
