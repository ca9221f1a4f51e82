/** HTTP client for every request to an untrusted URL, from a user or from a response. */
import type { Readable } from "node:stream";
import { ReceivedBody } from "./body.ts";
import { TargetResponseInvalidError } from "./errors.ts";
import { exchange, type ResponseHeaders } from "./exchange.ts";
import { followRedirect, type Hop, isRedirect, outgoingHeaders } from "./hop.ts";
import { createPools, type PoolOptions } from "./pools.ts";
import { parseTargetUrl } from "./target-url.ts";

export type EgressOptions = Pick<PoolOptions, "allowLoopback"> & Partial<PoolOptions>;

export interface EgressRequest {
  readonly url: string;
  readonly method: string;
  /** Headers for connection management or framing, and `host`, are ignored. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | null;
  readonly signal?: AbortSignal | undefined;
  /** Maximum time until the final response headers, including redirects. */
  readonly timeoutMs: number;
  /** Maximum silence within the response's body. Default 60 seconds. */
  readonly bodyIdleMs?: number | undefined;
  /** 0 returns the redirect response. Default 5. */
  readonly maxRedirects?: number;
  /** Headers to remove on a cross-origin redirect, in addition to authorization, cookies and payment headers. */
  readonly secretHeaders?: readonly string[];
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Not decompressed. Must be read or destroyed. */
  readonly body: Readable;
  /** The URL of the response, after redirects. */
  readonly url: string;
  /** The last request. After redirects its method, headers and body may differ from the input. */
  readonly sent: Pick<Hop, "method" | "headers" | "body">;
}

export interface Egress {
  /**
   * Sends a request to an untrusted URL. Checks the URL and every redirect.
   *
   * @throws {InvalidRequestError} the URL or a header is malformed
   * @throws {UrlNotAllowedError | TargetUnreachableError | TargetTimeoutError | TargetResponseInvalidError}
   * @throws the signal's reason after an abort
   */
  request(input: EgressRequest): Promise<EgressResponse>;
  /** Aborts in-flight requests and closes all connections. */
  close(): Promise<void>;
}

const DEFAULT_MAX_REDIRECTS = 5;

export function createEgress(options: EgressOptions): Egress {
  const { allowLoopback } = options;
  const pools = createPools({
    connectTimeoutMs: 10_000,
    bodyIdleTimeoutMs: 60_000,
    maxOrigins: 512,
    maxConnectionsPerOrigin: 1_000,
    keepAliveMs: 4_000,
    ...options,
  });
  return {
    async request(input) {
      const { signal, maxRedirects = DEFAULT_MAX_REDIRECTS, secretHeaders = [] } = input;
      const deadlineMs = performance.now() + input.timeoutMs;
      let hop: Hop = {
        url: parseTargetUrl(input.url, allowLoopback),
        method: input.method,
        headers: outgoingHeaders(input.headers),
        body: input.body ?? null,
      };
      for (let redirects = 0; ; redirects++) {
        const response = await exchange(pools.forOrigin(hop.url.origin), hop, {
          timeoutMs: deadlineMs - performance.now(),
          bodyIdleMs: input.bodyIdleMs,
          signal,
        });
        const { status, headers, body } = response;
        const location = headers["location"];
        if (maxRedirects === 0 || !isRedirect(status, location)) {
          return { status, headers, body, url: hop.url.href, sent: hop };
        }
        // A ReceivedBody is complete, so its connection can be reused. Any other body could be endless.
        if (!(body instanceof ReceivedBody)) body.destroy();
        if (redirects === maxRedirects) {
          throw new TargetResponseInvalidError(`${hop.url.host} redirects more than ${maxRedirects} times.`);
        }
        hop = followRedirect(hop, status, location, secretHeaders, allowLoopback);
      }
    },
    close: () => pools.close(),
  };
}
