/** Helpers that create purchase tokens as the account owner and use them as an agent. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createOffer } from "../security/seller.ts";
import type { Stack, TestResponse } from "../support/stack.ts";

const CREATE = `mutation ($input: CreatePurchaseTokenInput!) { createPurchaseToken(input: $input) { __typename
  ... on CreatePurchaseTokenSuccess { token purchaseToken { id purchaseTokenId status merchantUrl network maxAmountUsd expiresAt createdAt } }
  ... on Error { code message } ... on InvalidRequestError { field } ... on UnsupportedNetworkError { field } ... on RateLimitedError { retryAfterMs } } }`;

export interface NewToken {
  readonly merchantUrl: string;
  readonly network?: string;
  readonly maxAmountUsd?: string;
}

export async function createToken(
  stack: Pick<Stack, "graphql">,
  creator: string,
  { network, maxAmountUsd, ...input }: NewToken,
) {
  const result = await createTokenResult(stack, creator, {
    network: network ?? "base-sepolia",
    maxAmountUsd: maxAmountUsd ?? "1",
    ...input,
  });
  if (!result.token) throw new Error(JSON.stringify(result));
  return { token: result.token as string, tokenId: result.purchaseToken.purchaseTokenId as string };
}

/** Creates a token and returns the result union or the first error. */
export async function createTokenResult(stack: Pick<Stack, "graphql">, creator: string, input: object) {
  const { json } = await stack.graphql(creator, CREATE, { input });
  return json.data?.createPurchaseToken ?? json.errors[0];
}

export function fetchWithToken(
  stack: Stack,
  token: string,
  url: string,
  { key, ...query }: { key?: string; [name: string]: string | undefined } = {},
): Promise<TestResponse> {
  const search = new URLSearchParams({ url, ...(query as Record<string, string>) });
  return stack.rest(token, "POST", `/api/x402/fetch?${search}`, undefined, key ? { "idempotency-key": key } : {});
}

/** Reads a token as its owner. */
export async function readToken(stack: Pick<Stack, "graphql">, owner: string, tokenId: string) {
  const query = `query ($id: ID!) { node(id: $id) { ... on PurchaseToken { status revokedAt transaction { transactionId status amountUsd purchaseToken { purchaseTokenId } } } } }`;
  const id = Buffer.from(`PurchaseToken:${tokenId}`).toString("base64");
  return (await stack.graphql(owner, query, { id })).json.data.node;
}

/** Starts a target on loopback that handles requests with `handle` and records payments and requests. */
export async function openTarget(
  handle: (request: IncomingMessage, response: ServerResponse, isPaid: boolean) => void,
): Promise<{ origin: string; payments: string[]; requests: string[] }> {
  const payments: string[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const payment = request.headers["x-payment"];
    requests.push(`${request.method} ${request.url}`);
    if (typeof payment === "string") payments.push(payment);
    handle(request, response, typeof payment === "string");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, payments, requests };
}

export function respondWith402(response: ServerResponse, changes: object = {}): void {
  response.writeHead(402, { "content-type": "application/json" }).end(JSON.stringify(createOffer(changes)));
}
