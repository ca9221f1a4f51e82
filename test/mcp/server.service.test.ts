/** The MCP server over HTTP: clients of each revision, credentials, scopes, sources and faults of the protocol. */
// @module-tag postgresql
import { request as requestHttp } from "node:http";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { hasAccess } from "../../schema/access/require-access.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { createClient, obtainTokens, openSignedInBrowser } from "../support/oauth.ts";
import { ADMIN_TOKEN, type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { CATALOG } from "./catalog.ts";
import { connect, MODES } from "./clients.ts";

const ALL = "wallet,pay,email,shop,trade,identity,developer";

let stack: Stack;
let account: TestAccount;
let url: string;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  url = `${stack.baseUrl}/mcp`;
});

/** Sends one message without a client. */
async function post(token: string | null, message: unknown, headers: Record<string, string> = {}, query = "") {
  const response = await fetch(url + query, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const callOf = (name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

describe("clients", () => {
  it.each(MODES)("serves %s with the same list and results", async (mode) => {
    const client = await connect(url, account.token, mode);
    const tools = await client.listTools();
    const expected = CATALOG.filter(({ tool }) => ["wallet", "pay", "email", "shop", "always"].includes(tool.group));
    expect(tools.map(({ name }) => name)).toEqual(expected.map(({ tool }) => tool.name));
    const wallet = await client.call("get_wallet");
    expect(wallet).toMatchObject({ isError: false, json: { network: "base-sepolia", credit_usd: "5.00" } });
    expect(wallet.structured).toEqual(wallet.json);
    expect(client.instructions()).toContain("untrusted_content");
    // Clients of version 1 validate `structuredContent` of errors too.
    const unknown = await client.call("get_transaction", { id: "tx_none" });
    expect(unknown).toMatchObject({ isError: true, json: { error: { code: "not_found" } } });
    await expect(client.call("no_such_tool")).rejects.toMatchObject({ code: -32_602 });
    await client.close();
  });

  it("marks the list as private for caches", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
    const listed = await post(account.token, { ...LIST, params: { _meta: meta } }, headers);
    expect(listed.status).toBe(200);
    expect(JSON.parse(listed.text).result).toMatchObject({ ttlMs: 0, cacheScope: "private", resultType: "complete" });
    expect(listed.headers.get("cache-control")).toBe("no-store");
    const mismatch = await post(
      account.token,
      { ...LIST, params: { _meta: meta } },
      { ...headers, "mcp-method": "tools/call" },
    );
    expect([mismatch.status, JSON.parse(mismatch.text).error.code]).toEqual([400, -32_020]);
  });
});

describe("credentials", () => {
  it("accepts an API token in both headers", async () => {
    expect((await post(account.token, LIST)).status).toBe(200);
    expect((await post(null, LIST, { "x-service-token": account.token })).status).toBe(200);
  });

  it("refuses a request without an account's token, with the scopes of its tools and the metadata", async () => {
    const none = await post(null, "{", {}, "?tools=trade");
    const metadata = `resource_metadata="${stack.baseUrl}/.well-known/oauth-protected-resource/mcp"`;
    expect(none.status).toBe(401);
    const challenge = none.headers.get("www-authenticate");
    expect(challenge).toBe(`Bearer realm="satchel", scope="transactions:read trade:execute", ${metadata}`);
    for (const token of ["wrong", ADMIN_TOKEN, `satchel_ss_${"a".repeat(43)}`]) {
      const wrong = await post(token, LIST);
      expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ]);
    }
  });

  it("accepts access tokens for /mcp in any form, and for the whole service, and no others", async () => {
    const [browser, client] = [await openSignedInBrowser(stack, account.accountId), await createClient(stack)];
    const statusOf = async (resource: string) => {
      const { access_token: token } = await obtainTokens(stack, browser, client, { parameters: { resource } });
      const rest = await stack.rest(null, "GET", "/api/transactions", undefined, { authorization: `Bearer ${token}` });
      return [(await post(token, LIST)).status, rest.status];
    };
    for (const path of ["/mcp", "/mcp/", "/mcp?tools=trade"])
      expect(await statusOf(stack.baseUrl + path)).toEqual([200, 401]);
    for (const path of ["", "/"]) expect(await statusOf(stack.baseUrl + path)).toEqual([200, 200]);
    expect(await statusOf(`${stack.baseUrl}/api`)).toEqual([401, 200]);
  });
});

