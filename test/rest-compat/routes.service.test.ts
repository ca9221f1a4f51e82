// @module-tag postgresql
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { visitResult } from "@graphql-tools/utils";
import { type DocumentNode, type ExecutionResult, isEnumType, print, visit } from "graphql";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ROUTES } from "../../rest-compat/routes.ts";
import { buildPublicSchema } from "../../schema/schema.ts";
import { signLoginToken } from "../../src/accounts/login-token.ts";
import { NETWORKS } from "../../src/wallet/networks.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
let sellerUrl: string;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  await stack.fund(account, "5000000");
  sellerUrl = stack.sandbox?.shopUrl ?? "";
});

const publicSchema = buildPublicSchema();

/** Removes the selections of types that only the schema of the REST routes has. */
const toPublicDocument = (document: DocumentNode) =>
  visit(document, {
    InlineFragment: ({ typeCondition }) =>
      typeCondition && !publicSchema.getType(typeCondition.name.value) ? null : undefined,
  });

/** Replaces the names of enum values by their wire values. */
function toWireValues(document: DocumentNode, variables: object, result: ExecutionResult) {
  const enums = Object.values(publicSchema.getTypeMap()).filter((type) => isEnumType(type));
  const toValue = Object.fromEntries(enums.map((type) => [type.name, (name: string) => type.getValue(name)?.value]));
  return visitResult(result, { document, variables }, publicSchema, toValue).data;
}

const fetchPath = (url: string, more = "") => `/api/x402/fetch?url=${encodeURIComponent(url)}${more}`;
const requirementsOf = async (path: string) => (await fetch(sellerUrl + path)).json();
const ledger = (accountId: string) =>
  stack.service.deps.db.prisma.transaction.findMany({
    where: { accountId, type: "x402" },
    orderBy: { createdAt: "asc" },
  });

describe("GET /api/balance", () => {
  it("returns the contract's object, read from the chain", async () => {
    const { status, json } = await stack.rest(account.token, "GET", "/api/balance");
    expect(status).toBe(200);
    const { evmAddress } = await stack.service.deps.wallets.ofAccount(account.accountId);
    expect(json).toMatchObject({
      usdcBalance: "5.000000",
      address: evmAddress,
      hasWallet: true,
      network: "base-sepolia",
    });
    expect(Number(json.creditUsd)).toBeLessThanOrEqual(5);
  });

  it("returns the card budget of the token, if it has one", async () => {
    expect((await stack.rest(account.token, "GET", "/api/balance")).json).not.toHaveProperty("cardBudget");
    const limited = await stack.account({ limits: { dailyMicroUsd: 2_999_999n } });
    const { json } = await stack.rest(limited.token, "GET", "/api/balance");
    expect(json.cardBudget).toEqual({
      ...{ currency: "USD", perOrderLimitMinor: null, dailyLimitMinor: 299, monthlyLimitMinor: null },
      ...{ dayUsedMinor: 0, monthUsedMinor: 0 },
    });
  });

  it("accepts an access token as Bearer, and an empty parameter as absent", async () => {
    const headers = { authorization: `Bearer ${account.token}` };
    expect((await stack.rest(null, "GET", "/api/balance?network=", undefined, headers)).status).toBe(200);
  });

  it.each([
    ["?network=mars", "network"],
    ["?network=avalanche", "network", '"avalanche" is not configured here. Available: base-sepolia.'],
    ["?network=base&network=base", "network"],
  ])("rejects %s and names %s", async (query, field, text = field) => {
    const { status, json } = await stack.rest(account.token, "GET", `/api/balance${query}`);
    expect(status).toBe(400);
    expect(json.field).toBe(field);
    expect(json.message).toContain(text);
    expect(json.error_description).toBe(json.message);
  });
});

