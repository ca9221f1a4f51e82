// @module-tag postgresql
/** A one-time purchase token is accepted only by the fetch proxy: GraphQL, WebSockets, logs and concurrent use. */
import { createClient } from "graphql-ws";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { transactionChannel } from "../../src/payments/transaction-events.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { createToken, fetchWithToken, openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let owner: TestAccount;
beforeAll(async () => {
  // Credit pays, so the tests need no settlement on a chain.
  stack = await sharedStack();
  owner = await stack.account();
});

const openSeller = () =>
  openTarget((_request, response, isPaid) => {
    if (isPaid) response.setHeader("content-type", "application/json").end('{"sold":true}');
    else respondWith402(response);
  });
const FETCH = `mutation ($url: Url!) { x402Fetch(input: { url: $url }) { __typename
  ... on X402FetchSuccess { status json payment { transactionId } } ... on Error { code message } } }`;

it("is accepted by the proxy once, over GraphQL or REST", async () => {
  const target = await openSeller();
  const { token } = await createToken(stack, owner.token, { merchantUrl: target.origin });
  const paid = (await stack.graphql(token, FETCH, { url: `${target.origin}/report` })).json.data.x402Fetch;
  expect(paid).toMatchObject({ status: 200, json: { sold: true }, payment: { transactionId: expect.any(String) } });
  const second = (await stack.graphql(token, FETCH, { url: `${target.origin}/other` })).json.data.x402Fetch;
  expect(second).toMatchObject({ __typename: "PurchaseTokenUsedError", code: "PURCHASE_TOKEN_USED" });
  expect((await fetchWithToken(stack, token, target.origin)).json.error).toBe("purchase_token_used");
  expect(target.payments).toHaveLength(1);
});

it("cannot read or change the account", async () => {
  const target = await openSeller();
  const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: target.origin });
  const createGlobalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString("base64");
  const [payment] = await stack.service.deps.db.prisma.transaction.findMany({
    where: { accountId: owner.accountId },
    take: 1,
  });
  const code = "{ __typename ... on Error { code } }";
  const operations = [
    "{ viewer { account { id } } }",
    `{ node(id: "${createGlobalId("Account", owner.accountId)}") { id } }`,
    `{ node(id: "${createGlobalId("ApiToken", owner.tokenId)}") { id } }`,
    `{ node(id: "${createGlobalId("PurchaseToken", tokenId)}") { id } }`,
    `{ nodes(ids: ["${createGlobalId("Transaction", payment?.id ?? "")}"]) { id } }`,
    `{ x402Requirements(url: "${target.origin}") ${code} }`,
    `mutation { signPayment(input: { paymentRequirements: {}, requestData: { url: "${target.origin}" } }) ${code} }`,
    `mutation { sendTokens(input: { network: "base-sepolia", to: "0x1111111111111111111111111111111111111111", amount: "1" }) ${code} }`,
    `mutation { setX402Enabled(input: { enabled: false }) ${code} }`,
    `mutation { createApiToken(input: { name: "own" }) ${code} }`,
    `mutation { revokeApiToken(input: { id: "${createGlobalId("ApiToken", owner.tokenId)}" }) ${code} }`,
    `mutation { createPurchaseToken(input: { merchantUrl: "${target.origin}", network: "base", maxAmountUsd: "1" }) ${code} }`,
    `mutation { payPurchaseToken(input: { purchaseToken: { id: "${createGlobalId("PurchaseToken", tokenId)}" } }) ${code} }`,
    `mutation { revokePurchaseToken(input: { id: "${createGlobalId("PurchaseToken", tokenId)}" }) ${code} }`,
    "mutation { createLoginToken { __typename } }",
  ];
  for (const operation of operations) {
    const { json } = await stack.graphql(token, operation);
    const codes = (json.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
    expect(codes, operation).toEqual(["unauthorized"]);
    for (const value of Object.values(json.data ?? {})) expect([null, [null]], operation).toContainEqual(value);
  }
  expect(target.requests).toEqual([]);
  expect((await fetchWithToken(stack, token, target.origin)).status).toBe(200);
});

it("cannot subscribe over a WebSocket, not even to a running subscription of the account", async () => {
  const target = await openSeller();
  const { token } = await createToken(stack, owner.token, { merchantUrl: target.origin });
  const watch = (credential: string) => {
    const events: unknown[] = [];
    const client = createClient({
      url: `${stack.baseUrl.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { "X-Service-Token": credential },
      retryAttempts: 0,
    });
    const ended = new Promise<unknown>((resolve) => {
      client.subscribe(
        { query: "subscription { transactionUpdated { cursor transaction { transactionId status } } }" },
        { next: (event) => void events.push(event), error: resolve, complete: () => resolve(null) },
      );
    });
    return { events, ended, client };
  };
  const own = watch(owner.token);
  await expect
    .poll(
      async () => {
        await stack.service.deps.pubsub.publish(transactionChannel(owner.accountId), (await findAnyPayment()).id);
        return own.events.length;
      },
      { interval: 100 },
    )
    .toBeGreaterThan(0);
  const purchaser = watch(token);
  const error = await purchaser.ended;
  expect(JSON.stringify([error, purchaser.events])).toContain("unauthorized");
  expect((await fetchWithToken(stack, token, target.origin)).status).toBe(200);
  expect(JSON.stringify(purchaser.events)).not.toContain("tx_");
  await Promise.all([own.client.dispose(), purchaser.client.dispose()]);
});

async function findAnyPayment() {
  return await stack.service.deps.db.prisma.transaction.findFirstOrThrow({ where: { accountId: owner.accountId } });
}

it("is redacted in log lines", async () => {
  const { token } = await createToken(stack, owner.token, { merchantUrl: "https://merchant.example/" });
  const lines: string[] = [];
  const logger = createLogger("trace", { write: (line) => void lines.push(line) });
  logger.info({ url: `/api/x402/fetch?url=${token}`, headers: { "x-service-token": token }, token }, `used ${token}`);
  logger.error({ err: new Error(`refused ${token}`) }, "failed");
  expect(lines).toHaveLength(2);
  expect(lines.join("")).not.toContain(token);
});

const countPayments = (tokenId: string) =>
  stack.service.deps.db.prisma.transaction.count({ where: { budgetIds: { has: tokenId } } });

describe("concurrent uses", () => {
  it("make one payment, for the same resource and for different ones", async () => {
    const target = await openTarget((_request, response, isPaid) => {
      if (isPaid) response.end("sold");
      else respondWith402(response);
    });
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: target.origin });
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        fetchWithToken(stack, token, `${target.origin}/${index % 2 ? "same" : index}`),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const rejected = responses.filter(({ status }) => status !== 200);
    expect(new Set(rejected.map(({ status, json }) => `${status} ${json.error}`))).toEqual(
      new Set(["401 purchase_token_used"]),
    );
    expect(target.payments).toHaveLength(1);
    expect(await countPayments(tokenId)).toBe(1);
  });

  it("make one payment with the same idempotency key", async () => {
    const target = await openTarget((_request, response, isPaid) => {
      if (isPaid) response.end("sold");
      else respondWith402(response);
    });
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: target.origin });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => fetchWithToken(stack, token, target.origin, { key: "pt-many" })),
    );
    for (const { status } of responses) expect([200, 409]).toContain(status);
    expect(responses.some(({ status }) => status === 200)).toBe(true);
    expect(new Set(target.payments).size).toBe(1);
    expect(await countPayments(tokenId)).toBe(1);
  });
});
