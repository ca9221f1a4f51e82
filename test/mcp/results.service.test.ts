/** Results of trades, models, signed payments and identity: the declared schema, one effect for each handle, and their size. */
import { createHash } from "node:crypto";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { decodeJwt, importJWK, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCredentialFixture } from "../agents/credential-fixture.ts";
import { type GatewayStack, startGatewayStack } from "../gateway/gateway-harness.ts";
import { openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { createOffer } from "../security/seller.ts";
import { type OwnStack, type Stack, sharedStack, startStack, type TestAccount } from "../support/stack.ts";
import { connectMarket, type Market } from "../trade/market.ts";
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
  let market: Market;
  beforeAll(async () => {
    stack = await startStack({ networks: ["base"] });
    if (!stack.sandbox) throw new Error("No sandbox is running.");
    market = connectMarket(stack.sandbox);
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
      expect(json.error).toMatchObject({
        code: "invalid_request",
        field: "quote_id",
        money: "This call made no payment.",
      });
    }
    const status = await callChecked(client, "get_request_status", { id: trade.id });
    expect(status).toMatchObject({ kind: "trade", status: "settled", is_final: true });
    const { transactions } = await callChecked(client, "list_transactions", { type: "trade" });
    expect(await callChecked(client, "get_transaction", { id: transactions[0].id })).toMatchObject({ type: "trade" });
  });

  it("do nothing after the price fell below the minimum of the quote", async () => {
    const { prisma } = stack.service.deps.db;
    const swap = { sell_token: "USDC", buy_token: "AERO", sell_amount: "3" };
    const where = { accountId: account.accountId, type: "trade" };
    const before = await prisma.transaction.count({ where });
    const { evmAddress } = await stack.service.deps.wallets.ofAccount(account.accountId);
    const nonce = await market.nonce(evmAddress);
    await market.fault("stale-price");
    const { quote_id, min_bought } = await callChecked(client, "quote_trade", swap);
    await market.fault(null);
    const { json } = await client.call("execute_trade", { ...swap, quote_id });
    expect(json.error).toMatchObject({ code: "trade_failed", money: "This call made no payment." });
    expect(json.error.message).toContain("The price moved");
    expect(json.error.message).toContain(`${min_bought.amount} AERO`);
    expect(await prisma.transaction.count({ where })).toBe(before);
    expect(await market.nonce(evmAddress)).toBe(nonce);
    // No other minimum can be put into the id.
    const lowered = await client.call("execute_trade", { ...swap, quote_id: quote_id.replace(/^[\d.]+/, "0.1") });
    expect(lowered.json.error).toMatchObject({ code: "invalid_request", field: "quote_id" });
    const current = await callChecked(client, "quote_trade", swap);
    expect(await callChecked(client, "execute_trade", { ...swap, quote_id: current.quote_id })).toMatchObject({
      status: "settled",
      min_bought: current.min_bought,
    });
  });

  it("guarantee the minimum of the quote after the price fell within the slippage", async () => {
    const swap = { sell_token: "USDC", buy_token: "AERO", sell_amount: "3", slippage_percentage: 2 };
    const quote = await callChecked(client, "quote_trade", swap);
    const body = { sellToken: "USDC", buyToken: "AERO", sellAmount: 100 };
    expect((await stack.rest(account.token, "POST", "/api/trade", body)).status).toBe(200);
    const trade = await callChecked(client, "execute_trade", { ...swap, quote_id: quote.quote_id });
    const [bought, minBought] = [Number(trade.bought.amount), Number(trade.min_bought.amount)];
    expect(bought).toBeLessThan(Number(quote.bought.amount));
    expect(bought).toBeGreaterThanOrEqual(Number(quote.min_bought.amount));
    // The minimum of the quote, rounded up to a basis point of the new price.
    expect(minBought / Number(quote.min_bought.amount)).toBeGreaterThanOrEqual(1);
    expect(minBought / Number(quote.min_bought.amount)).toBeLessThan(1.0002);
  });

  it("buy a stated amount once, for at most the maximum of the quote", async () => {
    const { prisma } = stack.service.deps.db;
    const swap = { sell_token: "USDC", buy_token: "AERO", buy_amount: "4", slippage_percentage: 2 };
    const before = await prisma.trade.count({ where: { accountId: account.accountId } });
    const quote = await callChecked(client, "quote_trade", swap);
    expect(quote).toMatchObject({ max_sold: { currency: "USDC" }, min_bought: { currency: "AERO" } });
    expect(Number(quote.min_bought.amount)).toBe(4);
    expect(Number(quote.max_sold.amount) / Number(quote.sold.amount)).toBeCloseTo(1.02, 5);
    // The price rises within the slippage.
    const body = { sellToken: "USDC", buyToken: "AERO", sellAmount: 100 };
    expect((await stack.rest(account.token, "POST", "/api/trade", body)).status).toBe(200);
    const args = { ...swap, quote_id: quote.quote_id };
    const trade = await callChecked(client, "execute_trade", args);
    expect(trade).toMatchObject({ status: "settled", min_bought: quote.min_bought });
    expect(Number(trade.bought.amount)).toBeGreaterThanOrEqual(4);
    expect(Number(trade.max_sold.amount)).toBeLessThanOrEqual(Number(quote.max_sold.amount));
    expect(Number(trade.sold.amount)).toBeLessThanOrEqual(Number(trade.max_sold.amount));
    expect(Number(trade.sold.amount)).toBeGreaterThan(Number(quote.sold.amount));
    expect(await callChecked(client, "execute_trade", args)).toEqual(trade);
    expect(await prisma.trade.count({ where: { accountId: account.accountId } })).toBe(before + 2);
    const { buy_amount, ...tokens } = args;
    const raised = quote.quote_id.replace(/^[\d.]+/, "1000");
    for (const other of [{ buy_amount: "5" }, { buy_amount, quote_id: raised }, { sell_amount: "4" }]) {
      const { json } = await client.call("execute_trade", { ...tokens, ...other });
      expect(json.error).toMatchObject({ code: "invalid_request", field: "quote_id" });
    }
  });

  it("sell nothing after the price rose above the maximum of the quote", async () => {
    const swap = { sell_token: "USDC", buy_token: "AERO", buy_amount: "4", slippage_percentage: 0 };
    const where = { accountId: account.accountId, type: "trade" };
    const { quote_id, max_sold } = await callChecked(client, "quote_trade", swap);
    const body = { sellToken: "USDC", buyToken: "AERO", sellAmount: 100 };
    expect((await stack.rest(account.token, "POST", "/api/trade", body)).status).toBe(200);
    const before = await stack.service.deps.db.prisma.transaction.count({ where });
    const { json } = await client.call("execute_trade", { ...swap, quote_id });
    expect(json.error).toMatchObject({ code: "trade_failed", money: "This call made no payment." });
    expect(json.error.message).toContain(`sells more than ${max_sold.amount} USDC`);
    expect(await stack.service.deps.db.prisma.transaction.count({ where })).toBe(before);
  });

  it.each([
    [{}, "sell_amount", "sell_amount: is required, or buy_amount in its place."],
    [{ sell_amount: "1", buy_amount: "1" }, "buy_amount", "buy_amount: cannot be combined with sell_amount."],
    [{ buy_amount: "one" }, "buy_amount", "buy_amount: must be a decimal string"],
  ])("require exactly one amount: %j", async (amounts, field, message) => {
    for (const [name, more] of [
      ["quote_trade", {}],
      ["execute_trade", { quote_id: "1_any" }],
    ] as const) {
      const { json } = await client.call(name, { sell_token: "USDC", buy_token: "AERO", ...amounts, ...more });
      expect(json.error).toMatchObject({ code: "invalid_request", field });
      expect(json.error.message).toContain(message);
    }
  });

  it("state the balance that is missing", async () => {
    const swap = { sell_token: "USDC", buy_token: "AERO", sell_amount: "100000" };
    const { quote_id } = await callChecked(client, "quote_trade", swap);
    const { json } = await client.call("execute_trade", { ...swap, quote_id });
    expect(json.error).toMatchObject({
      code: "insufficient_balance",
      money: "This call made no payment.",
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
    expect(unknown.json.error).toMatchObject({ code: "model_not_found", money: "This call made no payment." });
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
    expect(above.json.error).toMatchObject({ code: "max_value_exceeded", money: "This call made no payment." });
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

describe("the identity", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await sharedStack();
  });

  it("states no agent before a registration, and presents nothing", async () => {
    const account = await stack.account();
    const own = await connect(`${stack.baseUrl}/mcp${ALL}`, account.token);
    expect(await callChecked(own, "get_identity")).toMatchObject({ registration: expect.any(String), agent: null });
    const refused = await own.call("present_credential", { kind: "trust", audience: "https://a.example", nonce: "n" });
    expect(refused).toMatchObject({
      isError: true,
      json: { error: { code: "not_found" } },
    });
    await own.close();
  });

  it("presents exactly the named claims of a credential, bound to the verifier and its nonce", async () => {
    const agent = await createCredentialFixture(() => stack).createAgentWithCredentials();
    const own = await connect(`${stack.baseUrl}/mcp${ALL}`, agent.token);
    const { agent: identity } = await callChecked(own, "get_identity");
    expect(identity).toMatchObject({ status: "active", trust_score: expect.any(Number) });
    const delegation = identity.credentials.find(({ kind }: { kind: string }) => kind === "delegation");
    const [claim] = delegation.claims;
    const verifier = { audience: "https://merchant.example", nonce: "nonce-of-the-verifier" };
    const presented = await callChecked(own, "present_credential", {
      kind: "delegation",
      ...verifier,
      disclose: [claim],
    });
    expect(presented).toMatchObject({ disclosed: [claim], expires_at: delegation.expires_at });

    const [issued = "", ...parts] = presented.presentation.split("~");
    const binding = parts.pop() ?? "";
    expect(parts).toHaveLength(1);
    const [, , value] = [...JSON.parse(Buffer.from(parts[0], "base64url").toString())];
    expect(value).toBeDefined();
    // The holder's key is in the credential.
    const { cnf } = decodeJwt<{ cnf: { jwk: object } }>(issued);
    const { payload } = await jwtVerify(binding, await importJWK(cnf.jwk, "ES256"));
    const signed = presented.presentation.slice(0, presented.presentation.lastIndexOf("~") + 1);
    expect(payload).toMatchObject({
      aud: verifier.audience,
      nonce: verifier.nonce,
      sd_hash: createHash("sha256").update(signed).digest("base64url"),
    });

    const nothing = await callChecked(own, "present_credential", { kind: "trust", ...verifier });
    expect([nothing.disclosed, nothing.presentation.split("~")]).toEqual([
      [],
      [expect.any(String), expect.any(String)],
    ]);
    const unknown = await own.call("present_credential", { kind: "trust", ...verifier, disclose: ["salary"] });
    expect(unknown).toMatchObject({ isError: true, json: { error: { code: "invalid_request" } } });
    await own.close();
  });
});
