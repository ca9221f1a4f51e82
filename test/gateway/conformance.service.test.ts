/** Every dialect of providers with every shape of requests: chain, ledger, call record and shown cost agree. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import type { TestAccount } from "../support/stack.ts";
import { CONFIGURED, DIALECTS, type Dialect } from "./dialects.ts";
import { type GatewayStack, startGatewayStack } from "./gateway-harness.ts";
import { BODIES, CLIENTS } from "./request-corpus.ts";

/** The text of each choice. */
const TEXTS = ["Hello from here.", "Hello from there."];

let server: Server;
let gateway: GatewayStack;

/** Responds as the dialect in the path does: `/<dialect>/v1`, and `/paid/<dialect>/v1` behind the sandbox's X402 gate. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const [, first = "", second = ""] = (request.url ?? "").split("/");
  const dialect = DIALECTS.find(({ name }) => name === (first === "paid" ? second : first));
  if (!dialect) return void response.writeHead(404).end();
  const { stream, n } = JSON.parse(body.toString()) as { stream?: boolean; n?: number | null };
  let headers: Record<string, string> = {};
  if (first === "paid") {
    const gate = await fetch(`${gateway.sandbox.llmUrl}/exact-v1/v1/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(request.headers["x-payment"] && { "x-payment": String(request.headers["x-payment"]) }),
      },
      body: JSON.stringify({ model: "sandbox/echo", max_tokens: 4, messages: [{ role: "user", content: "Hello" }] }),
    });
    const text = await gate.text();
    if (gate.status !== 200) return void response.writeHead(gate.status).end(text);
    headers = { "x-payment-response": gate.headers.get("x-payment-response") ?? "" };
  }
  const texts = TEXTS.slice(0, n ?? 1);
  if (!stream) return void response.writeHead(200, headers).end(dialect.whole(texts));
  response.writeHead(200, { ...headers, "content-type": "text/event-stream" }).end(dialect.stream(texts));
}

beforeAll(async () => {
  server = createServer((request, response) => void respond(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const model = (id: string) => ({
    ...{ id, contextLength: 8_000, ...CONFIGURED, tokensPerPicture: 100 },
    supportedParameters: ["max_tokens", "max_completion_tokens"],
  });
  gateway = await startGatewayStack({
    GATEWAY_PROVIDERS: JSON.stringify(
      DIALECTS.flatMap(({ name, configuration }) => [
        {
          name,
          baseUrl: `${url}/${name}/v1`,
          kind: "key",
          apiKey: "k",
          ...configuration,
          models: [model(`key/${name}`)],
        },
        { name: `paid-${name}`, baseUrl: `${url}/paid/${name}/v1`, kind: "x402", models: [model(`paid/${name}`)] },
      ]),
    ),
    GATEWAY_WALLET_MIN_USD: "0.000001",
    FREE_CREDIT_USD: "1000",
  });
});
afterAll(async () => {
  await gateway?.stop();
  server?.closeAllConnections();
  server?.close();
});

interface Shown {
  readonly cost: number;
  readonly headers: Headers;
}

/** Sends a request, checks that the response is one of the text, and returns the cost that it shows. */
async function send(account: TestAccount, body: object, headers: Readonly<Record<string, string>>): Promise<Shown> {
  const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${account.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect([response.status, response.status === 200 ? "" : text]).toEqual([200, ""]);
  const isStreamed = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const chunks = isStreamed
    ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json))
    : [JSON.parse(text)];
  if (isStreamed) expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  const usages = chunks.flatMap(({ usage }) => usage ?? []);
  expect(usages).toHaveLength(1);
  const [{ cost, prompt_tokens, completion_tokens, total_tokens }] = usages;
  for (const tokens of [prompt_tokens, completion_tokens, total_tokens]) expect(Number.isInteger(tokens)).toBe(true);
  const comment = Number(/^: x-satchel-cost-usd ([\d.]+)$/m.exec(text)?.[1]);
  expect(isStreamed ? comment : Number(response.headers.get("x-satchel-cost-usd"))).toBe(cost);
  return { cost, headers: response.headers };
}

