/** The only way the service speaks HTTP to addresses that a user or a target chose. */
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
  /** Connection management, framing and `host` among them are ignored. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | null;
  readonly signal?: AbortSignal | undefined;
  /** Until the final response headers are there, over all redirects. */
  readonly timeoutMs: number;
  /** 0 hands the redirect itself back. Default 5. */
  readonly maxRedirects?: number;
  /** Headers that never cross an origin, besides authorization, cookies and payment headers. */
  readonly secretHeaders?: readonly string[];
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Not decompressed. Must be read or destroyed. */
  readonly body: Readable;
  /** The address that answered. */
  readonly url: string;
  /** The request that got this answer: after redirects its method, headers and body may differ from what was asked. */
  readonly sent: Pick<Hop, "method" | "headers" | "body">;
}

export interface Egress {
  /**
   * Sends a request to an address that is not trusted; the address and every redirect are checked.
   * @throws {InvalidRequestError} the address or a header is malformed.
   * @throws {UrlNotAllowedError | TargetUnreachableError | TargetTimeoutError | TargetResponseInvalidError}
   *   the signal's reason when it is aborted.
   */
  request(input: EgressRequest): Promise<EgressResponse>;
  /** Breaks off what is under way and closes every connection. */
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
          signal,
        });
        const { status, headers, body } = response;
        const location = headers["location"];
        if (maxRedirects === 0 || !isRedirect(status, location)) {
          return { status, headers, body, url: hop.url.href, sent: hop };
        }
        // One that came with its headers is read already; of any other nobody knows when it will end.
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