describe("POST /api/sign-payment", () => {
  it("returns a payment that the seller accepts", async () => {
    const url = `${sellerUrl}/v1/weather`;
    const body = { paymentRequirements: await requirementsOf("/v1/weather"), requestData: { url, method: "GET" } };
    const { status, json } = await stack.rest(account.token, "POST", "/api/sign-payment", body);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      success: true,
      amountPaid: 0.01,
      network: "base-sepolia",
      scheme: "exact",
      paidFromCredit: true,
    });
    expect(json.signingWallet).not.toBe(json.userWallet);
    expect(JSON.parse(Buffer.from(json.paymentHeader, "base64").toString())).toEqual(json.paymentProof);
    const paid = await fetch(url, { headers: { "x-payment": json.paymentHeader } });
    expect(paid.status).toBe(200);
  });

  it("accepts a method in any case, and names an unknown one", async () => {
    const url = `${sellerUrl}/v1/weather`;
    const paymentRequirements = await requirementsOf("/v1/weather");
    const sign = (method: string | null) =>
      stack.rest(account.token, "POST", "/api/sign-payment", { paymentRequirements, requestData: { url, method } });
    expect((await sign("options")).status).toBe(200);
    expect((await sign(null)).status).toBe(200);
    const { status, json } = await sign("BREW");
    expect([status, json]).toEqual([
      400,
      expect.objectContaining({
        error: "invalid_request",
        message: "requestData.method must be an HTTP method such as GET or POST.",
        field: "requestData.method",
      }),
    ]);
  });

  it("reports the exceeded limit with its amounts, and reserves nothing", async () => {
    const limited = await stack.account({ limits: { dailyMicroUsd: 5_000n } });
    const body = {
      paymentRequirements: await requirementsOf("/v1/weather"),
      requestData: { url: `${sellerUrl}/v1/weather` },
    };
    const { status, json } = await stack.rest(limited.token, "POST", "/api/sign-payment", body);
    expect(status).toBe(402);
    expect(json).toMatchObject({
      error: "spending_limit_exceeded",
      limit: 0.005,
      remaining: 0.005,
      required: 0.01,
      period: "day",
    });
    expect(await ledger(limited.accountId)).toEqual([]);
  });

  it.each([-1, 0.5, 2 ** 53, 1e21, true, "-1", "1e3", "9".repeat(19), null])(
    "describes an amount in words if it is %j",
    async (amount) => {
      const paymentRequirements = await requirementsOf("/v1/weather");
      paymentRequirements.accepts[0].maxAmountRequired = amount;
      const body = { paymentRequirements, requestData: { url: `${sellerUrl}/v1/weather` } };
      const { status, json } = await stack.rest(account.token, "POST", "/api/sign-payment", body);
      const field = "paymentRequirements.accepts[0].maxAmountRequired";
      expect([status, json.field]).toEqual([400, field]);
      expect(json.message).toMatch(/ must be a whole number of atomic units: .* at most 18 digits/);
    },
  );

  it("signs and reserves nothing above maxValue, as digits or as an integer", async () => {
    const payer = await stack.account();
    const paymentRequirements = await requirementsOf("/v1/weather");
    const sign = (maxValue: unknown, key: string) => {
      const body = { paymentRequirements, requestData: { url: `${sellerUrl}/v1/weather` }, maxValue };
      return stack.rest(payer.token, "POST", "/api/sign-payment", body, key ? { "idempotency-key": key } : {});
    };
    for (const [cap, key] of [
      ["9999", ""],
      [9_999, ""],
      ["0", "capped"],
    ] as const) {
      const { status, json } = await sign(cap, key);
      expect([status, json.error, json.required]).toEqual([402, "max_value_exceeded", 10_000]);
    }
    for (const cap of [null, "", "-1", "1.5", 1.5, -1, "9".repeat(31), {}]) {
      const { status, json } = await sign(cap, "");
      expect([status, json.error, json.field]).toEqual([400, "invalid_request", "maxValue"]);
    }
    expect(await ledger(payer.accountId)).toEqual([]);
    expect((await sign("10000", "enough")).status).toBe(200);
    expect((await sign(10_000, "enough")).status).toBe(200);
    expect((await sign("20000", "enough")).status).toBe(422);
    expect(await ledger(payer.accountId)).toHaveLength(1);
  });

  it("two calls without a key are two payments", async () => {
    const payer = await stack.account();
    const body = {
      paymentRequirements: await requirementsOf("/v1/weather"),
      requestData: { url: `${sellerUrl}/v1/weather` },
    };
    for (const count of [1, 2]) {
      expect((await stack.rest(payer.token, "POST", "/api/sign-payment", body)).status).toBe(200);
      expect(await ledger(payer.accountId)).toHaveLength(count);
    }
  });

  it("distinguishes an unsupported network from one that the token does not permit", async () => {
    const required = (await requirementsOf("/v1/weather")) as { accepts: object[] };
    const { usdc } = NETWORKS.avalanche;
    const away = { ...required.accepts[0], network: "avalanche", asset: usdc.address, extra: usdc.domain };
    const sign = async (accepts: object[], { token }: TestAccount) => {
      const body = { paymentRequirements: { ...required, accepts }, requestData: { url: `${sellerUrl}/v1/weather` } };
      const { status, json } = await stack.rest(token, "POST", "/api/sign-payment", body);
      expect([status, json.error, json.considered[0].refusal]).toEqual([
        402,
        "no_acceptable_requirement",
        "network_not_allowed",
      ]);
      return json.considered[0].explanation;
    };
    expect(await sign([away], account)).toBe("network: avalanche is not configured here.");
    const narrow = await stack.account({ token: { networks: ["base"] } });
    expect(await sign(required.accepts, narrow)).toBe("network: this token may not pay on base-sepolia.");
  });

  it("links to the dashboard where X402 is enabled", async () => {
    const off = await stack.account({ x402: false });
    const body = {
      paymentRequirements: await requirementsOf("/v1/weather"),
      requestData: { url: `${sellerUrl}/v1/weather` },
    };
    const { status, json } = await stack.rest(off.token, "POST", "/api/sign-payment", body);
    expect([status, json.error]).toEqual([400, "x402_not_enabled"]);
    // A browser can open the URL unchanged.
    expect(json.error_description).toContain(`${stack.baseUrl.replace("127.0.0.1", "localhost")}/dashboard`);
  });

  it("returns the first response for an Idempotency-Key, and rejects the key for another request", async () => {
    const url = `${sellerUrl}/v1/weather`;
    const body = { paymentRequirements: await requirementsOf("/v1/weather"), requestData: { url } };
    const key = { "idempotency-key": "once-1" };
    const first = await stack.rest(account.token, "POST", "/api/sign-payment", body, key);
    const second = await stack.rest(account.token, "POST", "/api/sign-payment", body, key);
    expect(second.json).toEqual(first.json);
    const other = { ...body, requestData: { url: `${sellerUrl}/v1/echo` } };
    const reused = await stack.rest(account.token, "POST", "/api/sign-payment", other, key);
    expect([reused.status, reused.json.error]).toEqual([422, "idempotency_key_reused"]);
  });
});

