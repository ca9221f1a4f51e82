/** Making one-time purchase tokens over GraphQL: what they are bound to, who may, and how often. */
import { beforeAll, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createAnswer, createToken } from "./purchase-token.ts";

let stack: Stack;
let owner: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
  owner = await stack.account();
});

const prisma = () => stack.service.deps.db.prisma;

it("gives a token that is shown once, for five minutes", async () => {
  const before = Date.now();
  const { token, purchaseToken } = await createAnswer(stack, owner.token, {
    merchantUrl: "HTTPS://Shop.Example:443/v1/../v2/report",
    network: "base",
    maxAmountUsd: "0.250001",
  });
  expect(token).toMatch(/^satchel_pt_[0-9A-Za-z]{49}$/);
  expect(purchaseToken).toMatchObject({
    state: "UNUSED",
    merchantUrl: "https://shop.example/v2/report",
    network: "base",
    maxAmountUsd: "0.250001",
  });
  const [, epochSeconds] = /^pt_(\d+)_[0-9A-Za-z]{12}$/.exec(purchaseToken.purchaseTokenId) ?? [];
  expect(Number(epochSeconds)).toBeGreaterThanOrEqual(Math.floor(before / 1000));
  const livesMs = Date.parse(purchaseToken.expiresAt) - Date.parse(purchaseToken.createdAt);
  expect(livesMs).toBe(300_000);
  expect(Math.floor(Date.parse(purchaseToken.createdAt) / 1000)).toBe(Number(epochSeconds));
  const { rows } = await stack.service.deps.db.executeSql("SELECT purchase_tokens::text AS row FROM purchase_tokens");
  expect(rows).not.toHaveLength(0);
  expect(JSON.stringify(rows)).not.toContain(token);
});

it.each([
  [{ merchantUrl: "shop.example" }, "merchantUrl"],
  [{ merchantUrl: "ftp://shop.example/" }, "merchantUrl"],
  [{ merchantUrl: "https://user:pass@shop.example/" }, "merchantUrl"],
  [{ merchantUrl: "https://shop.example/#x" }, "merchantUrl"],
  [{ maxAmountUsd: "0" }, "maxAmountUsd"],
  [{ network: "avalanche" }, "network"],
])("refuses %j by name", async (changes, field) => {
  const input = { merchantUrl: "https://shop.example/", network: "base", maxAmountUsd: "1", ...changes };
  expect(await createAnswer(stack, owner.token, input)).toMatchObject({ field });
});

it.each([{ maxAmountUsd: "-1" }, { maxAmountUsd: "0.0000001" }, { maxAmountUsd: "1e3" }, { network: "mars" }])(
  "refuses %j as no such value",
  async (changes) => {
    const input = { merchantUrl: "https://shop.example/", network: "base", maxAmountUsd: "1", ...changes };
    expect((await createAnswer(stack, owner.token, input)).message).toMatch(/input\./);
  },
);

it("is for who may change the account, and never wider than they are", async () => {
  const input = { merchantUrl: "https://shop.example/", network: "base", maxAmountUsd: "1" };
  const weak = await stack.account({ token: { scopes: ["payments:sign"] } });
  expect(await createAnswer(stack, weak.token, input)).toMatchObject({ code: "forbidden" });
  const narrow = await stack.account({ token: { networks: ["base-sepolia"], allowedHosts: ["own.example"] } });
  expect(await createAnswer(stack, narrow.token, input)).toMatchObject({ code: "forbidden" });
  const elsewhere = { ...input, network: "base-sepolia" };
  expect(await createAnswer(stack, narrow.token, elsewhere)).toMatchObject({ code: "forbidden" });
  const { token } = await createToken(stack, owner.token, input);
  expect((await createAnswer(stack, token, input)).extensions.code).toBe("unauthorized");
  expect((await createAnswer(stack, "satchel_pt_nonsense", input)).extensions.code).toBe("unauthorized");
});

it("is done at most thirty times a minute by an account", async () => {
  const busy = await stack.account();
  const input = { merchantUrl: "https://shop.example/", network: "base", maxAmountUsd: "1" };
  const answers = await Promise.all(Array.from({ length: 31 }, () => createAnswer(stack, busy.token, input)));
  const refused = answers.filter(({ code }) => code === "rate_limited");
  expect(refused).toHaveLength(1);
  expect(refused[0].retryAfterMs).toBeGreaterThan(0);
  expect(await prisma().purchaseToken.count({ where: { accountId: busy.accountId } })).toBe(30);
});
