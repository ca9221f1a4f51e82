// @module-tag postgresql
/** Tools of other parties' MCP servers, listed and paid through GraphQL, against the sandbox's server and chain. */
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { readUsdcBalance } from "../support/usdc.ts";

const FUNDS_ATOMIC = 1_000_000n;
const PRICE_ATOMIC = 10_000n;
const CALL = `mutation ($input: CallPaidToolInput!) { callPaidTool(input: $input) { __typename
  ... on CallPaidToolSuccess { content structuredContent isError
    payment { transactionId amountPaidUsd network transaction { status resource } } }
  ... on Error { message code }
  ... on InvalidRequestError { field }
  ... on MaxValueExceededError { required { atomic } }
  ... on SpendingLimitExceededError { period }
  ... on ToolCallFailedError { paidTransactionId }
  ... on TargetUnreachableError { paidTransactionId }
  ... on TargetTimeoutError { paidTransactionId }
  ... on TargetResponseInvalidError { paidTransactionId }
  ... on NoAcceptableRequirementError { considered { refusal } } } }`;

let stack: Stack;
let account: TestAccount;
let wallet: string;
let chain: SandboxNetwork;
let origin: string;
beforeAll(async () => {
  stack = await sharedStack();
  const { sandbox } = stack;
  if (!sandbox?.mcpUrl || !sandbox.networks["base-sepolia"]) throw new Error("The sandbox has no paid MCP server.");
  chain = sandbox.networks["base-sepolia"];
  origin = new URL(sandbox.mcpUrl).origin;
});
beforeEach(async () => {
  ({ account, wallet } = await openPayer());
});

/** Creates an account without credit, so that its own wallet pays. */
async function openPayer(options: Parameters<Stack["account"]>[0] = {}) {
  const { db, wallets } = stack.service.deps;
  const opened = await stack.account(options);
  await db.prisma.credit.update({ where: { accountId: opened.accountId }, data: { availableMicroUsd: 0n } });
  await stack.fund(opened, FUNDS_ATOMIC.toString());
  return { account: opened, wallet: (await wallets.ofAccount(opened.accountId)).evmAddress as string };
}

interface Call {
  readonly path?: string;
  readonly tool?: string;
  readonly token?: string;
  readonly input?: object;
}
async function call({ path = "/mcp", tool = "get_weather", token = account.token, input = {} }: Call = {}) {
  const variables = { input: { serverUrl: origin + path, tool, arguments: { city: "Porto" }, ...input } };
  const { json } = await stack.graphql(token, CALL, variables);
  if (!json?.data) throw new Error(JSON.stringify(json));
  return json.data.callPaidTool;
}
const prisma = () => stack.service.deps.db.prisma;
const paymentsOf = ({ accountId }: TestAccount) =>
  prisma().transaction.findMany({ where: { accountId, type: "x402" } });
/** Waits until no payment is outstanding, and returns what left the wallet. */
async function spent(): Promise<bigint> {
  await expect.poll(async () => (await paymentsOf(account)).every(({ status }) => status === "settled")).toBe(true);
  return FUNDS_ATOMIC - (await readUsdcBalance(chain, wallet));
}
/** Returns the distinct authorizations of the wallet that the server received on a path. */
async function presented(path: string): Promise<{ requests: number; distinct: number }> {
  const response = await fetch(`${stack.sandbox?.adminUrl}/observed?path=${encodeURIComponent(`mcp:${path}`)}`);
  const { requests } = (await response.json()) as { requests: { payment: string | null }[] };
  const own = requests.flatMap(({ payment }) => {
    const decoded = payment && JSON.parse(Buffer.from(payment, "base64").toString("utf8"));
    return decoded && decoded.payload.authorization.from === wallet ? [JSON.stringify(decoded.payload)] : [];
  });
  return { requests: own.length, distinct: new Set(own).size };
}

