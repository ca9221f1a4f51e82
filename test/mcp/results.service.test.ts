/** Results of trades, models, signed payments and identity: the declared schema, one effect for each handle, and their size. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayStack, startGatewayStack } from "../gateway/gateway-harness.ts";
import { openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { createOffer } from "../security/seller.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { CATALOG } from "./catalog.ts";
import { connect, type TestClient } from "./clients.ts";

const ALL = "?tools=wallet,pay,trade,identity,developer";
const MAX_RESULT_TOKENS = 25_000;

/** Calls a tool, and checks its result against the schema that the list declares. */
async function callChecked(client: TestClient, name: string, args: object = {}) {
  const { isError, json, structured } = await client.call(name, args);
  expect([isError, json]).toEqual([false, json]);
  expect(structured).toEqual(json);
  const output = CATALOG.find(({ tool }) => tool.name === name)?.tool.output;
  if (output) expect(output.strict().parse(json)).toEqual(json);
  return json;
}

describe("trades", () => {
  let stack: OwnStack;
  let account: TestAccount;
  let client: TestClient;
  beforeAll(async () => {
    stack = await startStack({ networks: ["base"] });
    account = await stack.account();
    await stack.fund(account, "1000000000");
    client = await connect(`${stack.baseUrl}/mcp${ALL}`, account.token);
  });
  afterAll(async () => {
    await client?.close();
    await stack?.stop();
  });

  it("swap once for each quote_id, in parallel and repeated calls", async () => {
    const { tokens } = await callChecked(client, "list_trade_tokens");
    expect(tokens.map(({ symbol }: { symbol: string }) => symbol)).toContain("AERO");
    const swap = { sell_token: "USDC", buy_token: "AERO", sell_amount: "2.5" };
    const quote = await callChecked(client, "quote_trade", { ...swap, slippage_percentage: "1" });
    expect(quote).toMatchObject({ sold: { amount: "2.500000", currency: "USDC" }, slippage_percentage: 1 });
    const args = { ...swap, slippage_percentage: 1, quote_id: quote.quote_id };
    const parallel = await Promise.all([0, 1, 2].map(() => client.call("execute_trade", args)));
    for (const { isError, json } of parallel) if (isError) expect(json.error.code).toBe("idempotency_in_flight");
    const trade = await callChecked(client, "execute_trade", args);
    expect(trade).toMatchObject({ status: "settled", sold: { amount: "2.500000" }, bought: { currency: "AERO" } });
    expect(await callChecked(client, "execute_trade", args)).toEqual(trade);
    expect(await stack.service.deps.db.prisma.trade.count({ where: { accountId: account.accountId } })).toBe(1);
    for (const more of [{ sell_amount: "2.6" }, { buy_token: "WETH" }, { slippage_percentage: 2 }]) {
      const { json } = await client.call("execute_trade", { ...args, ...more });
      expect(json.error).toMatchObject({ code: "invalid_request", field: "quote_id", money: "No payment was made." });
    }
    const status = await callChecked(client, "get_request_status", { id: trade.id });
    expect(status).toMatchObject({ kind: "trade", status: "settled", is_final: true });
    const { transactions } = await callChecked(client, "list_transactions", { type: "trade" });
    expect(await callChecked(client, "get_transaction", { id: transactions[0].id })).toMatchObject({ type: "trade" });
  });

  it("state the balance that is missing", async () => {
    const swap = { sell_token: "USDC", buy_token: "AERO", sell_amount: "100000" };
    const { quote_id } = await callChecked(client, "quote_trade", swap);
    const { json } = await client.call("execute_trade", { ...swap, quote_id });
    expect(json.error).toMatchObject({
      code: "insufficient_balance",
      money: "No payment was made.",
      required: { symbol: "USDC" },
    });
  });
});

describe("models and signed payments", () => {
  let gateway: GatewayStack;
  let client: TestClient;
  beforeAll(async () => {
    gateway = await startGatewayStack();
    const account = await gateway.account();
    await gateway.fund(account, "10000000");
    client = await connect(`${gateway.baseUrl}/mcp${ALL}`, account.token);
  });
  afterAll(async () => {
    await client?.close();
    await gateway?.stop();
  });

  it("list models in pages", async () => {
    const first = await callChecked(client, "list_models", { limit: 2 });
    expect(first.models).toHaveLength(2);
    const next = await callChecked(client, "list_models", { limit: 2, cursor: first.next_cursor });
    expect(next.models[0].id).not.toBe(first.models[0].id);
    const found = await callChecked(client, "list_models", { query: "free/echo" });
    expect(found.models).toMatchObject([{ id: "free/echo", prompt_token_usd: "0" }]);
  });

  it("complete a chat once for each key, with its cost", async () => {
    const messages = [{ role: "user", content: "Say hello" }];
    const args = {
      model: "sandbox/echo",
      messages: JSON.stringify(messages),
      max_tokens: 50,
      idempotency_key: "chat-1",
    };
    const completed = await callChecked(client, "chat", args);
    expect(completed).toMatchObject({ cost: { currency: "USD" }, message: { untrusted_content: expect.any(String) } });
    expect(Number(completed.cost.amount)).toBeGreaterThan(0);
    expect(await callChecked(client, "chat", args)).toEqual(completed);
    const unknown = await client.call("chat", { ...args, model: "sandbox/nobody", idempotency_key: "chat-2" });
    expect(unknown.json.error).toMatchObject({ code: "model_not_found", money: "No payment was made." });
  });

  it("sign one payment for each key", async () => {
    const args = {
      url: "https://seller.example/report",
      payment_requirements: createOffer(),
      max_usd: "0.01",
      idempotency_key: "sign-1",
    };
    const signed = await callChecked(client, "sign_payment", args);
    expect(signed).toMatchObject({ header_name: "X-PAYMENT", amount: "0.001", currency: "USD" });
    expect(await callChecked(client, "sign_payment", args)).toEqual(signed);
    const above = await client.call("sign_payment", { ...args, max_usd: "0.0001", idempotency_key: "sign-2" });
    expect(above.json.error).toMatchObject({ code: "max_value_exceeded", money: "No payment was made." });
  });

  it("return the wallet, prices and any content within 25,000 tokens", async () => {
    expect(await callChecked(client, "get_wallet")).toMatchObject({
      balances: [{ currency: "USDC" }, { currency: "ETH" }],
    });
    for (const bytes of [
      Buffer.from("x y ".repeat(60_000)),
      Buffer.alloc(200_000, 0xff),
      Buffer.from("漢字".repeat(40_000)),
    ]) {
      const seller = await openTarget((_request, response, isPaid) =>
        isPaid ? void response.end(bytes) : respondWith402(response),
      );
      const price = await callChecked(client, "check_price", { url: seller.origin });
      const page = await callChecked(client, "fetch_paid_url", { url: seller.origin, payment_id: price.payment_id });
      expect(page).toMatchObject({ is_truncated: true, payment: { amount: "0.001", currency: "USD" } });
      expect(countTokens(JSON.stringify(page))).toBeLessThanOrEqual(MAX_RESULT_TOKENS);
    }
    const free = await openTarget(
      (_request, response) => void response.setHeader("content-type", "application/json").end('{"a":1}'),
    );
    expect(await callChecked(client, "check_price", { url: free.origin })).toMatchObject({
      is_free: true,
      payment_id: null,
    });
    const fetched = await callChecked(client, "fetch_paid_url", { url: free.origin });
    expect(fetched).toMatchObject({
      payment: null,
      content: { untrusted_content: { json: { a: 1 } } },
      next_cursor: null,
    });
  });
});
