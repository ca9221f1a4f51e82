/** Servers whose tools are paid and that attack their client. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { connect } from "../mcp/clients.ts";
import { createOffer } from "../security/seller.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
});

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly cursor?: string; readonly _meta?: object };
}
type Respond = (response: ServerResponse, message: Message) => void;

/** Starts a server of revision 2025-03-26. `respond` handles requests apart from `initialize`. */
async function openServer(respond: Respond, sendInitialized: Respond = sendResult({ ...INITIALIZED })) {
  const messages: Message[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    messages.push(message);
    if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
    if (message.method === "server/discover") return void response.writeHead(404).end();
    (message.method === "initialize" ? sendInitialized : respond)(response, message);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, messages };
}

const INITIALIZED = {
  protocolVersion: "2025-03-26",
  capabilities: { tools: {} },
  serverInfo: { name: "hostile", version: "1" },
};
const JSON_TYPE = { "content-type": "application/json" };
const STREAM_TYPE = { "content-type": "text/event-stream" };
const isPaid = ({ params }: Message) => Object.hasOwn(params?._meta ?? {}, "x402/payment");
const format = ({ id }: Message, result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
function sendResult(result: object): Respond {
  return (response, message) => void response.writeHead(200, JSON_TYPE).end(format(message, JSON.stringify(result)));
}
const required = { isError: true, content: [], structuredContent: createOffer() };
const delivered = { content: [{ type: "text", text: "sold" }] };

const CALL = `mutation ($input: CallPaidToolInput!) { callPaidTool(input: $input) { __typename
  ... on CallPaidToolSuccess { content structuredContent isError isSettlementReported payment { transactionId } }
  ... on Error { message code }
  ... on ToolCallFailedError { paidTransactionId }
  ... on TargetResponseInvalidError { paidTransactionId } } }`;
async function call(serverUrl: string, input: object = {}) {
  const { json } = await stack.graphql(account.token, CALL, { input: { serverUrl, tool: "buy", ...input } });
  return json.data?.callPaidTool ?? json;
}

const DEEP = `{"content":[],"structuredContent":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;

it("names the payment after a result that is nested too deeply", async () => {
  const { url } = await openServer((response, message) => {
    if (!isPaid(message)) return sendResult(required)(response, message);
    response.writeHead(200, JSON_TYPE).end(format(message, DEEP));
  });
  expect(await call(url)).toMatchObject({
    __typename: "ToolCallFailedError",
    paidTransactionId: expect.any(String),
  });
});

it("delivers a result although the stream of an earlier response ends meanwhile", async () => {
  let endEarlier = () => {};
  const { url } = await openServer(
    (response, message) => {
      endEarlier();
      // The client sees the end of the other stream before this result.
      setTimeout(() => sendResult(delivered)(response, message), 200);
    },
    (response, message) => {
      response.writeHead(200, STREAM_TYPE).write(`data: ${format(message, JSON.stringify(INITIALIZED))}\n\n`);
      endEarlier = () => response.end();
    },
  );
  expect(await call(url)).toMatchObject({ __typename: "CallPaidToolSuccess", content: delivered.content });
});

it("responds to few of the requests that a server sends", async () => {
  const { url, messages } = await openServer((response) => {
    response.writeHead(200, STREAM_TYPE);
    const pings = Array.from({ length: 5_000 }, (_, n) => `data: {"jsonrpc":"2.0","id":"p${n}","method":"ping"}\n\n`);
    response.write(pings.join(""));
  });
  expect(await call(url, { timeoutMs: 2_000 })).toMatchObject({ code: "TARGET_TIMEOUT" });
  expect(messages.filter(({ method }) => method === undefined).length).toBeLessThan(10);
});

const LIST = `query ($serverUrl: Url!) { paidTools(serverUrl: $serverUrl) { __typename
  ... on PaidToolsSuccess { tools { name } } ... on Error { message code } } }`;

it("limits the size of all pages of a list together", async () => {
  const tool = { name: "t", description: "x".repeat(1_000_000), inputSchema: { type: "object" } };
  const { url } = await openServer((response, message) => {
    const page = Number(message.params?.cursor ?? 0);
    const next = page < 9 ? { nextCursor: String(page + 1) } : {};
    sendResult({ tools: [tool], ...next })(response, message);
  });
  const { json } = await stack.graphql(account.token, LIST, { serverUrl: url });
  expect(json.data.paidTools).toMatchObject({ __typename: "ToolCallFailedError" });
});

const ODD = [null, -1, 0.5, 1e300, "x", "", true, {}, [], [null], { a: null }, "\u0000", "\ud800", "$1e400"];

it.each(["name", "title", "description", "inputSchema", "annotations", "paymentPriceUSD", "paymentHint"])(
  "has no internal error for a list with an odd %s",
  async (name) => {
    let value: unknown;
    const { url } = await openServer((response, message) => {
      const annotations = name.startsWith("payment") ? { [name]: value } : {};
      const tool = { name: "t", inputSchema: { type: "object" }, annotations, [name]: value };
      sendResult({ tools: [tool] })(response, message);
    });
    const query = LIST.replace("{ name }", "{ name title summary inputSchema isPaymentStated statedPriceUsd }");
    for (value of ODD) {
      const { json } = await stack.graphql(account.token, query, { serverUrl: url });
      expect([value, json.errors]).toEqual([value, undefined]);
    }
  },
);

it.each(["content", "structuredContent", "isError", "_meta", "x402/payment-response"])(
  "has no internal error for a paid result with an odd %s",
  async (name) => {
    let value: unknown;
    const { url } = await openServer((response, message) => {
      if (!isPaid(message)) return sendResult(required)(response, message);
      const odd = name.startsWith("x402") ? { _meta: { [name]: value } } : { [name]: value };
      sendResult({ ...delivered, ...odd })(response, message);
    });
    const payer = await stack.account();
    const values = [
      null,
      "\ud800",
      [null],
      { a: null },
      { success: true, transaction: "x" },
      { success: "yes", errorReason: {} },
    ];
    for (const [index, odd] of values.entries()) {
      value = odd;
      const input = { serverUrl: url, tool: "buy", arguments: { index }, timeoutMs: 1_000 };
      const { json } = await stack.graphql(payer.token, CALL, { input });
      expect([value, json.errors]).toEqual([value, undefined]);
    }
  },
);

it("has no internal error for odd errors and requirements", async () => {
  let reply = "";
  const { url } = await openServer((response, message) => {
    response.writeHead(200, JSON_TYPE).end(reply.replace("ID", String(message.id)));
  });
  const errors = [...ODD, { code: 402, message: "x", data: { x402Version: {}, accepts: {} } }];
  const requirements = [
    ...ODD,
    ...ODD.map((accepts) => ({ x402Version: 1, accepts })),
    ...ODD.map((entry) => ({ x402Version: 2, accepts: [entry] })),
  ];
  const replies = [
    ...errors.map((error) => `{"jsonrpc":"2.0","id":ID,"error":${JSON.stringify(error)}}`),
    ...requirements.map(
      (structuredContent) =>
        `{"jsonrpc":"2.0","id":ID,"result":${JSON.stringify({ isError: true, content: [], structuredContent })}}`,
    ),
    `{"jsonrpc":"2.0","id":ID,"error":{"code":402,"message":"x","data":${DEEP}}}`,
    `{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[],"structuredContent":{"x402Version":2,"accepts":[${DEEP}]}}}`,
    `{"jsonrpc":"2.0","id":ID}`,
    "null",
    "",
  ];
  for (reply of replies) {
    const { json } = await stack.graphql(account.token, CALL, {
      input: { serverUrl: url, tool: "buy", timeoutMs: 1_000 },
    });
    expect([reply.slice(0, 200), json.errors]).toEqual([reply.slice(0, 200), undefined]);
  }
});

it.each([{ text: "\ud800" }, { [`\ud800`]: 1 }])("names arguments that are no Unicode text", async (args) => {
  const { json } = await stack.graphql(account.token, CALL, {
    input: { serverUrl: "http://127.0.0.1:1/mcp", tool: "buy", arguments: args },
  });
  expect(json.data?.callPaidTool).toMatchObject({ __typename: "InvalidRequestError" });
});

it.each([true, false])("states whether the server charged a payment whose tool failed: %s", async (isCharged) => {
  const settlement = { success: true, transaction: `0x${"1".repeat(64)}`, network: "base-sepolia", payer: "0x1" };
  const failed = {
    ...{ isError: true, content: [{ type: "text", text: "failed" }] },
    ...(isCharged ? { _meta: { "x402/payment-response": settlement } } : {}),
  };
  const server = await openServer((response, message) =>
    sendResult(isPaid(message) ? failed : required)(response, message),
  );
  expect(await call(server.url)).toMatchObject({ isError: true, isSettlementReported: isCharged });
  const client = await connect(`${stack.baseUrl}/mcp`, account.token);
  const { json } = await client.call("call_paid_tool", { server_url: server.url, tool: "sell" });
  expect(json.money).toContain(isCharged ? "is another purchase" : "no settlement is reported");
  await client.close();
});