describe("paidTools", () => {
  const LIST = `query ($serverUrl: Url!) { paidTools(serverUrl: $serverUrl) { __typename
    ... on PaidToolsSuccess { tools { name summary inputSchema isPaymentStated statedPriceUsd } }
    ... on Error { message code } ... on UrlNotAllowedError { field } ... on InvalidRequestError { field } } }`;
  const list = async (serverUrl: string) =>
    (await stack.graphql(account.token, LIST, { serverUrl })).json.data.paidTools;

  it.each(["/mcp", "/legacy/mcp", "/moved/mcp"])("lists the tools of %s with the stated prices", async (path) => {
    const { tools } = await list(origin + path);
    expect(tools.map((tool: { name: string }) => tool.name)).toContain("get_unsettled_weather");
    expect(tools.find((tool: { name: string }) => tool.name === "get_weather")).toMatchObject({
      isPaymentStated: true,
      statedPriceUsd: "0.01",
      inputSchema: { required: ["city"] },
    });
    for (const name of ["list_cities", "get_forecast"]) {
      expect(tools.find((tool: { name: string }) => tool.name === name)).toMatchObject({
        isPaymentStated: false,
        statedPriceUsd: null,
      });
    }
    expect(await paymentsOf(account)).toEqual([]);
  });

  it("reports a server that requires a sign-in, speaks another protocol, or is not allowed", async () => {
    expect(await list(`${origin}/protected/mcp`)).toMatchObject({ __typename: "ToolCallFailedError" });
    expect(await list(`${stack.sandbox?.shopUrl}/free`)).toMatchObject({ __typename: "ToolCallFailedError" });
    expect(await list("http://10.0.0.1/mcp")).toMatchObject({ __typename: "UrlNotAllowedError" });
    expect(await list("http://169.254.169.254/mcp")).toMatchObject({ __typename: "UrlNotAllowedError" });
  });
});

describe("callPaidTool", () => {
  it.each([
    ["/mcp", "get_weather"],
    ["/mcp", "get_forecast"],
    ["/legacy/mcp", "get_weather"],
    ["/moved/mcp", "get_weather"],
  ])("pays %s %s once", async (path, tool) => {
    const result = await call({ path, tool });
    expect(result).toMatchObject({
      __typename: "CallPaidToolSuccess",
      structuredContent: { city: "Porto", temperatureCelsius: 17 },
      isError: false,
      payment: { amountPaidUsd: "0.01", network: "base-sepolia" },
    });
    expect(await spent()).toBe(PRICE_ATOMIC);
    const [payment, ...others] = await paymentsOf(account);
    expect(others).toEqual([]);
    expect(payment).toMatchObject({ id: result.payment.transactionId, status: "settled" });
    expect(payment?.resource).toBe(`${origin}${path === "/moved/mcp" ? "/mcp" : path}`);
  });

  it("calls a free tool without a payment", async () => {
    const result = await call({ tool: "list_cities", input: { arguments: {} } });
    expect(result).toMatchObject({ structuredContent: { cities: ["Porto", "Bergen", "Kyoto"] }, payment: null });
    expect(await paymentsOf(account)).toEqual([]);
  });

  it("names an unknown tool, and a tool that requests elicitation", async () => {
    const unknown = await call({ tool: "no_such_tool" });
    expect(unknown).toMatchObject({
      __typename: "ToolCallFailedError",
      code: "TOOL_CALL_FAILED",
      paidTransactionId: null,
    });
    expect(unknown.message).toContain("Unknown tool: no_such_tool");
    expect(unknown.message).toContain("No payment was made.");
    const elicits = await call({ tool: "get_local_weather" });
    expect(elicits).toMatchObject({ __typename: "ToolCallFailedError", paidTransactionId: null });
    expect(elicits.message).toContain("elicitation");
    const elicitsLegacy = await call({ path: "/legacy/mcp", tool: "get_local_weather" });
    expect(elicitsLegacy).toMatchObject({ isError: true, content: [{ text: "The client refused the elicitation." }] });
  });

  it("delivers no content of a failed settlement", async () => {
    for (const options of [{ tool: "get_unsettled_weather" }, { path: "/fault/delivers-unsettled/mcp" }]) {
      const result = await call({ ...options, input: { timeoutMs: 4_000 } });
      expect(result).toMatchObject({ __typename: "ToolCallFailedError", paidTransactionId: expect.any(String) });
      expect(JSON.stringify(result)).not.toContain("temperatureCelsius");
    }
  });

  it("presents the same payment again after an error of the tool, which settles nothing", async () => {
    for (const _attempt of [1, 2]) {
      expect(await call({ tool: "get_tide" })).toMatchObject({
        isError: true,
        payment: { transaction: { status: "SIGNED" } },
      });
    }
    expect(await paymentsOf(account)).toHaveLength(1);
    expect(await readUsdcBalance(chain, wallet)).toBe(FUNDS_ATOMIC);
  });
});

