/** `POST /api/purchase-token/create` by its contract (spec sections 2.1, 4.1 and 5), and the token at the proxy. */
import { beforeAll, describe, expect, it } from "vitest";
import { signLoginToken } from "../../src/accounts/login-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

const PATH = "/api/purchase-token/create";

let stack: Stack;
let account: TestAccount;
let seller: string;
let loginToken: string;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  seller = stack.sandbox?.shopUrl ?? "";
  loginToken = await loginTokenOf(account);
});

async function loginTokenOf({ accountId }: TestAccount, lifetimeSeconds = 300) {
  return (await signLoginToken(stack.service.deps, accountId, { lifetimeSeconds })).token;
}
const create = (body: unknown, authorization: string | null = `Bearer ${loginToken}`, headers = {}) =>
  stack.rest(null, "POST", PATH, body, { ...(authorization ? { authorization } : {}), ...headers });
const body = (changes: object = {}) => ({
  merchant_url: `${seller}/v1/weather`,
  network: "base-sepolia",
  max_amount_usd: 0.25,
  ...changes,
});

it("returns exactly the contract's object, and the token pays once through the proxy", async () => {
  const before = Math.floor(Date.now() / 1_000);
  const { status, json, headers } = await create(body());
  expect(status).toBe(200);
  expect(Object.keys(json).toSorted()).toEqual(
    ["expires_at", "id", "max_amount_usd", "merchant_url", "network", "token"].toSorted(),
  );
  expect(json).toMatchObject({
    merchant_url: `${new URL(seller).host}/v1/weather`,
    network: "base-sepolia",
    max_amount_usd: 0.25,
  });
  expect(json.token).toMatch(/^satchel_pt_[0-9A-Za-z]+$/);
  expect(json.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const [, epochSeconds] = /^pt_(\d+)_\w+$/.exec(json.id) ?? [];
  expect(Number(epochSeconds)).toBeGreaterThanOrEqual(before);
  expect(Math.floor(Date.parse(json.expires_at) / 1_000)).toBe(Number(epochSeconds) + 300);
  expect(headers.get("cache-control")).toBe("no-store");

  const use = () => stack.rest(json.token, "POST", `/api/x402/fetch?url=${encodeURIComponent(`${seller}/v1/weather`)}`);
  const paid = await use();
  expect([paid.status, paid.json.place]).toEqual([200, "Porto"]);
  expect(paid.headers.get("x-satchel-amount-paid")).toBe("0.01");
  const second = await use();
  expect(second.status).toBe(401);
  expect(second.json).toMatchObject({
    error: "purchase_token_used",
    error_description: second.json.message,
    message: expect.stringContaining("has made its payment"),
  });
});

it.each(["base", "base-sepolia", "solana", "solana-devnet"])("accepts the network %s", async (network) => {
  const { status, json } = await create(body({ network }));
  expect([status, json.network]).toEqual([200, network]);
});

it.each([
  [5, 5],
  ["5.000", 5],
  ["1e-6", 0.000001],
  ["999999999.999999", 999_999_999.999_999],
])("accepts the cap %s exactly", async (written, shown) => {
  const text = `{"merchant_url":"https://merchant.example","network":"base","max_amount_usd":${written}}`;
  const { status, json } = await create(text, undefined, { "content-type": "application/json" });
  expect([status, json.max_amount_usd, json.merchant_url]).toEqual([200, shown, "merchant.example"]);
});

describe("rejects with the field's name", () => {
  it.each([
    [{ merchant_url: undefined }, "merchant_url"],
    [{ merchant_url: 5 }, "merchant_url"],
    [{ merchant_url: "merchant.example/report" }, "merchant_url"],
    [{ merchant_url: "ftp://merchant.example/" }, "merchant_url"],
    [{ merchant_url: "https://user:pass@merchant.example/" }, "merchant_url"],
    [{ merchant_url: "https://merchant.example/#part" }, "merchant_url"],
    [{ merchant_url: `https://merchant.example/${"x".repeat(9_000)}` }, "merchant_url"],
    [{ network: undefined }, "network"],
    [{ network: "mars" }, "network"],
    [{ network: "avalanche" }, "network"],
    [{ max_amount_usd: undefined }, "max_amount_usd"],
    [{ max_amount_usd: "0.25" }, "max_amount_usd"],
    [{ max_amount_usd: null }, "max_amount_usd"],
    [{ max_amount_usd: 0 }, "max_amount_usd"],
    [{ max_amount_usd: -1 }, "max_amount_usd"],
    [{ max_amount_usd: 0.000_000_1 }, "max_amount_usd"],
    [{ max_amount_usd: 1e300 }, "max_amount_usd"],
  ])("%j", async (changes, field) => {
    const { status, json } = await create(body(changes));
    expect(status).toBe(400);
    expect(json.field).toBe(field);
    expect(json.message).toContain(field);
    expect(json.error_description).toBe(json.message);
  });

  it.each([
    [{ merchant_url: undefined }, "merchant_url is missing."],
    [{ network: undefined }, "network is missing."],
    [
      { merchant_url: `https://merchant.example/${"x".repeat(9_000)}` },
      "merchant_url must have at most 2048 characters.",
    ],
  ])("and the problem of %.60j", async (changes, text) => {
    expect((await create(body(changes))).json.message).toBe(text);
  });

  it.each(["", "{", "[]", '"text"', "5", "null", "{}x", "[".repeat(500_000)])("the body %.20s", async (text) => {
    const { status, json } = await create(text, undefined, { "content-type": "application/json" });
    expect([status, json.error]).toEqual([400, "invalid_request"]);
  });

  it("a body that is too large", async () => {
    const { status, json } = await create(body({ merchant_url: "x".repeat(1_100_000) }));
    expect([status, json.error]).toEqual([413, "payload_too_large"]);
  });
});

describe("accepts only a login identity token", () => {
  it("rejects other credentials of the account", async () => {
    const { json } = await create(body());
    const parts = loginToken.split(".");
    const forged = [parts[0], Buffer.from("{}").toString("base64url"), parts[2]].join(".");
    for (const authorization of [
      null,
      "Bearer",
      `Bearer ${account.token}`,
      `Bearer ${json.token}`,
      `Bearer ${forged}`,
      `Basic ${loginToken}`,
      `Bearer ${await loginTokenOf(account, -1)}`,
      `Bearer ${await loginTokenOf({ ...account, accountId: "00000000-0000-4000-8000-000000000000" })}`,
    ]) {
      const refused = await create(body(), authorization);
      expect([refused.status, refused.json.error], String(authorization)).toEqual([401, "unauthorized"]);
      expect(refused.headers.get("www-authenticate")).toContain("Bearer");
    }
    expect((await create(body(), null, { "x-service-token": account.token })).status).toBe(401);
    expect((await create(body(), null, { "x-service-token": loginToken })).status).toBe(401);
  });

  it("rejects the login token on other routes", async () => {
    const authorization = { authorization: `Bearer ${loginToken}` };
    expect((await stack.rest(null, "GET", "/api/balance", undefined, authorization)).status).toBe(401);
    const fetched = await stack.rest(null, "POST", `/api/x402/fetch?url=${seller}/free`, undefined, authorization);
    expect(fetched.status).toBe(401);
    const { json } = await stack.graphql(null, "{ viewer { account { id } } }", {}, authorization);
    expect(json.errors[0].extensions.code).toBe("unauthorized");
  });

  it("is limited to 30 per minute", async () => {
    const busy = await stack.account();
    const own = `Bearer ${await loginTokenOf(busy)}`;
    const replies = await Promise.all(Array.from({ length: 31 }, () => create(body(), own)));
    const [refused] = replies.filter(({ status }) => status === 429);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(refused?.json.error).toBe("rate_limited");
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

it("a purchase token is rejected on other routes", async () => {
  const { token } = (await create(body())).json;
  const signing = { paymentRequirements: { accepts: [] }, requestData: { url: seller } };
  for (const [method, path, sent] of [
    ["GET", "/api/balance", undefined],
    ["GET", "/api/transactions", undefined],
    ["GET", "/api/declined-payments", undefined],
    ["POST", "/api/sign-payment", signing],
  ] as const) {
    const { status, json } = await stack.rest(token, method, path, sent);
    expect([status, json.error], path).toEqual([401, "unauthorized"]);
  }
});