describe("POST /api/x402/fetch", () => {
  it("pays and returns the seller's response, with the payment in the headers", async () => {
    const rawReply = await stack.rest(account.token, "POST", fetchPath(`${sellerUrl}/v1/weather`));
    expect(rawReply.status).toBe(200);
    expect(rawReply.json).toMatchObject({ place: "Porto" });
    expect(rawReply.headers.get("x-satchel-amount-paid")).toBe("0.01");
    expect(rawReply.headers.get("x-payment-response")).toBeTruthy();
    const id = rawReply.headers.get("x-satchel-payment-id") ?? "";
    await expect
      .poll(() => stack.service.deps.db.prisma.transaction.findUnique({ where: { id } }))
      .toMatchObject({ status: "settled" });
  });

  it("forwards a JSON body byte for byte with the requested method", async () => {
    const seen: { method: string | undefined; type: string | undefined; body: string }[] = [];
    const target = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push({
        method: request.method,
        type: request.headers["content-type"],
        body: Buffer.concat(chunks).toString(),
      });
      response
        .writeHead(418, { "content-type": "text/x-tea", "set-cookie": "a=b", "x-own": "1" })
        .end("short and stout");
    }).listen(0, "127.0.0.1");
    await once(target, "listening");
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/pot`;
    const body = '{"n": 12345678901234567890, "f": 1.0}';
    const rawReply = await stack.rest(account.token, "POST", fetchPath(url, "&method=PUT"), body);
    target.close();
    expect(seen).toEqual([{ method: "PUT", type: "application/json", body }]);
    expect([rawReply.status, rawReply.text]).toEqual([418, "short and stout"]);
    expect(rawReply.headers.get("content-type")).toBe("text/x-tea");
    expect(rawReply.headers.get("x-own")).toBe("1");
    expect(rawReply.headers.get("set-cookie")).toBeNull();
    expect(rawReply.headers.get("content-security-policy")).toBe("sandbox");
    expect(rawReply.headers.get("x-satchel-payment-id")).toBeNull();
  });

  it("streams: the first bytes arrive before the target has ended, and a disconnected caller ends the target's request", async () => {
    let targetClosed = false;
    const target = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      response.write("first");
      response.on("close", () => {
        targetClosed = true;
      });
    }).listen(0, "127.0.0.1");
    await once(target, "listening");
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    const leave = new AbortController();
    const response = await fetch(stack.baseUrl + fetchPath(url), {
      method: "POST",
      headers: { "x-service-token": account.token },
      signal: leave.signal,
    });
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toBe("first");
    leave.abort();
    await vi.waitFor(() => expect(targetClosed).toBe(true), { timeout: 20_000 });
    target.close();
  });

  it("a caller that disconnects before the response ends the target's request", async () => {
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const target = createServer((_request, response) => {
      response.on("close", () => gone.resolve());
      arrived.resolve();
    }).listen(0, "127.0.0.1");
    await once(target, "listening");
    const leave = new AbortController();
    const pending = fetch(stack.baseUrl + fetchPath(`http://127.0.0.1:${(target.address() as AddressInfo).port}/`), {
      method: "POST",
      headers: { "x-service-token": account.token },
      signal: leave.signal,
    }).catch(() => "left");
    await arrived.promise;
    leave.abort();
    await gone.promise;
    expect(await pending).toBe("left");
    target.close();
  });

  it("rejects a price above maxValue with the amounts and the offers, and reserves nothing", async () => {
    const before = (await ledger(account.accountId)).length;
    const { status, json } = await stack.rest(
      account.token,
      "POST",
      fetchPath(`${sellerUrl}/v1/weather`, "&maxValue=9999"),
    );
    expect(status).toBe(402);
    expect(json).toMatchObject({ error: "max_value_exceeded", limit: 9999, required: 10_000 });
    expect(json.accepts).toHaveLength(1);
    expect(await ledger(account.accountId)).toHaveLength(before);
  });

  it("returns the target's offers with an exceeded limit", async () => {
    const limited = await stack.account({ limits: { perTransactionMicroUsd: 1n } });
    const { status, json } = await stack.rest(limited.token, "POST", fetchPath(`${sellerUrl}/v1/weather`));
    expect(status).toBe(402);
    expect(json).toMatchObject({ error: "spending_limit_exceeded", period: "transaction" });
    expect(json.accepts).toHaveLength(1);
  });

  it("reports an unreachable or slow target as 500 with its code", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, "close");
    const unreachable = await stack.rest(account.token, "POST", fetchPath(`http://127.0.0.1:${port}/`));
    expect([unreachable.status, unreachable.json.error]).toEqual([500, "target_unreachable"]);
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const slow = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const late = await stack.rest(account.token, "POST", fetchPath(slow, "&timeout=200"));
    expect([late.status, late.json.error]).toEqual([500, "target_timeout"]);
    silent.closeAllConnections();
    silent.close();
  });

  it.each([
    ["url missing", "/api/x402/fetch", undefined, "url"],
    ["url empty", "/api/x402/fetch?url=", undefined, "url"],
    ["scheme", fetchPath("ftp://example.test/"), undefined, "url"],
    ["credentials", fetchPath("http://a:b@example.test/"), undefined, "url"],
    ["private address", fetchPath("http://10.0.0.1/"), undefined, "url"],
    ["no URL at all", fetchPath("weather"), undefined, "url"],
    ["method", fetchPath("http://127.0.0.1/", "&method=TRACE"), undefined, "method"],
    ["maxValue negative", fetchPath("http://127.0.0.1/", "&maxValue=-1"), undefined, "maxValue"],
    ["maxValue fraction", fetchPath("http://127.0.0.1/", "&maxValue=1.5"), undefined, "maxValue"],
    ["timeout zero", fetchPath("http://127.0.0.1/", "&timeout=0"), undefined, "timeout"],
    ["timeout twice", fetchPath("http://127.0.0.1/", "&timeout=1&timeout=2"), undefined, "timeout"],
    ["a target's own parameter, cut off", "/api/x402/fetch?url=http://127.0.0.1/?a=1&b=2", undefined, "b"],
    ["a cap of another name", fetchPath("http://127.0.0.1/", "&max_value=1"), undefined, "max_value"],
    ["one that got lost, too", fetchPath("http://127.0.0.1/", "&maxvalue="), undefined, "maxvalue"],
    ["body an array", fetchPath("http://127.0.0.1/"), "[1]", "body"],
    ["body no JSON", fetchPath("http://127.0.0.1/"), "{", "body"],
  ])("400 names the parameter: %s", async (_name, path, body, field) => {
    const { status, json } = await stack.rest(account.token, "POST", path, body);
    expect([status, json.field]).toEqual([400, field]);
  });

  it.each(["application/json", "text/html; charset=utf-8", "image/svg+xml", "json", "", "text/html, text/plain"])(
    "passes on the media type %j unchanged, with a response in one part and in two",
    async (type) => {
      const target = createServer((request, response) => {
        response.setHeader("content-type", type);
        if (request.url === "/one") return void response.end("<p>here</p>");
        response.write("<p>", () => setImmediate(() => response.end("here</p>")));
      });
      await once(target.listen(0, "127.0.0.1"), "listening");
      const origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
      try {
        for (const path of ["/one", "/two"]) {
          const headers = { "x-service-token": account.token };
          const url = stack.service.baseUrl + fetchPath(origin + path);
          const rawReply = await fetch(url, { method: "POST", headers });
          expect([rawReply.status, rawReply.headers.get("content-type"), await rawReply.text()]).toEqual([
            200,
            type,
            "<p>here</p>",
          ]);
        }
      } finally {
        target.closeAllConnections();
        target.close();
      }
    },
  );

  it("accepts bodies up to 10 MiB", async () => {
    const body = JSON.stringify({ fill: "x".repeat(10 * 1024 * 1024) });
    const { status, json } = await stack.rest(account.token, "POST", fetchPath(`${sellerUrl}/free`), body);
    expect([status, json.error]).toEqual([413, "payload_too_large"]);
    const fits = JSON.stringify({ fill: "x".repeat(9 * 1024 * 1024) });
    expect((await stack.rest(account.token, "POST", fetchPath(`${sellerUrl}/free`), fits)).status).not.toBe(413);
  });
});

