/** HTTP requests of one connection to an MCP server, through the egress guard and with limits on size and time. */
import { Readable } from "node:stream";
import { type FetchLike, ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { Egress } from "../../platform/egress/egress.ts";
import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
} from "../../platform/egress/errors.ts";
import { ServiceError } from "../../platform/errors.ts";
import { isWithinDepth } from "../../platform/json-depth.ts";
import { MAX_RESPONSE_BYTES, MAX_RESULT_DEPTH, type ServerRefusal, ServerRefusalError } from "./server-refusal.ts";

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
  let deadlineMs = 0;
  let receivedBytes = 0;
  const receive = (sizeBytes: number) => {
    receivedBytes += sizeBytes;
    if (receivedBytes > MAX_RESPONSE_BYTES) throw new ServerRefusalError({ kind: "too_large" });
  };

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
      return new Response(hasBody(status) ? readWithin(response.body, receive, fail) : discard(response.body), {
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
    /**
     * Runs an operation.
     * @param work `endOfStream` rejects the operation, unless its result was received before. Streams of earlier operations may end
     *   meanwhile, and must not call it.
     */
    async run<Result>(
      { timeoutMs, signal }: RequestLimits,
      work: (signal: AbortSignal, endOfStream: () => void) => Promise<Result>,
    ): Promise<Result> {
      failure = null;
      refusal = null;
      receivedBytes = 0;
      deadlineMs = performance.now() + timeoutMs;
      const ended = new AbortController();
      let isRunning = true;
      const endOfStream = () => {
        // The client handles a received result first.
        setImmediate(() => {
          if (!isRunning || ended.signal.aborted) return;
          failure ??= new TargetUnreachableError("The server ended its response without a result.");
          ended.abort();
        });
      };
      try {
        return await work(signal ? AbortSignal.any([signal, ended.signal]) : ended.signal, endOfStream);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw failure ?? toTargetError(error, refusal);
      } finally {
        isRunning = false;
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

/** Returns the body as a web stream. @param receive throws if what was received exceeds the maximum */
function readWithin(body: Readable, receive: (sizeBytes: number) => void, onFailure: (error: Error) => void): BodyInit {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        receive(chunk.byteLength);
        yield chunk;
      }
    } catch (error) {
      const isKnown = error instanceof ServiceError || error instanceof ServerRefusalError;
      onFailure(isKnown ? error : new TargetUnreachableError("The server's response broke off."));
      throw error;
    }
  }
  return Readable.toWeb(Readable.from(chunks())) as unknown as BodyInit;
}

function toTargetError(error: unknown, refusal: ServerRefusal | null): Error {
  if (error instanceof ServiceError || error instanceof ServerRefusalError) return error;
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    if (!isWithinDepth(data, MAX_RESULT_DEPTH)) return new ServerRefusalError({ kind: "too_deep" });
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
