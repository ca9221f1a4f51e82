import { afterAll, beforeAll, expect, it } from "vitest";
import { type OwnStack, startStack } from "../support/stack.ts";
import { OTHER_SELLER } from "./seller.ts";

let stack: OwnStack;
beforeAll(async () => {
  // A separate stack: the test empties the treasury.
  stack = await startStack({ networks: ["base-sepolia"] });
});
afterAll(() => stack?.stop());

const SEND = `mutation ($to: String!, $amount: Decimal!) {
  sendTokens(input: { network: "base-sepolia", to: $to, amount: $amount, idempotencyKey: "once" }) {
    __typename ... on Error { code } ... on SendTokensSuccess { transaction { transactionId status } }
  }
}`;

async function rpc(method: string, params: unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const url = stack.sandbox?.networks["base-sepolia"]?.rpcUrl ?? "";
  await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
}

it("retries a signed transfer until it is final, and returns the same one for the same key", async () => {
  const { deps } = stack.service;
  const account = await stack.account();
  await stack.fund(account, "5000000");
  const treasury = await deps.wallets.treasury();
  await rpc("anvil_setBalance", [treasury.evmAddress, "0x0"]);
  const send = async (amount: string) => {
    return (await stack.graphql(account.token, SEND, { to: OTHER_SELLER, amount })).json.data.sendTokens;
  };
  const first = await send("1");
  expect(first).toMatchObject({ __typename: "SendTokensSuccess", transaction: { status: "SIGNED" } });
  expect((await send("1")).transaction.transactionId).toBe(first.transaction.transactionId);
  await deps.db.prisma.idempotencyRecord.deleteMany();
  expect(await send("2")).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  await rpc("anvil_setBalance", [treasury.evmAddress, "0xde0b6b3a7640000"]);
  const where = { accountId: account.accountId, type: "transfer" };
  const rows = () => deps.db.prisma.transaction.findMany({ where, select: { status: true } });
  await expect.poll(rows).toEqual([{ status: "settled" }]);
});
