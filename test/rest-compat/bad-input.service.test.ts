import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../rest-compat/routes.ts";
import { signLoginToken } from "../../src/accounts/login-token.ts";
import { NETWORKS } from "../../src/wallet/networks.ts";
import { ADMIN_TOKEN, type OwnStack, startStack, type TestAccount, type TestResponse } from "../support/stack.ts";

/** Runs of each property, with new seeds in each test run. `FUZZ_RUNS=1000` searches longer. */
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 30);
const NOWHERE = "http://127.0.0.1:1/";
/** Failures of external systems, which are 500 by the contract. */
const OF_OTHERS = new Set(["target_unreachable", "target_timeout", "target_response_invalid", "chain_unavailable"]);

let stack: OwnStack;
let account: TestAccount;
let loginToken: string;

beforeAll(async () => {
  // Configured but unreachable: payments from credit need no chain.
  stack = await startStack({
    env: { RPC_URL_BASE_SEPOLIA: NOWHERE, RPC_URL_SOLANA_DEVNET: NOWHERE, FREE_CREDIT_USD: "100000" },
  });
  account = await stack.account();
  const { accountId } = account;
  loginToken = (await signLoginToken(stack.service.deps, accountId, { lifetimeSeconds: 600 })).token;
});
afterAll(() => stack.stop());

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "null",
    "-1",
    "1e3",
    "0x10",
    "9".repeat(40),
    "'; --",
    "__proto__",
    "２",
    "x".repeat(9_000),
  ),
);
const junk = fc.oneof(text, fc.jsonValue(), fc.constantFrom(null, undefined, [], {}, 0, -1, 1.5, 1e21, true));
const url = fc.oneof(
  fc.constant(NOWHERE),
  fc.constantFrom(
    "ftp://x/",
    "http://10.0.0.1/",
    "http://[::1]:1/",
    "http://127.1:1/",
    "http://a@b/",
    "//x",
    "http://",
    `${NOWHERE}\0`,
  ),
  text,
);

const { usdc } = NETWORKS["base-sepolia"];
/** A payable offer with some members replaced by arbitrary values. */
const entry = fc.record({
  scheme: fc.oneof({ weight: 8, arbitrary: fc.constant("exact") }, junk),
  network: fc.oneof({ weight: 8, arbitrary: fc.constant("base-sepolia") }, junk),
  maxAmountRequired: fc.oneof({ weight: 8, arbitrary: fc.constantFrom("1", "10", 5) }, junk),
  asset: fc.oneof({ weight: 8, arbitrary: fc.constant(usdc.address) }, junk),
  payTo: fc.oneof({ weight: 8, arbitrary: fc.constant("0x00000000000000000000000000000000DeaDBeef") }, junk),
  maxTimeoutSeconds: fc.oneof({ weight: 8, arbitrary: fc.constant(60) }, junk),
  resource: junk,
  description: junk,
  extra: fc.oneof({ weight: 4, arbitrary: fc.constant({ name: "USDC", version: "2" }) }, junk),
});
const requirements = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      x402Version: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, junk),
      accepts: fc.array(entry, { minLength: 1, maxLength: 3 }),
      error: junk,
    }),
  },
  junk,
);
const key = fc.option(
  fc.oneof(
    fc.constant("a-key"),
    fc.string({ maxLength: 20 }).map((value) => value.replaceAll(/[^\x20-\x7e]/g, "?")),
  ),
  { nil: undefined },
);

/** Returns the ledger entries without the free credit. */
const reservations = () => stack.service.deps.db.prisma.transaction.count({ where: { type: { not: "credit" } } });

/** Returns the authentication header of the route. */
const credentialFor = (
  { authentication }: (typeof ROUTES)[number],
  { token }: TestAccount = account,
): Record<string, string> =>
  authentication === "login_token" ? { authorization: `Bearer ${loginToken}` } : { "x-service-token": token };

function checkRest(reply: TestResponse, what: string): void {
  if (reply.status === 500 && OF_OTHERS.has(reply.json?.error)) return;
  expect(reply.status, `${what}: ${reply.text}`).toBeLessThan(500);
  if (reply.status < 400) return;
  expect(reply.json, what).toMatchObject({ error: expect.any(String), message: reply.json?.error_description });
  if (reply.json.error !== "invalid_request" || reply.status !== 400) return;
  expect(reply.json.field, `${what}: ${reply.text}`).toEqual(expect.stringMatching(/\S/));
}