describe("GET /api/transactions", () => {
  it("pages through the ledger, newest first, without gaps or duplicates", async () => {
    const other = await stack.account();
    const { prisma } = stack.service.deps.db;
    const row = await prisma.transaction.findFirstOrThrow({ where: { accountId: other.accountId } });
    const base = { ...row, authorization: undefined as never };
    const times = [1, 2, 2, 2, 3, 4].map((minute) => new Date(Date.UTC(2026, 0, 1, 0, minute)));
    await prisma.transaction.createMany({
      data: times.map((createdAt, i) => ({ ...base, id: `tx_page_${i}`, createdAt, type: i % 2 ? "x402" : "deposit" })),
    });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query = `limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
      const { status, json } = await stack.rest(other.token, "GET", `/api/transactions?${query}`);
      expect(status).toBe(200);
      seen.push(...json.transactions.map(({ id }: { id: string }) => id));
      cursor = json.nextCursor;
    } while (cursor);
    expect(seen).toEqual([row.id, "tx_page_5", "tx_page_4", "tx_page_3", "tx_page_2", "tx_page_1", "tx_page_0"]);
    const filtered = await stack.rest(
      other.token,
      "GET",
      "/api/transactions?type=x402&from=2026-01-01T00:02:00Z&to=2026-01-01T00:04:00Z",
    );
    expect(filtered.json.transactions.map(({ id }: { id: string }) => id)).toEqual(["tx_page_3", "tx_page_1"]);
  });

  it.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "limit=1&limit=2",
    "type=gift",
    "status=done",
    "network=mars",
    "from=yesterday",
    "to=0000-01-01",
    "cursor=!!",
  ])("400 names the parameter of ?%s", async (query) => {
    const { status, json } = await stack.rest(account.token, "GET", `/api/transactions?${query}`);
    expect([status, json.field]).toEqual([400, query.split("=")[0]]);
  });
});

describe("every route", () => {
  let revoked: string;
  beforeAll(async () => {
    const { accountId, token } = await stack.account();
    await stack.service.deps.db.prisma.apiToken.updateMany({ where: { accountId }, data: { revokedAt: new Date() } });
    revoked = token;
  });

  it.each(
    ROUTES.filter(({ authentication }) => authentication !== "none").map(
      (route) => [route.method, route.path] as const,
    ),
  )("%s %s requires a credential before it reads anything", async (method, path) => {
    const sendRequest = (headers: Record<string, string>) =>
      stack.rest(null, method, path, method === "POST" ? "{" : undefined, headers);
    const metadata = `resource_metadata="${stack.baseUrl}/.well-known/oauth-protected-resource/api"`;
    const { status, json, headers } = await sendRequest({});
    expect([status, headers.get("www-authenticate")]).toEqual([401, `Bearer realm="satchel", ${metadata}`]);
    const other = await sendRequest({ authorization: "Basic YTpi" });
    expect(other.headers.get("www-authenticate")).toBe(`Bearer realm="satchel", ${metadata}`);
    for (const wrong of [{ "x-service-token": revoked }, { authorization: `Bearer ${revoked}` }]) {
      const refused = await sendRequest(wrong);
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
        401,
        `Bearer realm="satchel", error="invalid_token", ${metadata}`,
      ]);
    }
    expect(json).toMatchObject({ error: "unauthorized", error_description: json.message });
  });

  it.each([...new Set(ROUTES.map(({ path }) => path))])(
    "%s rejects other methods and lists the allowed ones",
    async (path) => {
      const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method);
      const allow = [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(
        ", ",
      );
      const refused = await stack.rest(account.token, "PUT", path);
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, allow]);
      const { status, headers } = await fetch(stack.baseUrl + path, { method: "OPTIONS" });
      expect([status, headers.get("allow")]).toEqual([204, allow]);
    },
  );

  it.each([
    ["/api/sign-payment", {}],
    ["/api/trade", {}],
    [fetchPath("ftp://example.test/"), { a: 1 }],
    ["/oauth/token", { client_id: "cl_none" }],
  ])("%s reads JSON after a byte order mark", async (path, body) => {
    const rawReply = await stack.rest(account.token, "POST", path, `\uFEFF${JSON.stringify(body)}`);
    expect(rawReply.status, rawReply.text).toBe(400);
    expect(rawReply.json.error_description).not.toContain("JSON");
  });

  it("returns 404 in the same format for an unknown path", async () => {
    const { status, json } = await stack.rest(account.token, "GET", "/api/nothing");
    expect([status, json.error]).toEqual([404, "not_found"]);
  });

  it("returns the result of its GraphQL operation", async () => {
    const paymentRequirements = await requirementsOf("/v1/weather");
    const { accountId } = account;
    const login = await signLoginToken(stack.service.deps, accountId, { lifetimeSeconds: 60 });
    // `read`: the parsed body, if it differs from the sent one.
    const inputs: Record<string, { query: object; body: unknown; read?: unknown; path?: Record<string, string> }> = {
      "/api/purchase-token/create": {
        query: {},
        body: { merchant_url: sellerUrl, network: "avalanche", max_amount_usd: 1 },
        read: { merchant_url: sellerUrl, network: "avalanche", max_amount_usd: "1" },
      },
      "GET /api/agent/email": { query: {}, body: null },
      "POST /api/agent/email": { query: {}, body: { displayName: "Ada's agent" } },
      "/api/agent/email/send": { query: {}, body: { to: "jane@merchant.example", subject: "Hello", body: "Hello." } },
      "/api/agent/email/reply": { query: {}, body: { messageId: "aem_1_none", body: "Hello." } },
      "/api/agent/email/inbox": { query: {}, body: null },
      "/api/agent/email/messages/{id}": { query: {}, body: null, path: { id: "aem_1_none" } },
      "/api/balance": { query: { network: "base-sepolia" }, body: null },
      "/api/transactions": { query: { limit: 3 }, body: null },
      "/api/declined-payments": { query: { limit: 3 }, body: null },
      "/api/sign-payment": {
        query: {},
        body: { paymentRequirements, requestData: { url: `${sellerUrl}/v1/weather`, method: "GET" }, maxValue: "9999" },
      },
      "/api/trade": {
        query: {},
        body: { sellToken: "USDC", buyToken: "DAI", sellAmount: 1 },
        read: { sellToken: "USDC", buyToken: "DAI", sellAmount: "1" },
      },
      "/api/trade/quote": { query: { sellToken: "USDC", buyToken: "DAI", sellAmount: "1" }, body: null },
      "/api/trade/tokens": { query: {}, body: null },
      "/api/agent/identity": { query: {}, body: null },
      "/api/agent/credential": { query: {}, body: null },
      "/api/x402/fetch": { query: { url: `${sellerUrl}/v1/weather`, maxValue: "1" }, body: null },
      "/api/events": { query: { limit: 3 }, body: null },
      "GET /api/webhooks": { query: {}, body: null },
      "POST /api/webhooks": { query: {}, body: { url: "ftp://hooks.example" } },
      "/api/webhooks/{id}": { query: {}, body: null, path: { id: "whk_1_none" } },
      "/api/autofill/merchants": { query: { q: "outfitters" }, body: null },
      "/api/autofill/merchants/{id}": { query: {}, body: null, path: { id: "mer_1_none" } },
      "/api/autofill/products/search": { query: { q: "wool", country: "GB", limit: 3 }, body: null },
      "/api/autofill/products/lookup": { query: { url: `${sellerUrl}/collections/all` }, body: null },
      "/api/autofill/shopify/quote": { query: {}, body: { merchant_id: "mer_1_none", items: [{ sku: "SOCKS" }] } },
      "/api/autofill/dispatch": {
        query: {},
        body: {
          ...{ merchant_id: "mer_1_none", items: [{ sku: "SOCKS" }], amount_minor: 2_895 },
          ...{ user_confirmation_text: "Yes", user_approved_at_iso: "2024-11-20T17:29:16Z" },
        },
      },
      "/api/autofill/dry-run": { query: {}, body: { merchant_id: "mer_1_none", items: [{ sku: "SOCKS" }] } },
      "/api/autofill/explore": {
        query: {},
        body: { merchant_url: "https://merchant.example", goal: "", currency: "GBP" },
      },
      "/api/autofill/orders": { query: {}, body: null },
      "/api/autofill/orders/{id}": { query: {}, body: null, path: { id: "ord_1_none" } },
      "/api/autofill/orders/{id}/evidence": { query: {}, body: null, path: { id: "ord_1_none" } },
      "/api/autofill/reliability": { query: {}, body: null },
      "/api/autofill/cards": { query: {}, body: null },
      "/api/autofill/approvals/{approval_token}": {
        query: {},
        body: null,
        path: { approval_token: `satchel_ap_${"0".repeat(43)}` },
      },
      "/api/autofill/questions/{question_id}/answer": {
        query: {},
        body: { answer: "Engines Ltd" },
        path: { question_id: "qst_1_none" },
      },
    };
    for (const route of ROUTES) {
      const input = inputs[`${route.method} ${route.path}`] ?? inputs[route.path];
      if (!input) throw new Error(`There is no input for ${route.path} in this test.`);
      const headers: Record<string, string> = route.movesMoney
        ? { "idempotency-key": `parity${route.path.replaceAll("/", "-")}` }
        : {};
      const isLogin = route.authentication === "login_token";
      const query = new URLSearchParams(Object.entries(input.query).map(([name, value]) => [name, String(value)]));
      const rest = await stack.rest(
        isLogin ? null : account.token,
        route.method,
        `${route.path.replaceAll(/\{(\w+)\}/g, (_part, name) => input.path?.[name] ?? "")}?${query}`,
        input.body ?? undefined,
        isLogin ? { ...headers, authorization: `Bearer ${login.token}` } : headers,
      );
      const { query: queryParameters, body: sent, read = sent, path = {} } = input;
      const variables = route.variables({ query: queryParameters, body: read, path }) as object;
      const document = toPublicDocument(route.document);
      const graphql = await stack.graphql(account.token, print(document), variables, headers);
      expect(graphql.json.errors, route.path).toBeUndefined();
      const data = toWireValues(document, variables, graphql.json);
      const rawReply = route.toResponse(data, variables) as Record<string, unknown>;
      // Timestamps of responses differ between calls.
      if ("generated_at" in rawReply) rawReply["generated_at"] = rest.json.generated_at;
      if (rest.status === 200) expect(rest.json, route.path).toEqual(rawReply);
      else expect([rest.json.error, rest.json.message], route.path).toEqual([rawReply["code"], rawReply["message"]]);
    }
  });
});
