/** Creation of one-time purchase tokens over GraphQL: validation, permissions and rate limit. */
import { beforeAll, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createToken, createTokenResult } from "./purchase-token.ts";

let stack: Stack;
let owner: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
  owner = await stack.account();
});

const prisma = () => stack.service.deps.db.prisma;

it("returns the secret once and expires the token after five minutes", async () => {
  const before = Date.now();
  const { token, purchaseToken } = await createTokenResult(stack, owner.token, {
    merchantUrl: "HTTPS://Merchant.Example:443/v1/../v2/report",
    network: "base",
    maxAmountUsd: "0.250001",
  });
  expect(token).toMatch(/^satchel_pt_[0-9A-Za-z]{49}$/);
  expect(purchaseToken).toMatchObject({
    status: "UNUSED",
    merchantUrl: "https://merchant.example/v2/report",
    network: "base",
    maxAmountUsd: "0.250001",
  });
  const [, epochSeconds] = /^pt_(\d+)_[0-9A-Za-z]{12}$/.exec(purchaseToken.purchaseTokenId) ?? [];
  expect(Number(epochSeconds)).toBeGreaterThanOrEqual(Math.floor(before / 1000));
  const lifetimeMs = Date.parse(purchaseToken.expiresAt) - Date.parse(purchaseToken.createdAt);
  expect(lifetimeMs).toBe(300_000);
  expect(Math.floor(Date.parse(purchaseToken.createdAt) / 1000)).toBe(Number(epochSeconds));
  const { rows } = await stack.service.deps.db.executeSql("SELECT purchase_tokens::text AS row FROM purchase_tokens");
  expect(rows).not.toHaveLength(0);
  expect(JSON.stringify(rows)).not.toContain(token);
});

it.each([
  [{ merchantUrl: "merchant.example" }, "merchantUrl"],
  [{ merchantUrl: "ftp://merchant.example/" }, "merchantUrl"],
  [{ merchantUrl: "https://user:pass@merchant.example/" }, "merchantUrl"],
  [{ merchantUrl: "https://merchant.example/#x" }, "merchantUrl"],
  [{ maxAmountUsd: "0" }, "maxAmountUsd"],
  [{ network: "avalanche" }, "network"],
])("rejects %j with its field", async (changes, field) => {
  const input = { merchantUrl: "https://merchant.example/", network: "base", maxAmountUsd: "1", ...changes };
  expect(await createTokenResult(stack, owner.token, input)).toMatchObject({ field });
});

it.each([{ maxAmountUsd: "-1" }, { maxAmountUsd: "0.0000001" }, { maxAmountUsd: "1e3" }, { network: "mars" }])(
  "rejects %j as an invalid value of its field",
  async (changes) => {
    const input = { merchantUrl: "https://merchant.example/", network: "base", maxAmountUsd: "1", ...changes };
    const [field] = Object.keys(changes);
    expect(await createTokenResult(stack, owner.token, input)).toMatchObject({ code: "INVALID_REQUEST", field });
  },
);

it("rejects credentials without account:manage and terms wider than the creating credential", async () => {
  const input = { merchantUrl: "https://merchant.example/", network: "base", maxAmountUsd: "1" };
  const weak = await stack.account({ token: { scopes: ["payments:sign"] } });
  expect(await createTokenResult(stack, weak.token, input)).toMatchObject({ code: "FORBIDDEN" });
  const narrow = await stack.account({ token: { networks: ["base-sepolia"], allowedHosts: ["own.example"] } });
  expect(await createTokenResult(stack, narrow.token, input)).toMatchObject({ code: "FORBIDDEN" });
  const elsewhere = { ...input, network: "base-sepolia" };
  expect(await createTokenResult(stack, narrow.token, elsewhere)).toMatchObject({ code: "FORBIDDEN" });
  const { token } = await createToken(stack, owner.token, input);
  expect((await createTokenResult(stack, token, input)).extensions.code).toBe("unauthorized");
  expect((await createTokenResult(stack, "satchel_pt_nonsense", input)).extensions.code).toBe("unauthorized");
});

it("limits creation to thirty tokens a minute per account", async () => {
  const busy = await stack.account();
  const input = { merchantUrl: "https://merchant.example/", network: "base", maxAmountUsd: "1" };
  const results = await Promise.all(Array.from({ length: 31 }, () => createTokenResult(stack, busy.token, input)));
  const refused = results.filter(({ code }) => code === "RATE_LIMITED");
  expect(refused).toHaveLength(1);
  expect(refused[0].retryAfterMs).toBeGreaterThan(0);
  expect(await prisma().purchaseToken.count({ where: { accountId: busy.accountId } })).toBe(30);
});
