/** Servers whose tools are paid and that attack their client. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, it, onTestFinished } from "vitest";
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
  ... on CallPaidToolSuccess { content structuredContent payment { transactionId } }
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
