/** Requests of hostile clients: each is refused by name, and none is an internal error. */
import { request as requestHttp } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
});

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
async function post(body: string, headers: Record<string, string> = {}, query = "") {
  const { hostname, port } = new URL(stack.baseUrl);
  return await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = requestHttp(
      {
        ...{ hostname, port, path: `/mcp${query}`, method: "POST" },
        headers: { ...HEADERS, authorization: `Bearer ${account.token}`, ...headers },
      },
      async (response) => resolve({ status: response.statusCode ?? 0, text: await text(response) }),
    );
    request.on("error", reject).end(body);
  });
}
const callOf = (name: string, args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
const LIST = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`;
const DEEP = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;

it("serves a request whose Host header names another port, or none that exists", async () => {
  for (const host of ["127.0.0.1:1", "127.0.0.1:99999", "localhost:", "127.0.0.1"]) {
    const { status } = await post(LIST, { host });
    expect([host, status]).toEqual([host, 200]);
  }
});

it.each([
  ["fetch_paid_url", `{"url":"http://127.0.0.1:1/","method":"POST","body":${DEEP},"max_usd":"1"}`],
  ["check_price", `{"url":"http://127.0.0.1:1/","method":"POST","body":${DEEP}}`],
  ["call_paid_tool", `{"server_url":"http://127.0.0.1:1/","tool":"t","arguments":${DEEP}}`],
  ["sign_payment", `{"url":"http://127.0.0.1:1/","payment_requirements":${DEEP},"idempotency_key":"k"}`],
  ["get_wallet", `{"network":${DEEP}}`],
  ["fetch_paid_url", `{"url":"http://127.0.0.1:1/","body":${JSON.stringify(DEEP)}}`],
])("refuses arguments of %s that are nested too deeply", async (name, args) => {
  const { status, text: body } = await post(callOf(name, args), {}, "?tools=wallet,pay,developer");
  expect([status, body.slice(0, 200)]).toEqual([expect.any(Number), expect.stringContaining("invalid_request")]);
});

it.each([
  "null",
  "[]",
  "[null]",
  "[[]]",
  "0",
  '"x"',
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"x"}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{},"arguments":[]}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_wallet","arguments":null}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_wallet","arguments":{"__proto__":{}}}}`,
  `{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"__proto__"}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_transaction","arguments":{"id":"\\u0000"}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_transactions","arguments":{"cursor":"\\u0000"}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_emails","arguments":{"cursor":"x","thread_id":"\\u0000"}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_email","arguments":{"id":"\\ud800"}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order","arguments":{"id":"\\ud800"}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_request_status","arguments":{"id":"tx_\\u0000"}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch_paid_url","arguments":{"url":"http://127.0.0.1:1/","max_usd":"999999999.999999","cursor":"99999999"}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"place_order","arguments":{"merchant_id":"m","items":[{"sku":"s"}],"quote_id":"GBPzzzzzzzzz.AAAA","user_confirmation_text":"x"}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_products","arguments":{"query":"\\u0000","country":"GB"}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_wallet"},"requestState":"x"}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_wallet","requestState":"x.y"}}`,
])("has no internal error for %s", async (body) => {
  const { status, text: responded } = await post(body, {}, "?tools=wallet,pay,shop,email,trade,developer");
  expect(status).toBeLessThan(500);
  expect(responded).not.toContain("internal_error");
  expect(responded).not.toContain("-32603");
});
