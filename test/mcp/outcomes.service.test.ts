// @module-tag postgresql
/** Failures state what happened to the money, the email or the order, as the ledger and the chain record it. */

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createHandles } from "../../mcp/handles.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import { createMailbox } from "../mail/fixtures.ts";
import { respondWith402 } from "../payments/purchase-token.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { connectMarket, type Market, USDC } from "../trade/market.ts";
import { connect, type TestClient } from "./clients.ts";

let stack: OwnStack;
let market: Market;
let account: TestAccount;
let client: TestClient;

beforeAll(async () => {
  stack = await startStack({ networks: ["base", "base-sepolia"], env: { AGENT_MAIL_DOMAIN: "agents.example" } });
  market = connectMarket(stack.sandbox as never);
});
beforeEach(async () => {
  account = await stack.account();
  client = await connect(`${stack.baseUrl}/mcp?tools=wallet,pay,email,shop,trade`, account.token);
  return async () => {
    await client.close();
    await market.fault(null);
  };
});
afterAll(() => stack?.stop());

const prisma = () => stack.service.deps.db.prisma;
const change = (data: object) => prisma().account.update({ where: { id: account.accountId }, data });
const freeze = () => change({ frozenAt: new Date(), frozenBy: "owner" });

describe("a trade", () => {
  const SWAP = { sell_token: "USDC", buy_token: "AERO", sell_amount: "3", network: "base" };

  async function failTrade(fault: string, prepare: (wallet: string) => Promise<void> = async () => {}) {
    await stack.fund(account, "1000000000");
    const { evmAddress } = await stack.service.deps.wallets.ofAccount(account.accountId);
    const { json: quote } = await client.call("quote_trade", SWAP);
    await prepare(evmAddress);
    const before = await market.balance(USDC, evmAddress);
    await market.fault(fault);
    const args = { ...SWAP, quote_id: quote.quote_id };
    const first = await client.call("execute_trade", args);
    const lost = before - (await market.balance(USDC, evmAddress));
    await market.fault(null);
    return { args, error: first.json.error, lost };
  }

  it.each(["pays-nothing", "pays-other-token"])("that %s states what was sold", async (fault) => {
    const { args, error, lost } = await failTrade(fault);
    expect(lost).toBe(3_000_000n);
    expect(error).toMatchObject({
      code: "trade_failed",
      trade_id: expect.stringMatching(/^trd_/),
      tx_hash: expect.stringMatching(/^0x/),
      money: expect.stringContaining("sold 3 USDC and bought 0 AERO"),
    });
    expect(error.money).toContain(error.trade_id);
    expect(error.money).toContain(error.tx_hash);
    expect(JSON.stringify(error)).not.toMatch(/no payment/i);
    expect((await client.call("execute_trade", args)).json.error).toEqual(error);
  });

  it("that reverts states the network fee", async () => {
    const { error, lost } = await failTrade("reverts");
    expect(lost).toBe(0n);
    expect(error).toMatchObject({ trade_id: expect.stringMatching(/^trd_/), tx_hash: expect.stringMatching(/^0x/) });
    expect(error.money).toContain("Nothing was sold, but its network fee was spent.");
    const { json: status } = await client.call("get_request_status", { id: error.trade_id });
    expect(status).toMatchObject({ status: "failed", is_final: true });
    expect(status.next_step).toBe("The swap failed. The swap was reverted on chain. Nothing was sold.");
  });

  it("states what the wallet paid for native coin", async () => {
    const { error, lost } = await failTrade("reverts", (wallet) => market.setNative(wallet, 0n));
    const purchase = await prisma().gasPurchase.findFirstOrThrow({ where: { accountId: account.accountId } });
    expect([lost > 0n, lost]).toEqual([true, BigInt(purchase.priceAtomic.toFixed(0))]);
    expect(error.money).toContain(
      `authorized ${formatDecimal(lost, 6)} USDC for native coin (${purchase.transactionId})`,
    );
  });

  it("that was refused before it was signed states that nothing was sold", async () => {
    const { error, lost } = await failTrade("spender");
    expect(lost).toBe(0n);
    expect(error.code).toBe("trade_failed");
    expect(error.money).toMatch(/^This call made no payment\.$|Nothing was sold\.$/);
    expect(error).not.toHaveProperty("tx_hash");
  });
});

