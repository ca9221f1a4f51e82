/** HTTP client of the demo. It depends only on `sandbox.json`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface SandboxFile {
  baseUrl: string;
  graphqlUrl: string;
  apiToken: string;
  walletAddress: string;
  shopUrl: string;
  networks: Record<string, { rpcUrl: string; chainId?: number; usdc: string }>;
}

/** Reads the endpoints that the running service wrote to `sandbox.json`. Returns null without that file. */
export function readSandboxFile(dataDir: string): SandboxFile | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8")) as SandboxFile;
  } catch {
    return null;
  }
}

/** Executes a GraphQL operation. Throws on request errors; error results are returned as data. */
export async function graphql<Data>(
  { graphqlUrl, apiToken }: Pick<SandboxFile, "graphqlUrl" | "apiToken">,
  query: string,
  variables: object = {},
): Promise<Data> {
  const response = await fetch(graphqlUrl, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${apiToken}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] };
  if (errors?.[0]) throw new Error(errors[0].message);
  return data;
}

export interface PaidResponse {
  status: number;
  body: string;
  transactionId: string | null;
  amountUsd: string | null;
  milliseconds: number;
}

/** Fetches a resource through the REST proxy, like the README's `curl` command. */
export async function fetchPaid(file: SandboxFile, path: string, apiToken = file.apiToken): Promise<PaidResponse> {
  const startedMs = performance.now();
  const target = encodeURIComponent(`${file.shopUrl}${path}`);
  const response = await fetch(`${file.baseUrl}/api/x402/fetch?url=${target}`, {
    method: "POST",
    headers: { "x-service-token": apiToken },
  });
  return {
    status: response.status,
    body: await response.text(),
    transactionId: response.headers.get("x-satchel-payment-id"),
    amountUsd: response.headers.get("x-satchel-amount-paid"),
    milliseconds: Math.round(performance.now() - startedMs),
  };
}
