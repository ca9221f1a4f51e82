// @module-tag postgresql
/** Ten errands by a scripted agent through /mcp alone. Every call is repeated, as after a lost response, and nothing is paid twice. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Buyer, openBuyer } from "../checkout/dispatch/buyer.ts";
import { createMailbox, storeMessage } from "../mail/fixtures.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { connect, type TestClient } from "./clients.ts";

const GROUPS = "wallet,pay,email,shop,trade,identity,developer";
const SCOPES =
  "BALANCE_READ, TRANSACTIONS_READ, PAYMENTS_SIGN, EMAIL_READ, EMAIL_SEND, ORDERS_WRITE, CARDS_READ, TRADE_EXECUTE, AGENT_READ";
const CREATE_TOKEN = `mutation { createApiToken(input: { name: "Errands", scopes: [${SCOPES}],
  networks: ["base-sepolia", "base"], perTransactionLimitUsd: "50", dailyLimitUsd: "100" }) {
  ... on CreateApiTokenSuccess { secret } ... on Error { message } } }`;
const ENABLE = `mutation { setX402Enabled(input: { enabled: true }) {
  ... on SetX402EnabledSuccess { account { x402Enabled } } ... on Error { message } } }`;

let stack: OwnStack;
let buyer: Buyer;
let client: TestClient;

beforeAll(async () => {
  stack = await startStack({
    networks: ["base-sepolia", "base"],
    env: {
      AGENT_MAIL_DOMAIN: "agents.example",
      CARD_SECURITY_CODE: "keep",
      WORKER_TOKEN: "worker-token-of-this-test-0123456789",
    },
  });
  const { catalogueIndex } = stack.service.deps.db.prisma;
  await vi.waitFor(async () => expect(await catalogueIndex.count({ where: { readAt: null } })).toBe(0), 60_000);
  buyer = await openBuyer(stack.service);
  await stack.fund(buyer, "20000000");
  await buyer.visitor.graphql(ENABLE);
  const { createApiToken } = await buyer.visitor.graphql(CREATE_TOKEN);
  client = await connect(`${stack.baseUrl}/mcp?tools=${GROUPS}`, createApiToken.secret);
}, 180_000);
afterAll(async () => {
  await client?.close();
  await stack?.stop();
});

/** Returns all texts in a value. Keys of purchases are the agent's own. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === "idempotency_key" ? [] : textsOf(member)));
}

/** An agent that passes only texts from its prompt, the list of tools and earlier results. */
async function openAgent(prompt: string) {
  let known = prompt + JSON.stringify(await client.listTools());
  return async (name: string, args: object = {}) => {
    for (const text of textsOf(args)) {
      expect(known.includes(JSON.stringify(text).slice(1, -1)), `${name} has ${text} from nowhere`).toBe(true);
    }
    const first = await client.call(name, args);
    const { isError, json } = await client.call(name, args);
    expect([first.isError, isError], JSON.stringify([first.json, json])).toEqual([false, false]);
    known += JSON.stringify(json);
    return json;
  };
}