describe("limits", () => {
  it("refuses a price above maxValue, a daily limit and a demand of 1,000 USD", async () => {
    expect(await call({ input: { maxValue: "9999" } })).toMatchObject({
      __typename: "MaxValueExceededError",
      required: { atomic: "10000" },
    });
    const { account: limited } = await openPayer({ limits: { dailyMicroUsd: 15_000n } });
    expect(await call({ token: limited.token })).toMatchObject({ __typename: "CallPaidToolSuccess" });
    expect(await call({ token: limited.token })).toMatchObject({
      __typename: "SpendingLimitExceededError",
      period: "DAY",
    });
    expect(await call({ path: "/fault/dearer/mcp" })).toMatchObject({ __typename: "InsufficientBalanceError" });
    expect(await paymentsOf(account)).toEqual([]);
  });

  it("never exceeds a daily limit under parallel calls", async () => {
    const { account: limited } = await openPayer({ limits: { dailyMicroUsd: 35_000n } });
    const cities = ["a", "b", "c", "d", "e", "f"];
    const results = await Promise.all(
      cities.map((city) => call({ token: limited.token, input: { arguments: { city } } })),
    );
    const kinds = results.map(({ __typename }) => __typename);
    expect(kinds.filter((kind) => kind === "CallPaidToolSuccess")).toHaveLength(3);
    expect(kinds.filter((kind) => kind === "SpendingLimitExceededError")).toHaveLength(3);
  });

  it("applies the token's host rules to the server's URL", async () => {
    const { account: elsewhere } = await openPayer({ token: { allowedHosts: ["weather.example"] } });
    expect(await call({ token: elsewhere.token })).toMatchObject({ __typename: "ForbiddenError" });
    const { account: here } = await openPayer({ token: { allowedHosts: ["127.0.0.1"] } });
    expect(await call({ token: here.token })).toMatchObject({ __typename: "CallPaidToolSuccess" });
    expect(await paymentsOf(elsewhere)).toEqual([]);
  });

  it("pays nothing while the account is frozen", async () => {
    await prisma().account.update({
      where: { id: account.accountId },
      data: { frozenAt: new Date(), frozenBy: "owner" },
    });
    const { json } = await stack.graphql(account.token, CALL, {
      input: { serverUrl: `${origin}/mcp`, tool: "get_weather", arguments: { city: "Porto" } },
    });
    expect(JSON.stringify(json)).toContain("account_frozen");
    expect(await paymentsOf(account)).toEqual([]);
  });

  it("requires the scope and an account with X402", async () => {
    const { account: reader } = await openPayer({ token: { scopes: ["balance:read"] } });
    await prisma().account.update({ where: { id: reader.accountId }, data: { strictScopes: true } });
    const { json } = await stack.graphql(reader.token, CALL, {
      input: { serverUrl: `${origin}/mcp`, tool: "get_weather" },
    });
    expect(JSON.stringify(json)).toContain("payments:sign");
    const { account: disabled } = await openPayer({ x402: false });
    expect(await call({ token: disabled.token })).toMatchObject({ __typename: "X402NotEnabledError" });
  });
});

