import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { InvalidRequestError, ServiceError } from "../errors.ts";
import { joined, ReceivedBody } from "./body.ts";
import { TargetResponseInvalidError, TargetTimeoutError, TargetUnreachableError } from "./errors.ts";
import type { Hop } from "./hop.ts";

/** Names in lower case, in the order they came; a name that came more than once has an array. */
export type ResponseHeaders = Record<string, string | string[]>;

export interface TargetResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The bytes as they come, with back-pressure to the socket; a `ReceivedBody` if all came at once. Destroying it closes the connection. */
  readonly body: Readable;
}

export interface ExchangeLimits {
  /** Until the response headers are there: resolving, connecting and sending included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const TIMEOUT_CODES = /^(?:UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;
const INVALID_CODES = /^UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$/;

/** Turns what a socket or parser threw into what a caller may be told; the address is named by host only. */
function targetError(error: Error, host: string): Error {
  if (error instanceof ServiceError) return error;
  const code = String((error as NodeJS.ErrnoException).code ?? "");
  if (TIMEOUT_CODES.test(code)) return new TargetTimeoutError(`${host} did not answer in time.`, { cause: error });
  if (error.name === "HTTPParserError" || INVALID_CODES.test(code)) {
    // Without its cause, which carries what the target sent.
    return new TargetResponseInvalidError(`${host} sent a response that is not valid or too large.`);
  }
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED") {
    return new InvalidRequestError("A header or the method cannot be sent over HTTP.", "headers");
  }
  return new TargetUnreachableError(`${host} could not be reached, or closed the connection.`, { cause: error });
}

const ignore = () => {};

/**
 * Sends one request and resolves as soon as the response headers are there.
 * Written on `dispatch` rather than `request`, because the latter cannot give up while a connection is being made.
 * @throws {ServiceError} as in errors.ts, or the signal's reason once it is aborted.
 */
export function exchange(pool: Dispatcher, hop: Hop, limits: ExchangeLimits): Promise<TargetResponse> {
  const { signal } = limits;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let body: Readable | undefined;
    let open: (() => void) | undefined;
    let stopped: Error | undefined;
    let isOver = false;
    let isComplete = false;
    /** What came together with the headers, while nobody has the body yet. */
    const early: Buffer[] = [];

    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const stop = (reason: Error) => {
      stopped ??= reason;
      open?.();
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
      () => stop(new TargetTimeoutError(`${hop.url.host} did not answer in time.`)),
      Math.max(1, limits.timeoutMs),
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });

    const streamOf = (started: Dispatcher.DispatchController): Readable => {
      const stream = new Readable({
        read: () => started.resume(),
        destroy(error, done) {
          release();
          if (!isOver) started.abort(error ?? new Error("The response is not read any further."));
          done(error);
        },
      });
      for (const chunk of early) if (!stream.push(chunk)) started.pause();
      return stream;
    };

    const { pathname, search, origin } = hop.url;
    pool.dispatch(
      { origin, path: pathname + search, method: hop.method, headers: hop.headers, body: hop.body },
      {
        onRequestStart(started) {
          controller = started;
          if (stopped) started.abort(stopped);
        },
        onResponseStart(started, status, headers) {
          if (status < 200) return;
          // RFC 9110 section 15; nothing on the way back to a caller carries others.
          if (status > 599)
            return stop(new TargetResponseInvalidError(`${hop.url.host} answered with status ${status}.`));
          clearTimeout(timer);
          open = () => {
            if (body) return;
            body = isComplete ? new ReceivedBody(joined(early)) : streamOf(started);
            // A stream that nobody listens to yet must not take the process down when it breaks.
            body.on("error", ignore);
            if (isComplete) release();
            resolve({ status, headers: headers as ResponseHeaders, body });
          };
          // The parser goes on to what else it has before any microtask runs.
          queueMicrotask(open);
        },
        onResponseData(started, chunk) {
          if (!body) early.push(chunk);
          else if (!body.destroyed && !body.push(chunk)) started.pause();
        },
        onResponseEnd() {
          isOver = true;
          isComplete = true;
          body?.push(null);
        },
        onResponseError(_controller, error) {
          isOver = true;
          stop(targetError(error, hop.url.host));
        },
      },
    );
  });
}