describe("REST", () => {
  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s never fails on a query, and names the invalid parameter",
    async (_name, route) => {
      const names = Object.keys(route.query.shape);
      const pair = fc.tuple(fc.constantFrom(...names, "other"), fc.oneof(text, url));
      await fc.assert(
        fc.asyncProperty(
          fc.array(pair, { maxLength: 6 }),
          fc.constantFrom("", "%00", "&url=%FF", "&limit=%ED%A0%80", "&cursor[]=1"),
          async (pairs, tail) => {
            const query = new URLSearchParams([
              ...pairs,
              ...(route.path === "/api/x402/fetch" ? [["timeout", "200"]] : []),
            ] as string[][]);
            const before = await reservations();
            const reply = await stack.rest(
              null,
              route.method,
              `${route.path}?${query}${tail}`,
              route.method === "GET" ? undefined : {},
              credentialFor(route),
            );
            checkRest(reply, `${query}${tail}`);
            expect(await reservations()).toBe(before);
          },
        ),
        { numRuns: RUNS },
      );
    },
    60_000,
  );

  it("POST /api/sign-payment never fails on a body, and reserves only for a 200 response", async () => {
    const body = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          paymentRequirements: requirements,
          requestData: fc.oneof(
            {
              weight: 6,
              arbitrary: fc.record({
                url: fc.oneof({ weight: 4, arbitrary: fc.constant("https://merchant.example/a") }, url),
                method: fc.oneof(fc.constant("GET"), junk),
              }),
            },
            junk,
          ),
        }),
      },
      junk,
    );
    let signed = 0;
    await fc.assert(
      fc.asyncProperty(body, key, async (sent, idempotencyKey) => {
        const before = await reservations();
        const headers: Record<string, string> =
          idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
        const reply = await stack.rest(account.token, "POST", "/api/sign-payment", sent ?? "", headers);
        checkRest(reply, JSON.stringify(sent));
        if (reply.status === 200) signed += 1;
        const made = (await reservations()) - before;
        // A used key returns the earlier payment.
        expect(made === 0 || (made === 1 && reply.status === 200), reply.text).toBe(true);
      }),
      { numRuns: RUNS * 3 },
    );
    // Without a payment the property would hold trivially.
    expect(signed).toBeGreaterThan(2);
  }, 60_000);

  it("malformed bodies and other content types are 400", async () => {
    const wrongTypes = new Set<string>();
    // The other account has exhausted some limits.
    const another = await stack.account();
    for (const route of ROUTES.filter(({ method }) => method === "POST")) {
      const { path, method } = route;
      const target =
        path === "/api/x402/fetch" ? `${path}?url=${NOWHERE}` : path.replace("{question_id}", "qst_1_none");
      for (const [body, type] of [
        ["{", "application/json"],
        ['{"__proto__":{}}x', "application/json"],
        ["a=1", "application/x-www-form-urlencoded"],
        ["hello", "text/plain"],
        ['"text"', "application/json"],
        ["<a/>", "application/xml"],
      ] as const) {
        const headers = { "content-type": type, ...credentialFor(route, another) };
        const reply = await stack.rest(null, method, target, body, headers);
        expect([reply.status, reply.json.field], `${path} ${body}`).toEqual([400, "body"]);
        if (!type.endsWith("json")) wrongTypes.add(reply.json.message);
      }
    }
    expect([...wrongTypes]).toEqual(["body must be sent as application/json."]);
    const large = JSON.stringify({ fill: "x".repeat(1_100_000) });
    expect((await stack.rest(account.token, "POST", "/api/sign-payment", large)).status).toBe(413);
  });
});