const STREAMED = { stream: true, stream_options: { include_usage: true } };

const sumOf = (amounts: readonly (bigint | null)[]) =>
  amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);

async function expectAgreement(account: TestAccount, expectedMicroUsd: bigint, calls: number): Promise<void> {
  const rows = await gateway.settledLedger(account);
  expect([rows.length, sumOf(rows.map(({ settledMicroUsd }) => settledMicroUsd))]).toEqual([calls, expectedMicroUsd]);
  const records = await gateway.calls(account);
  expect(sumOf(records.map(({ costMicroUsd }) => costMicroUsd))).toBe(expectedMicroUsd);
  expect(new Set(records.map(({ status, isEstimated }) => `${status} ${isEstimated}`))).toEqual(
    new Set(["completed false"]),
  );
}

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))("%s", (name, dialect: Dialect) => {
  const shown = Number(dialect.costMicroUsd) / 1e6;

  it("charges credit for every shape of requests what it shows", async () => {
    const account = await gateway.account();
    const clients = Object.values(CLIENTS);
    const bodies = Object.entries(BODIES);
    for (const [index, [kind, body]] of bodies.entries()) {
      const requests = [body, { ...body, ...STREAMED }].map((request) => ({ ...request, model: `key/${name}` }));
      const headers = clients[index % clients.length] ?? {};
      const costs = await Promise.all(requests.map(async (request) => (await send(account, request, headers)).cost));
      expect([kind, ...costs]).toEqual([kind, shown, shown]);
    }
    const calls = 2 * bodies.length;
    await expectAgreement(account, dialect.costMicroUsd * BigInt(calls), calls);
  });
});

describe("paid on the chain", () => {
  const both = (model: string) => [
    { ...BODIES["text"], model },
    { ...BODIES["text"], ...STREAMED, model },
  ];

  it("a wallet is charged what each dialect shows", async () => {
    const account = await gateway.account();
    await gateway.fund(account, "10000000");
    const { accountId } = account;
    const { db, wallets, chains } = gateway.service.deps;
    await db.prisma.transaction.deleteMany({ where: { accountId, type: "credit" } });
    await db.prisma.credit.update({ where: { accountId }, data: { availableMicroUsd: 0n } });
    let expected = 0n;
    for (const { name, costMicroUsd } of DIALECTS) {
      for (const body of both(`key/${name}`)) {
        expect((await send(account, body, {})).cost).toBe(Number(costMicroUsd) / 1e6);
        expected += costMicroUsd;
      }
    }
    await expectAgreement(account, expected, 2 * DIALECTS.length);
    const { evmAddress } = await wallets.ofAccount(accountId);
    const chain = chains.evm("base-sepolia");
    chain.invalidateBalances(evmAddress);
    const [row] = await gateway.ledger(account);
    expect(await chain.tokenBalanceAtomic(row?.asset ?? "", evmAddress)).toBe(10_000_000n - expected);
    expect(await auditLedger(db)).toEqual([]);
  });

  it("a provider behind X402 is paid what each dialect shows", async () => {
    const account = await gateway.account();
    let shownMicroUsd = 0n;
    for (const { name } of DIALECTS) {
      for (const body of both(`paid/${name}`)) {
        shownMicroUsd += BigInt(Math.round((await send(account, body, {})).cost * 1e6));
      }
    }
    await expectAgreement(account, shownMicroUsd, 2 * DIALECTS.length);
    const { settlements } = (await (await fetch(`${gateway.sandbox.adminUrl}/settlements`)).json()) as {
      settlements: { transaction: string; amountAtomic: string }[];
    };
    const hashes = new Set((await gateway.ledger(account)).map(({ txHash }) => txHash));
    const own = settlements.filter(({ transaction }) => hashes.has(transaction));
    expect(sumOf(own.map(({ amountAtomic }) => BigInt(amountAtomic)))).toBe(shownMicroUsd);
  });
});
