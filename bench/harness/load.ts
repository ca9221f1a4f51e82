import autocannon, { type AutocannonRequest } from "autocannon";

/** Bounds one request: a server that hangs ends the bench instead of holding it. */
const REQUEST_TIMEOUT_SECONDS = 20;

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly method?: "GET" | "POST";
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Headers that each connection sends besides, taken in turn: an account for each connection. */
  readonly headersByConnection?: readonly Record<string, string>[];
}

/** Keeps every connection busy for `durationMs`; answers how many requests a second were answered with 2xx. @throws when one was not. */
export async function fireHttp(load: Load, durationMs: number): Promise<number> {
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