describe("GraphQL", () => {
  const maybe = <Value>(good: fc.Arbitrary<Value>) =>
    fc.oneof({ weight: 10, arbitrary: good as fc.Arbitrary<unknown> }, junk);
  const inputs: Record<string, fc.Arbitrary<unknown>> = {
    signPayment: fc.record({
      paymentRequirements: requirements,
      requestData: maybe(fc.record({ url: maybe(url), method: junk })),
      idempotencyKey: maybe(fc.constant(null)),
    }),
    x402Fetch: fc.record(
      {
        url: maybe(url),
        method: maybe(fc.constant("GET")),
        maxValue: maybe(fc.constant("1")),
        timeout: maybe(fc.constant(200)),
        body: junk,
        headers: maybe(fc.array(fc.record({ name: text, value: text }), { maxLength: 2 })),
        idempotencyKey: maybe(fc.constant(null)),
      },
      { requiredKeys: ["url", "timeout"] },
    ),
    sendTokens: fc.record({
      network: maybe(fc.constant("base-sepolia")),
      to: maybe(fc.constant("0x00000000000000000000000000000000DeaDBeef")),
      amount: maybe(fc.constantFrom("1", "0.000001", "1e3", "-1", "0")),
      idempotencyKey: maybe(fc.constant(null)),
    }),
    createApiToken: fc.record(
      {
        name: maybe(text),
        perTransactionLimitUsd: maybe(fc.constant("1")),
        dailyLimitUsd: maybe(text),
        networks: maybe(fc.constant(["base"])),
        scopes: maybe(fc.array(fc.oneof(text, fc.constantFrom("PAYMENTS_SIGN", "ACCOUNT_MANAGE")), { maxLength: 2 })),
        allowedHosts: maybe(fc.array(text, { maxLength: 2 })),
        allowedPayees: maybe(fc.array(text, { maxLength: 2 })),
        expiresAt: maybe(fc.constantFrom("2030-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "soon")),
      },
      { requiredKeys: ["name"] },
    ),
    revokeApiToken: fc.record({
      id: maybe(
        fc.oneof(
          text,
          text.map((value) => Buffer.from(`ApiToken:${value}`).toString("base64")),
        ),
      ),
    }),
    createPurchaseToken: fc.record({
      merchantUrl: maybe(fc.oneof(fc.constant("https://merchant.example/a"), url)),
      network: maybe(fc.constant("base-sepolia")),
      maxAmountUsd: maybe(fc.constantFrom("1", "0.000001", "0", "-1", "1e3", "0.0000001", "9".repeat(40))),
    }),
    revokePurchaseToken: fc.record({
      id: maybe(text.map((value) => Buffer.from(`PurchaseToken:${value}`).toString("base64"))),
    }),
    setX402Enabled: fc.record({ enabled: junk }),
    setAccountLimits: fc.record(
      {
        perTransactionLimitUsd: maybe(fc.constantFrom("1", null)),
        dailyLimitUsd: maybe(text),
        monthlyLimitUsd: maybe(fc.constantFrom("1000000000", "1000000000.000001", "0.0000001")),
      },
      { requiredKeys: [] },
    ),
    createAccount: fc.record(
      {
        email: maybe(
          fc.oneof(
            fc.emailAddress(),
            text.map((value) => `${value}@x`),
          ),
        ),
        displayName: junk,
        dailyLimitUsd: junk,
      },
      { requiredKeys: ["email"] },
    ),
  };

  it.each(Object.entries(inputs))(
    "%s never fails on its input",
    async (name, input) => {
      const token = name === "createAccount" ? ADMIN_TOKEN : (await stack.account()).token;
      const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
      const query = `mutation ($input: ${type}) { ${name}(input: $input) { __typename ... on Error { code message } } }`;
      const success = new RegExp(`^${name}Success$`, "i");
      await fc.assert(
        fc.asyncProperty(input, async (value) => {
          const before = await reservations();
          const reply = await stack.graphql(token, query, { input: value });
          const what = `${JSON.stringify(value)}: ${reply.text}`;
          expect(reply.status, what).toBeLessThan(500);
          for (const error of reply.json.errors ?? []) expect(error.extensions?.code, what).not.toBe("internal_error");
          const result = reply.json.data?.[name];
          if (!result || !success.test(result.__typename)) expect(await reservations(), what).toBe(before);
        }),
        { numRuns: RUNS },
      );
    },
    60_000,
  );
});
