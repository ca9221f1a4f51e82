/** HTTP client of a running service. */

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  readonly json: any;
}

export interface Api {
  /** `POST /api/x402/fetch`; `options` are its query parameters. */
  fetch(
    url: string,
    options?: Record<string, string | number>,
    headers?: Record<string, string>,
  ): Promise<TestResponse>;
  /** `POST /api/sign-payment` for the payment requirements of `url`, or for the given ones. */
  sign(url: string, requirements?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  graphql(query: string, variables?: object, headers?: Record<string, string>): Promise<TestResponse>;
}

export function createApiClient(baseUrl: string, token: string): Api {
  const post = async (path: string, body: unknown, headers: Record<string, string>): Promise<TestResponse> => {
    const response = await fetch(baseUrl + path, {
      method: "POST",
      headers: {
        "x-service-token": token,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    let json: unknown = null;
    try {
      json = JSON.parse(text);
    } catch {}
    return { status: response.status, headers: response.headers, text, json };
  };
  return {
    fetch(url, options = {}, headers = {}) {
      const query = new URLSearchParams({ url, ...options } as Record<string, string>);
      return post(`/api/x402/fetch?${query}`, undefined, headers);
    },
    async sign(url, requirements, headers = {}) {
      const paymentRequirements = requirements ?? (await fetchRequirements(url));
      return await post("/api/sign-payment", { paymentRequirements, requestData: { url, method: "GET" } }, headers);
    },
    graphql: (query, variables = {}, headers = {}) => post("/graphql", { query, variables }, headers),
  };
}

/** Fetches the payment requirements of a seller, in version 1 or 2 of X402. */
export async function fetchRequirements(url: string, method = "GET"): Promise<unknown> {
  const response = await fetch(url, { method });
  const header = response.headers.get("payment-required");
  return header ? JSON.parse(Buffer.from(header, "base64").toString()) : await response.json();
}