it("does ten errands with arguments from schemas and earlier results, and pays each once", async () => {
  const { prisma } = stack.service.deps.db;
  const { accountId } = buyer;
  const mailbox = await createMailbox(stack, buyer);
  await storeMessage(stack, mailbox, { subject: "Lunch", bodyText: "Where?", fromAddress: "grace@example.test" });
  const weatherUrl = `${stack.sandbox?.shopUrl}/v1/weather`;
  const serverUrl = `${new URL(stack.sandbox?.mcpUrl ?? "").origin}/mcp`;
  const call = await openAgent(`Get the weather from ${weatherUrl} and, for Porto, from the tools of ${serverUrl}.
    Order wool socks to GB: Yes, order it. Reply to the email about Lunch: At the harbour.
    Swap 2.5 USDC to AERO. Let a model respond as user to: Say hello.`);

  // 1. State the balance.
  const wallet = await call("get_wallet");
  expect(wallet.balances.length).toBeGreaterThan(0);

  // 2. Pay for a URL.
  const price = await call("check_price", { url: weatherUrl });
  expect(price.price.amount_usd).toBe("0.01");
  const { payment_id } = price;
  // Each check mints a new payment_id; the agent uses the last.
  const weather = await call("fetch_paid_url", { url: weatherUrl, payment_id });
  expect(JSON.stringify(weather.content.untrusted_content)).toContain("Porto");

  // 3. Pay for a tool of another server.
  const { tools } = await call("list_paid_tools", { server_url: serverUrl });
  const tool = tools.untrusted_content.find((it: { stated_price_usd: string | null }) => it.stated_price_usd !== null);
  await call("call_paid_tool", {
    server_url: serverUrl,
    tool: tool.name,
    arguments: { [tool.input_schema.required[0]]: "Porto" },
    max_usd: tool.stated_price_usd,
    idempotency_key: randomUUID(),
  });

  // 4. Find a product and request its purchase, which no policy permits.
  const found = await call("search_products", { query: "wool socks", country: "GB" });
  const product = found.products.untrusted_content.find(
    (it: { merchant_id: string | null; available: boolean }) => it.merchant_id && it.available,
  );
  const cart = { merchant_id: product.merchant_id, items: [{ sku: product.sku, quantity: 2 }] };
  const quoted = await call("quote_cart", cart);
  const option = quoted.quote.untrusted_content.options.find(({ type }: { type: string }) => type === "shipping");
  const chosen = quoted.requires_choice ? { ...cart, option_id: option.id } : cart;
  const { quote_id } = quoted.requires_choice ? await call("quote_cart", chosen) : quoted;
  const order = { ...chosen, quote_id, user_confirmation_text: "Yes, order it" };
  const waits = await call("place_order", order);
  expect(waits).toMatchObject({ status: "approval_required" });

  // 5. Wait for the owner's approval, and order.
  expect(await call("get_request_status", { id: waits.approval_id })).toMatchObject({ is_final: false });
  await buyer.approve({ json: waits } as never);
  expect(await call("get_request_status", { id: waits.approval_id })).toMatchObject({ status: "approved" });
  const placed = await call("place_order", order);
  expect(placed.order_id).toMatch(/^ord_/);

  // 6. Reply to an email.
  const { emails } = await call("search_emails", { query: "Lunch" });
  const { email, id } = await call("get_email", { id: emails.untrusted_content[0].id });
  expect(email.untrusted_content.text).toBe("Where?");
  await call("reply_to_email", { id, body: "At the harbour", idempotency_key: randomUUID() });

  // 7. Swap tokens.
  const { network } = await call("list_trade_tokens");
  const swap = { sell_token: "USDC", buy_token: "AERO", sell_amount: "2.5", network };
  const offer = await call("quote_trade", swap);
  const trade = await call("execute_trade", { ...swap, quote_id: offer.quote_id });
  expect(trade).toMatchObject({ status: "settled", bought: { currency: "AERO" } });

  // 8. Call a language model.
  const { models } = await call("list_models");
  const model = models.find((it: { id: string }) => it.id.endsWith("echo"));
  const chat = { model: model.id, messages: [{ role: "user", content: "Say hello" }], max_tokens: 50 };
  const completed = await call("chat", { ...chat, idempotency_key: randomUUID() });
  expect(completed.message.untrusted_content).toEqual(expect.any(String));

  // 9. List what was spent, and follow one payment and the order.
  const { transactions } = await call("list_transactions", { type: "x402" });
  expect(transactions).toHaveLength(2);
  expect(await call("get_transaction", { id: transactions[0].id })).toMatchObject({ type: "x402" });
  expect(await call("get_request_status", { id: transactions[0].id })).toMatchObject({ kind: "payment" });
  expect((await call("list_orders")).orders).toMatchObject([{ id: placed.order_id }]);

  // 10. State the agent's identity.
  expect((await call("get_identity")).agent).toMatchObject({ status: "active" });

  const types = await prisma.transaction.groupBy({ by: ["type"], where: { accountId }, _count: true });
  const counts = Object.fromEntries(types.map(({ type, _count }) => [type, _count]));
  expect(counts).toMatchObject({ x402: 2, trade: 1, gateway: 1 });
  expect(await prisma.checkoutOrder.count({ where: { accountId } })).toBe(1);
  expect(await prisma.mailMessage.count({ where: { accountId, direction: "outbound" } })).toBe(1);
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
}, 120_000);
