import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { InvalidRequestError, ServiceError } from "../errors.ts";
import { concatChunks, ReceivedBody } from "./body.ts";
import { TargetResponseInvalidError, TargetTimeoutError, TargetUnreachableError } from "./errors.ts";
import type { Hop } from "./hop.ts";

/** Header values by lower-case name, in the order received. A repeated header has an array of values. */
export type ResponseHeaders = Record<string, string | string[]>;

export interface TargetResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /**
   * The body stream, with back-pressure to the socket, or a `ReceivedBody` if it came with the headers. Destroying an incomplete
   * stream closes the connection.
   */
  readonly body: Readable;
}

export interface ExchangeLimits {
  /** Maximum time until the response headers, including DNS resolution, connecting and sending. */
  readonly timeoutMs: number;
  /** Maximum silence within the body; undefined applies the pool's. */
  readonly bodyIdleMs?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

const TIMEOUT_CODES = /^(?:UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;
const INVALID_CODES = /^UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$/;

/** Converts an error of the socket or parser into one for the caller. The message names the host only, not the URL. */
function toTargetError(error: Error, host: string): Error {
  if (error instanceof ServiceError) return error;
  const code = String((error as NodeJS.ErrnoException).code ?? "");
  if (TIMEOUT_CODES.test(code)) return new TargetTimeoutError(`${host} did not respond in time.`, { cause: error });
  if (error.name === "HTTPParserError" || INVALID_CODES.test(code)) {
    // Without `cause`, since it contains bytes from the target.
    return new TargetResponseInvalidError(`${host} sent a response that is invalid or too large.`);
  }
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED") {
    return new InvalidRequestError("A header or the method cannot be sent over HTTP.", "headers");
  }
  return new TargetUnreachableError(`${host} is unreachable or closed the connection.`, { cause: error });
}

const ignore = () => {};

/**
 * Sends one request. Resolves with the response headers, before the body is complete.
 * Calls undici's `dispatch` because `request` cannot be aborted while it connects.
 * @throws {ServiceError} an error of errors.ts, or the signal's reason after an abort
 */
export function exchange(pool: Dispatcher, hop: Hop, limits: ExchangeLimits): Promise<TargetResponse> {
  const { signal } = limits;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let body: Readable | undefined;
    let deliverResponse: (() => void) | undefined;
    let abortReason: Error | undefined;
    let hasEnded = false;
    let isComplete = false;
    /** Chunks received before `body` exists. */
    const early: Buffer[] = [];

    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const stop = (reason: Error) => {
      abortReason ??= reason;
      deliverResponse?.();
      if (body) return void body.destroy(reason);
      release();
      reject(reason);
      controller?.abort(reason);
    };
    const onAbort = () => {
      const reason: unknown = signal?.reason;
      stop(reason instanceof Error ? reason : new Error("The request was aborted.", { cause: reason }));
    };
    const timer = setTimeout(
      () => stop(new TargetTimeoutError(`${hop.url.host} did not respond in time.`)),
      Math.max(1, limits.timeoutMs),
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });

    const createStream = (started: Dispatcher.DispatchController): Readable => {
      const stream = new Readable({
        read: () => started.resume(),
        destroy(error, done) {
          release();
          if (!hasEnded) started.abort(error ?? new Error("The response body was destroyed."));
          done(error);
        },
      });
      for (const chunk of early) if (!stream.push(chunk)) started.pause();
      return stream;
    };

    const { pathname, search, origin } = hop.url;
    pool.dispatch(
      {
        ...{ origin, path: pathname + search, method: hop.method, headers: hop.headers, body: hop.body },
        ...(limits.bodyIdleMs !== undefined && { bodyTimeout: limits.bodyIdleMs }),
      },
      {
        onRequestStart(started) {
          controller = started;
          if (abortReason) started.abort(abortReason);
        },
        onResponseStart(started, status, headers) {
          if (status < 200) return;
          // RFC 9110 section 15: status codes above 599 are invalid.
          if (status > 599)
            return stop(new TargetResponseInvalidError(`${hop.url.host} responded with the invalid status ${status}.`));
          clearTimeout(timer);
          deliverResponse = () => {
            if (body) return;
            body = isComplete ? new ReceivedBody(concatChunks(early)) : createStream(started);
            // Without a listener, an error before the caller reads the stream would end the process.
            body.on("error", ignore);
            if (isComplete) release();
            resolve({ status, headers: headers as ResponseHeaders, body });
          };
          // The parser first emits the rest of its buffer, so a short body is complete when the microtask runs.
          queueMicrotask(deliverResponse);
        },
        onResponseData(started, chunk) {
          if (!body) early.push(chunk);
          else if (!body.destroyed && !body.push(chunk)) started.pause();
        },
        onResponseEnd() {
          hasEnded = true;
          isComplete = true;
          body?.push(null);
        },
        onResponseError(_controller, error) {
          hasEnded = true;
          stop(toTargetError(error, hop.url.host));
        },
      },
    );
  });
}