describe("retries", () => {
  it.each(["drops-before-once", "settles-then-drops-once", "breaks-off-once", "unavailable-once"])(
    "pays once although the server %s",
    async (fault) => {
      const path = `/fault/${fault}/mcp`;
      expect(await call({ path })).toMatchObject({ __typename: "CallPaidToolSuccess", isError: false });
      expect(await spent()).toBe(PRICE_ATOMIC);
      expect(await presented(path)).toEqual({ requests: 2, distinct: 1 });
    },
  );

  it("presents the same payment in an equal later call after a server that never delivers", async () => {
    const path = "/fault/settles-then-drops/mcp";
    for (const args of [
      { city: "Porto", day: "1" },
      { day: "1", city: "Porto" },
    ]) {
      const result = await call({ path, input: { arguments: args, timeoutMs: 1_500 } });
      expect(result).toMatchObject({ __typename: "TargetUnreachableError", paidTransactionId: expect.any(String) });
    }
    expect((await presented(path)).distinct).toBe(1);
    expect(await spent()).toBe(PRICE_ATOMIC);
  });

  it("pays once for parallel calls with one key, and returns the stored result afterwards", async () => {
    const input = { idempotencyKey: randomUUID() };
    const results = await Promise.all(Array.from({ length: 5 }, () => call({ input })));
    const delivered = results.filter(({ __typename }) => __typename === "CallPaidToolSuccess");
    expect(delivered.length).toBeGreaterThan(0);
    expect(results.every(({ __typename }) => /^(CallPaidToolSuccess|IdempotencyInFlightError)$/.test(__typename))).toBe(
      true,
    );
    expect(await call({ input })).toEqual({
      ...delivered[0],
      payment: { ...delivered[0].payment, transaction: expect.any(Object) },
    });
    expect(await call({ input: { ...input, arguments: { city: "Kyoto" } } })).toMatchObject({
      __typename: "IdempotencyKeyReusedError",
    });
    expect(await spent()).toBe(PRICE_ATOMIC);
  });
});

describe("servers that misbehave", () => {
  it("refuses malformed requirements without a payment", async () => {
    expect(await call({ path: "/fault/malformed-offers/mcp" })).toMatchObject({
      __typename: "NoAcceptableRequirementError",
      considered: [{ refusal: "MALFORMED" }],
    });
    expect(await call({ path: "/fault/no-amount/mcp" })).toMatchObject({ __typename: "NoAcceptableRequirementError" });
    expect(await paymentsOf(account)).toEqual([]);
  });

  it("sends no payment to another origin", async () => {
    const result = await call({ path: "/fault/redirects-elsewhere/mcp", input: { timeoutMs: 2_000 } });
    expect(result).toMatchObject({ paidTransactionId: expect.any(String) });
    const response = await fetch(`${stack.sandbox?.adminUrl}/observed?path=${encodeURIComponent("elsewhere:/mcp")}`);
    expect(((await response.json()) as { requests: unknown[] }).requests).toEqual([]);
  });

  it("limits the size and the time of a response", async () => {
    const large = await call({ path: "/fault/large-result/mcp" });
    expect(large).toMatchObject({ __typename: "ToolCallFailedError", paidTransactionId: expect.any(String) });
    expect(large.message).toContain("larger than 4 MiB");
    expect(await call({ path: "/fault/hangs/mcp", input: { timeoutMs: 1_000 } })).toMatchObject({
      __typename: "TargetTimeoutError",
      paidTransactionId: expect.any(String),
    });
  });

  it.each(["http://10.0.0.1/mcp", "http://169.254.169.254/latest", "http://[fd00::1]/mcp"])(
    "refuses %s",
    async (serverUrl) => {
      expect(await call({ input: { serverUrl } })).toMatchObject({ __typename: "UrlNotAllowedError" });
    },
  );

  it("forwards no credential", async () => {
    const { account: own } = await openPayer();
    await call({ token: own.token });
    const response = await fetch(`${stack.sandbox?.adminUrl}/observed?path=${encodeURIComponent("mcp:/mcp")}`);
    const { requests } = (await response.json()) as { requests: { headerNames: string[] }[] };
    const names = new Set(requests.flatMap(({ headerNames }) => headerNames));
    for (const name of ["authorization", "x-service-token", "cookie", "idempotency-key"])
      expect(names).not.toContain(name);
  });
});