describe("scopes", () => {
  it("lists and runs exactly the tools that the access table permits", async () => {
    await stack.service.deps.db.prisma.account.update({
      where: { id: account.accountId },
      data: { strictScopes: false },
    });
    const strict = await stack.account();
    await stack.service.deps.db.prisma.account.update({
      where: { id: strict.accountId },
      data: { strictScopes: true },
    });
    const property = fc.asyncProperty(fc.subarray([...SCOPES]), async (scopes) => {
      await stack.service.deps.db.prisma.apiToken.update({ where: { id: strict.tokenId }, data: { scopes } });
      const viewer = { kind: "account", strictScopes: true, scopes, credentialKind: "api_token" } as never;
      const permitted = CATALOG.filter(({ accesses }) => hasAccess(accesses, { viewer, isTrusted: false }));
      const client = await connect(`${url}?tools=${ALL}`, strict.token);
      expect((await client.listTools()).map(({ name }) => name)).toEqual(permitted.map(({ tool }) => tool.name));
      await client.close();
      for (const entry of CATALOG) {
        const { status, headers } = await post(
          strict.token,
          callOf(entry.tool.name, { unknown: 1 }),
          {},
          `?tools=${ALL}`,
        );
        const isMissing = entry.scopes.some((scope) => !(scopes as readonly string[]).includes(scope));
        expect([entry.tool.name, status]).toEqual([entry.tool.name, isMissing ? 403 : 200]);
        const challenge = `Bearer realm="satchel", error="insufficient_scope", scope="${entry.scopes.join(" ")}", resource_metadata=`;
        if (isMissing) expect(headers.get("www-authenticate")).toContain(challenge);
      }
    });
    await fc.assert(property, { numRuns: 6 });
  });

  it("are enough for the balances and limits of get_wallet, which states the lowest of token and account", async () => {
    const limited = await stack.account({ token: { scopes: ["balance:read"] } });
    const { prisma } = stack.service.deps.db;
    await prisma.account.update({ where: { id: limited.accountId }, data: { strictScopes: true } });
    await prisma.budget.update({ where: { id: limited.tokenId }, data: { dailyLimitMicroUsd: 9_000_000n } });
    await prisma.budget.update({ where: { id: limited.accountId }, data: { dailyLimitMicroUsd: 7_000_000n } });
    const client = await connect(url, limited.token);
    const { isError, json } = await client.call("get_wallet");
    expect([isError, json.limits]).toMatchObject([false, { day_limit_usd: "7.00", day_remaining_usd: "7.00" }]);
    await client.close();
  });

  it("names in the instructions what is off for the token", async () => {
    const limited = await stack.account({ token: { scopes: ["balance:read"] }, x402: false });
    await stack.service.deps.db.prisma.account.update({
      where: { id: limited.accountId },
      data: { strictScopes: true },
    });
    const client = await connect(url, limited.token);
    expect(client.instructions()).toMatch(/Off for this token: list_transactions/);
    expect(client.instructions()).toContain("X402 payments are off");
    await client.close();
  });
});

describe("arguments", () => {
  it("are strict, and accepted as JSON text", async () => {
    const client = await connect(url, account.token);
    expect((await client.call("list_transactions", { limit: "5" })).isError).toBe(false);
    const errorOf = async (args: object) => (await client.call("list_transactions", args)).json.error;
    expect(await errorOf({ limit: 5, extra: true })).toMatchObject({ code: "invalid_request", field: "extra" });
    expect(await errorOf({ limit: 51 })).toMatchObject({ code: "invalid_request", field: "limit" });
    expect(await errorOf({ limit: "many" })).toMatchObject({ code: "invalid_request", field: "limit" });
    expect(await errorOf({ cursor: "!" })).toMatchObject({ code: "invalid_request" });
    await client.close();
  });

  it("of the URL are refused if unknown", async () => {
    const response = await post(account.token, LIST, {}, "?tools=everything");
    expect(response.status).toBe(400);
    expect(JSON.parse(response.text).error.message).toContain("Unknown group");
  });
});

describe("sources", () => {
  it("accepts no Origin, that of the service and its loopback names, and refuses pages of other sites", async () => {
    const site = stack.service.deps.site.browserUrl();
    for (const origin of [stack.baseUrl, site]) expect((await post(account.token, LIST, { origin })).status).toBe(200);
    for (const origin of ["https://evil.example", "null", "http://localhost:1"]) {
      expect((await post(account.token, LIST, { origin })).status).toBe(403);
    }
  });

  it("refuses a Host that does not name the service, before the credential", async () => {
    const { port } = new URL(stack.baseUrl);
    const statusOf = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { host, "content-type": "application/json" };
        const sent = requestHttp(url, { method: "POST", headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sent.once("error", reject).end(JSON.stringify(LIST));
      });
    expect(await statusOf(`localhost:${port}`)).toBe(401);
    expect(await statusOf(`evil.example:${port}`)).toBe(403);
  });
});

describe("faults of the protocol", () => {
  it.each([
    ["{", {}, 400, -32_700],
    [{ jsonrpc: "2.0", id: 1 }, {}, 400, undefined],
    ["<a/>", { "content-type": "text/xml" }, 415, undefined],
    [`"${"a".repeat(1_100_000)}"`, {}, 413, undefined],
  ])("responds to the body %# with a JSON-RPC error", async (body, headers, status, code) => {
    const response = await post(account.token, body, headers as Record<string, string>);
    expect(response.status).toBe(status);
    const { error } = JSON.parse(response.text);
    expect(error.message).toEqual(expect.any(String));
    if (code !== undefined) expect(error.code).toBe(code);
  });

  it.each(["GET", "DELETE", "PUT"])("refuses %s", async (method) => {
    const response = await fetch(url, { method, headers: { authorization: `Bearer ${account.token}` } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

it("refuses to spend while the account is frozen, and still reads", async () => {
  const frozen = await stack.account();
  await stack.service.deps.db.prisma.account.update({
    where: { id: frozen.accountId },
    data: { frozenAt: new Date(), frozenBy: "owner" },
  });
  const client = await connect(url, frozen.token);
  const { json } = await client.call("fetch_paid_url", { url: "http://127.0.0.1:1/" });
  expect(json.error).toMatchObject({ code: "account_frozen", money: "This call made no payment." });
  expect((await client.call("list_transactions")).json.transactions).toMatchObject([
    { type: "credit", amount_usd: "5.00" },
  ]);
  expect(client.instructions()).toContain("frozen");
  await client.close();
});
