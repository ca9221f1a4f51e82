/** Calls that wait for the owner's approval, on the endpoint with a tool of this test. */
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { parse } from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { ApprovalRequired } from "../../mcp/approvals.ts";
import { createCatalog } from "../../mcp/catalog.ts";
import { registerEndpoint } from "../../mcp/endpoint.ts";
import { createHandles } from "../../mcp/handles.ts";
import { toMessages } from "../../mcp/message.ts";
import { createRequestStates } from "../../mcp/request-states.ts";
import { createServer } from "../../mcp/server.ts";
import { defineTool } from "../../mcp/tool.ts";
import { buildRestSchema } from "../../schema/schema.ts";
import { createSite } from "../../src/platform/http/site.ts";
import { claimSingleUse } from "../../src/platform/idempotency/single-use.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { connect } from "./clients.ts";

const PAGE = "https://satchel.example/approve/apr_1";
let stack: Stack;
let account: TestAccount;
let app: FastifyInstance;
let url: string;
/** The owner's decision, and the calls that bought something. */
const state = { isApproved: false, bought: [] as unknown[] };

const buy = defineTool({
  name: "buy_item",
  title: "Buy item",
  description: "Buys.",
  group: "shop",
  effect: "spends",
  isIdempotent: true,
  isOpenWorld: true,
  input: z.strictObject({ item: z.string() }),
  output: z.object({ status: z.string(), approval_url: z.string().nullable() }),
  document: parse("mutation { stopEverything { __typename } }"),
  async call({ item }) {
    const approval = { url: PAGE, message: "A purchase waits." };
    if (!state.isApproved) throw new ApprovalRequired(approval, { status: "approval_required", approval_url: PAGE });
    state.bought.push(item);
    return { status: "bought", approval_url: null };
  },
});

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  const { signingKeys, db, rateLimiter } = stack.service.deps;
  const claimOnce = (key: string) =>
    claimSingleUse({ db, rateLimiter }, account.accountId, key).then(
      () => true,
      () => false,
    );
  const catalog = createCatalog(buildRestSchema(), [buy]);
  app = fastify();
  const baseUrl = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  registerEndpoint<object>(app, {
    site: createSite(baseUrl, false),
    isOriginAllowed: () => false,
    admit: async () => ({}),
    createServer(_caller, { request, signal, delivered, track }) {
      const handles = createHandles(signingKeys, { accountId: account.accountId, budgetId: "b" });
      return createServer({
        ...{ tools: catalog, resources: [], hasChanges: false, instructions: "" },
        request: {
          ...{
            id: request.id,
            messages: toMessages(request.body),
            context: {},
            dashboardUrl: "",
            signal,
            handles,
            records: {
              findOutlays: async () => [],
              findStoredId: async () => null,
              findConfirmation: async () => null,
              findOrderParties: () => Promise.reject(new Error("The tool orders nothing.")),
            },
            track,
            withReadPermit: (read) => read(),
            watchDelivery: () => ({ delivered, complete() {} }),
          },
          states: createRequestStates(handles, claimOnce),
          report: () => {},
        },
      });
    },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  url = `${baseUrl()}/mcp`;
});
afterAll(() => app.close());

const meta = (capabilities: object) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": capabilities,
});

/** Calls the tool as a client of revision 2026-07-28. */
async function call(args: object, more: object = {}, capabilities: object = { elicitation: { url: {} } }) {
  const params = { name: "buy_item", arguments: args, ...more, _meta: meta(capabilities) };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "buy_item",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: results have several shapes.
  return (await response.json()) as any;
}
const accept = (requestState: string, action = "accept") => ({
  requestState,
  inputResponses: { approval: { action } },
});
const REQUIRED = { status: "approval_required", approval_url: PAGE };

it("returns the approval to clients that cannot open a page", async () => {
  state.isApproved = false;
  for (const mode of ["v1", "v2 default", "v2 auto"] as const) {
    const client = await connect(url, "", mode);
    expect(await client.call("buy_item", { item: "book" })).toMatchObject({ isError: false, structured: REQUIRED });
    await client.close();
  }
  const { result } = await call({ item: "book" }, {}, { elicitation: {} });
  expect(result.structuredContent).toEqual(REQUIRED);
  expect(state.bought).toEqual([]);
});

it("opens the page where the client declared it, and buys once after the owner approved", async () => {
  Object.assign(state, { isApproved: false, bought: [] });
  const { result } = await call({ item: "book" });
  expect(result).toMatchObject({
    resultType: "input_required",
    inputRequests: { approval: { method: "elicitation/create", params: { mode: "url", url: PAGE } } },
  });
  state.isApproved = true;
  const bought = await call({ item: "book" }, accept(result.requestState));
  expect(bought.result.structuredContent).toEqual({ status: "bought", approval_url: null });
  expect(state.bought).toEqual(["book"]);
  const repeated = await call({ item: "book" }, accept(result.requestState));
  expect(repeated.error).toMatchObject({ code: -32_602, data: { reason: "invalid_request_state" } });
  expect(state.bought).toEqual(["book"]);
});

it("does not treat the client's acceptance as the owner's approval", async () => {
  Object.assign(state, { isApproved: false, bought: [] });
  for (const action of ["accept", "decline", "cancel"]) {
    const { result } = await call({ item: "book" });
    const repeated = await call({ item: "book" }, accept(result.requestState, action));
    expect(repeated.result.structuredContent).toEqual(REQUIRED);
  }
  expect(state.bought).toEqual([]);
});

it("refuses a state of other arguments, a changed state, and all but one of parallel uses", async () => {
  Object.assign(state, { isApproved: false, bought: [] });
  const newState = async () => (await call({ item: "book" })).result.requestState as string;
  const first = await newState();
  state.isApproved = true;
  for (const [args, changed] of [
    [{ item: "car" }, first],
    [{ item: "book" }, `${first}A`],
    [{ item: "book" }, first.replace(/^[^.]+/, Buffer.from('{"awaits":"confirmation"}').toString("base64url"))],
    [{ item: "book" }, "x"],
  ] as const) {
    expect((await call(args, accept(changed))).error.code).toBe(-32_602);
  }
  expect(state.bought).toEqual([]);
  const parallel = await Promise.all([0, 1, 2, 3].map(() => call({ item: "book" }, accept(first))));
  expect(parallel.filter(({ result }) => result !== undefined)).toHaveLength(1);
  expect(state.bought).toEqual(["book"]);
});
