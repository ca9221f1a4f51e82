/** The demo is a client like any other: it knows `sandbox.json` and speaks HTTP. */
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

/** Reads where everything is, as the running service wrote it. */
export function readSandboxFile(dataDir: string): SandboxFile | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8")) as SandboxFile;
  } catch {
    return null;
  }
}

/** Runs a GraphQL operation; errors of the request itself throw, refusals are data. */
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

export interface PaidAnswer {
  status: number;
  body: string;
  transactionId: string | null;
  amountUsd: string | null;
  milliseconds: number;
}

/** Asks the REST proxy for a resource, as the README's `curl` does. */
export async function fetchPaid(file: SandboxFile, path: string, apiToken = file.apiToken): Promise<PaidAnswer> {
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
