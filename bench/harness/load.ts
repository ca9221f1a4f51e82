import autocannon, { type AutocannonRequest } from "autocannon";

/** Timeout of one request. A server that hangs makes the benchmark fail. */
const REQUEST_TIMEOUT_SECONDS = 20;

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly method?: "GET" | "POST";
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Additional headers of each connection, assigned round-robin. */
  readonly headersByConnection?: readonly Record<string, string>[];
}

/**
 * Sends requests on every connection for `durationMs`.
 * @returns requests per second
 * @throws if a request fails or its status is not 2xx
 */
export async function runHttpLoad(load: Load, durationMs: number): Promise<number> {
  const { url, connections, method = "GET", headers = {}, body, headersByConnection } = load;
  const request: AutocannonRequest = { method, headers, ...(body === undefined ? {} : { body }) };
  let opened = 0;
  const result = await autocannon({
    url,
    connections,
    duration: durationMs / 1_000,
    timeout: REQUEST_TIMEOUT_SECONDS,
    requests: [request],
    ...(headersByConnection && {
      setupClient(client) {
        const own = headersByConnection[opened++ % headersByConnection.length];
        client.setRequests([{ ...request, headers: { ...headers, ...own } }]);
      },
    }),
  });
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed.`);
  return result.requests.total / result.duration;
}
