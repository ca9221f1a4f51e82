// @module-tag postgresql
/** A one-time purchase token opens the fetch proxy and nothing else: over GraphQL, over WebSockets, in the logs, many times at once. */
import { createClient } from "graphql-ws";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { transactionChannel } from "../../src/payments/transaction-events.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { askForPayment, createToken, openTarget, use } from "../payments/purchase-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let owner: TestAccount;
beforeAll(async () => {
  // No chain answers: credit pays, and nothing settles.
  stack = await sharedStack();
  owner = await stack.account();
});

const sell = () =>
  openTarget((_request, response, isPaid) => {
    if (isPaid) response.setHeader("content-type", "application/json").end('{"sold":true}');
    else askForPayment(response);
  });
const FETCH = `mutation ($url: Url!) { x402Fetch(input: { url: $url }) { __typename
  ... on X402FetchSuccess { status json payment { transactionId } } ... on Error { code message } } }`;

it("calls the proxy over GraphQL as over REST, once", async () => {
  const target = await sell();
  const { token } = await createToken(stack, owner.token, { merchantUrl: target.origin });
  const paid = (await stack.graphql(token, FETCH, { url: `${target.origin}/report` })).json.data.x402Fetch;
  expect(paid).toMatchObject({ status: 200, json: { sold: true }, payment: { transactionId: expect.any(String) } });
  const second = (await stack.graphql(token, FETCH, { url: `${target.origin}/other` })).json.data.x402Fetch;
  expect(second).toMatchObject({ __typename: "PurchaseTokenUsedError", code: "purchase_token_used" });
  expect((await use(stack, token, target.origin)).json.error).toBe("purchase_token_used");
  expect(target.payments).toHaveLength(1);
});

it("shows and changes nothing of the account", async () => {
  const target = await sell();
  const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: target.origin });
  const idOf = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString("base64");
  const [payment] = await stack.service.deps.db.prisma.transaction.findMany({
    where: { accountId: owner.accountId },
    take: 1,
  });
  const code = "{ __typename ... on Error { code } }";
  const operations = [
    "{ viewer { account { id } } }",
    `{ node(id: "${idOf("Account", owner.accountId)}") { id } }`,
    `{ node(id: "${idOf("ApiToken", owner.tokenId)}") { id } }`,
    `{ node(id: "${idOf("PurchaseToken", tokenId)}") { id } }`,
    `{ nodes(ids: ["${idOf("Transaction", payment?.id ?? "")}"]) { id } }`,
    `{ x402Requirements(url: "${target.origin}") ${code} }`,
    `mutation { signPayment(input: { paymentRequirements: {}, requestData: { url: "${target.origin}" } }) ${code} }`,
    `mutation { sendTokens(input: { network: "base-sepolia", to: "0x1111111111111111111111111111111111111111", amount: "1" }) ${code} }`,
    `mutation { setX402Enabled(input: { enabled: false }) ${code} }`,
    `mutation { createApiToken(input: { name: "own" }) ${code} }`,
    `mutation { revokeApiToken(input: { id: "${idOf("ApiToken", owner.tokenId)}" }) ${code} }`,
    `mutation { createPurchaseToken(input: { merchantUrl: "${target.origin}", network: "base", maxAmountUsd: "1" }) ${code} }`,
    `mutation { payPurchaseToken(input: { id: "${idOf("PurchaseToken", tokenId)}" }) ${code} }`,
    `mutation { revokePurchaseToken(input: { id: "${idOf("PurchaseToken", tokenId)}" }) ${code} }`,
    "mutation { createLoginToken { __typename } }",
  ];
  for (const operation of operations) {
    const { json } = await stack.graphql(token, operation);
    const codes = (json.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
    expect(codes, operation).toEqual(["unauthorized"]);
    for (const value of Object.values(json.data ?? {})) expect([null, [null]], operation).toContainEqual(value);
  }
  expect(target.requests).toEqual([]);
  expect((await use(stack, token, target.origin)).status).toBe(200);
});

it("watches nothing over a WebSocket, not even what somebody else of the account watches already", async () => {
  const target = await sell();
  const { token } = await createToken(stack, owner.token, { merchantUrl: target.origin });
  const watch = (credential: string) => {
    const seen: unknown[] = [];
    const client = createClient({
      url: `${stack.baseUrl.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { "X-Service-Token": credential },
      retryAttempts: 0,
    });
    const ended = new Promise<unknown>((resolve) => {
      client.subscribe(
        { query: "subscription { transactionUpdated { cursor transaction { transactionId status } } }" },
        { next: (event) => void seen.push(event), error: resolve, complete: () => resolve(null) },
      );
    });
    return { seen, ended, client };
  };
  const own = watch(owner.token);
  await expect
    .poll(
      async () => {
        await stack.service.deps.pubsub.publish(transactionChannel(owner.accountId), (await anyPayment()).id);
        return own.seen.length;
      },
      { interval: 100 },
    )
    .toBeGreaterThan(0);
  const purchaser = watch(token);
  const refusal = await purchaser.ended;
  expect(JSON.stringify([refusal, purchaser.seen])).toContain("unauthorized");
  expect((await use(stack, token, target.origin)).status).toBe(200);
  expect(JSON.stringify(purchaser.seen)).not.toContain("tx_");
  await Promise.all([own.client.dispose(), purchaser.client.dispose()]);
});

async function anyPayment() {
  return await stack.service.deps.db.prisma.transaction.findFirstOrThrow({ where: { accountId: owner.accountId } });
}

it("is no line of a log, however it gets there", async () => {
  const { token } = await createToken(stack, owner.token, { merchantUrl: "https://shop.example/" });
  const lines: string[] = [];
  const logger = createLogger("trace", { write: (line) => void lines.push(line) });
  logger.info({ url: `/api/x402/fetch?url=${token}`, headers: { "x-service-token": token }, token }, `used ${token}`);
  logger.error({ err: new Error(`refused ${token}`) }, "failed");
  expect(lines).toHaveLength(2);
  expect(lines.join("")).not.toContain(token);
});

const paymentsOf = (tokenId: string) =>
  stack.service.deps.db.prisma.transaction.count({ where: { budgetIds: { has: tokenId } } });

describe("many uses at once", () => {
  it("make one payment, for the same resource and for different ones", async () => {
    const target = await openTarget((_request, response, isPaid) => {
      if (isPaid) response.end("sold");
      else askForPayment(response);
    });
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: target.origin });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => use(stack, token, `${target.origin}/${index % 2 ? "same" : index}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, json }) => `${status} ${json.error}`))).toEqual(
      new Set(["401 purchase_token_used"]),
    );
    expect(target.payments).toHaveLength(1);
    expect(await paymentsOf(tokenId)).toBe(1);
  });

  it("under one key make one payment too", async () => {
    const target = await openTarget((_request, response, isPaid) => {
      if (isPaid) response.end("sold");
      else askForPayment(response);
    });
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: target.origin });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => use(stack, token, target.origin, { key: "pt-many" })),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(new Set(target.payments).size).toBe(1);
    expect(await paymentsOf(tokenId)).toBe(1);
  });
});