/** Opens a seller of one price. While it is down, and when it receives a payment, it breaks the connection. */
async function openVanishingSeller() {
  const seller = { isUp: true, payments: 0, url: "" };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const isPaid = request.headers["x-payment"] !== undefined;
    if (isPaid) Object.assign(seller, { isUp: false, payments: seller.payments + 1 });
    if (seller.isUp) respondWith402(response);
    else request.socket.destroy();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return Object.assign(seller, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
}

describe("a payment that is outstanding", () => {
  const own = () => ({ where: { accountId: account.accountId, type: "x402" } });
  const ending = async () => {
    const seller = await openVanishingSeller();
    const { json: price } = await client.call("check_price", { url: seller.url });
    return { seller, url: seller.url, payment_id: price.payment_id as string };
  };
  const stateOf = async (args: object) =>
    (await client.call("fetch_paid_url", { timeout_seconds: 2, ...args })).json.error;
  const expectPayment = async (error: { code: string; money: string; transaction_id: string }, code: string) => {
    const payment = await prisma().transaction.findFirstOrThrow(own());
    expect(error).toMatchObject({ code, transaction_id: payment.id });
    expect(error.money).toContain(`Payment ${payment.id} was signed, and the other side may have charged it.`);
    expect(JSON.stringify(error)).not.toMatch(/no payment/i);
  };

  it.each(["payment_id", "idempotency_key"])("is named by every failure of a call with its %s", async (name) => {
    const { seller, url, payment_id } = await ending();
    const args = name === "payment_id" ? { url, payment_id } : { url, max_usd: "1", idempotency_key: randomUUID() };
    await expectPayment(await stateOf(args), "target_unreachable");
    const { payments } = seller;
    await expectPayment(await stateOf(args), "target_unreachable");
    seller.isUp = true;
    await change({ x402EnabledAt: null });
    await expectPayment(await stateOf(args), "x402_not_enabled");
    await freeze();
    await expectPayment(await stateOf(args), "account_frozen");
    expect(seller.payments).toBe(payments);
  });

  it("is named after its handle has expired", async () => {
    const { url, payment_id } = await ending();
    await expectPayment(await stateOf({ url, payment_id }), "target_unreachable");
    const payment = await prisma().transaction.findFirstOrThrow(own());
    const caller = { accountId: account.accountId, budgetId: account.tokenId };
    const handles = createHandles(stack.service.deps.signingKeys, caller, () => Date.now() - 2 * 86_400_000);
    const expired = await handles.create({
      tool: "fetch_paid_url",
      arguments: [url, "GET", null],
      field: "payment_id",
    });
    const key = `tool-handle-${Buffer.from(expired, "base64url").subarray(0, 12).toString("base64url")}`;
    await prisma().transaction.update({ where: { id: payment.id }, data: { idempotencyKey: key } });
    await expectPayment(await stateOf({ url, payment_id: expired }), "invalid_request");
  });

  it("of another token is not named", async () => {
    const { url } = await ending();
    const idempotency_key = randomUUID();
    await stateOf({ url, max_usd: "1", idempotency_key });
    const payment = await prisma().transaction.findFirstOrThrow(own());
    await prisma().transaction.update({ where: { id: payment.id }, data: { budgetIds: [account.accountId] } });
    expect(await stateOf({ url, max_usd: "1", idempotency_key })).toMatchObject({
      money: "This call made no payment.",
    });
  });
});

it("states that a call without a key made no payment", async () => {
  const { url } = await openVanishingSeller();
  await freeze();
  const { json } = await client.call("call_paid_tool", { server_url: url, tool: "x" });
  expect(json.error.money).toBe("This call made no payment.");
});

describe("an email", () => {
  const EMAIL = { to: ["grace@example.test"], subject: "Hello", body: "Good morning." };

  it("states whether it was sent, and not what was paid", async () => {
    await createMailbox(stack, account);
    const { json: refused } = await client.call("send_email", { ...EMAIL, to: ["nobody"] });
    expect(refused.error).toMatchObject({ code: "invalid_request", email: "This call sent no email." });
    expect(refused.error).not.toHaveProperty("money");
    const keyed = { ...EMAIL, idempotency_key: randomUUID() };
    const { json: sent } = await client.call("send_email", keyed);
    await freeze();
    const { json: other } = await client.call("send_email", { ...keyed, body: "Good evening." });
    expect(other.error.email).toBe(
      `An earlier call with this key stored email ${sent.id}: check get_email. This call sent no other email.`,
    );
    const { json: reply } = await client.call("reply_to_email", { id: "aem_0", body: "x" });
    expect(reply.error).toMatchObject({ email: "This call sent no email." });
  });
});

it("states that no order was placed", async () => {
  const order = { merchant_id: "mer_0", items: [{ sku: "x" }], quote_id: "x", user_confirmation_text: "Yes" };
  for (const [tool, args] of [
    ["place_order", order],
    ["explore_shop", { merchant_url: "http://10.0.0.1/", goal: "socks" }],
  ] as const) {
    const { json } = await client.call(tool, args);
    expect(json.error).toMatchObject({ order: "This call placed no order." });
    expect(json.error).not.toHaveProperty("money");
  }
});

describe("a failure names the arguments of its tool", () => {
  const failure = async (tool: string, args: object) => (await client.call(tool, args)).json.error;

  it.each([
    ["list_transactions", { cursor: "x" }, "cursor"],
    ["list_orders", { cursor: "x" }, "cursor"],
    ["quote_trade", { sell_token: "USDC", buy_token: "NOPE", sell_amount: "1", network: "base" }, "buy_token"],
  ])("%s: %j", async (tool, args, field) => {
    const error = await failure(tool, args);
    expect(error.field).toBe(field);
    expect(JSON.stringify(error)).not.toMatch(/buyToken|GET \/|after|`/);
  });

  it("for the address of a cart", async () => {
    const ship_to = {
      ...{ first_name: "Ada", last_name: "L", address1: "1 Row", city: "London", country_code: "GB" },
      postal_code: " ",
    };
    const cart = { merchant_id: "mer_0", items: [{ sku: "x" }], ship_to };
    expect(await failure("quote_cart", cart)).toMatchObject({
      field: "ship_to.postal_code",
      message: expect.stringMatching(/^ship_to\.postal_code /),
    });
  });

  it("for a price above the maximum, and states what helps", async () => {
    const { url } = await openVanishingSeller();
    const above = await failure("fetch_paid_url", { url, max_usd: "0.0001" });
    expect(above.next_step).toBe("Raise max_usd to `required`, or do not buy.");
    expect(JSON.stringify(above)).not.toContain("maxValue");
    const unkeyed = await failure("fetch_paid_url", { url, max_usd: "1", cursor: "10" });
    expect(unkeyed).toMatchObject({ code: "max_value_exceeded" });
    expect(unkeyed.next_step).toContain("Raising max_usd cannot help");
  });
});
