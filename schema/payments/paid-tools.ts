/** Tools of other parties' MCP servers: the query `paidTools` and the mutation `callPaidTool`. */
import { callPaidTool, type PaidToolResult } from "../../src/payments/paid-tools/call-paid-tool.ts";
import { ToolCallFailedError } from "../../src/payments/paid-tools/errors.ts";
import { listPaidTools, type PaidTool } from "../../src/payments/paid-tools/list-paid-tools.ts";
import { DEFAULT_TIMEOUT_MS } from "../../src/payments/proxy/check-input.ts";
import { InvalidRequestError, RateLimitedError } from "../../src/platform/errors.ts";
import { PurchaseTokenUsedError } from "../../src/wallet/reservation.ts";
import { builder } from "../builder.ts";
import { createErrorOptions, INPUT_ERRORS, TARGET_ERRORS } from "../errors.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { PAYING_VIEWER, PAYING_WALLET } from "../wallet/payer-fields.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";
import { X402Payment } from "./x402-fetch.ts";

builder.objectType(ToolCallFailedError, {
  name: "ToolCallFailedError",
  ...createErrorOptions("The MCP server refused the call or its payment, and returned no result."),
  fields: (t) => ({
    paidTransactionId: t.id({
      nullable: true,
      description: "The ledger id of the payment presented to the server; null if nothing was paid.",
      resolve: ({ transactionId }) => transactionId,
    }),
  }),
});

const PaidToolType = builder.objectRef<PaidTool>("PaidTool").implement({
  description: "A tool of another party's MCP server. All texts are the server's own and untrusted.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name by which the tool is called." }),
    title: t.exposeString("title", { nullable: true, description: "The display name; null if there is none." }),
    summary: t.exposeString("description", { nullable: true, description: "The server's description of the tool." }),
    inputSchema: t.expose("inputSchema", { type: "JSON", description: "The JSON Schema of the tool's arguments." }),
    isPaymentStated: t.exposeBoolean("isPaymentStated", {
      description: "Whether the server's list states that the tool requires payment.",
    }),
    statedPriceUsd: t.expose("priceMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The price that the list states; null if it has none. The server's offer decides what a call costs.",
    }),
  }),
});

const PaidToolsSuccess = builder.objectRef<readonly PaidTool[]>("PaidToolsSuccess").implement({
  description: "The tools of the server.",
  fields: (t) => ({
    tools: t.field({
      type: [PaidToolType],
      complexity: { field: 1, multiplier: 10 },
      description: "The tools, in the order of the server.",
      resolve: (tools) => [...tools],
    }),
  }),
});

builder.queryField("paidTools", (t) =>
  t.field({
    type: PaidToolsSuccess,
    complexity: 100,
    authScopes: { account: true },
    description:
      "The tools of another party's MCP server. Requests the server's list, and neither calls a tool nor pays.",
    errors: {
      types: [...INPUT_ERRORS, RateLimitedError, ...TARGET_ERRORS, ToolCallFailedError],
      union: { name: "PaidToolsResult", description: "The tools of the server, or the error." },
    },
    args: { serverUrl: t.arg({ type: "Url", required: true, description: "The URL of the MCP server." }) },
    resolve: (_root, { serverUrl }, { deps, viewer, disconnected }) =>
      listPaidTools(deps, viewer, { serverUrl, signal: disconnected?.() }),
  }),
);

const CallPaidToolInput = builder.inputType("CallPaidToolInput", {
  description: "Input of `callPaidTool`.",
  fields: (t) => ({
    serverUrl: t.field({ type: "Url", required: true, description: "The URL of the MCP server." }),
    tool: t.string({ required: true, description: "The name of the tool, at most 128 characters." }),
    arguments: t.field({
      type: "JSON",
      description: "The arguments of the tool: an object, as the tool's `inputSchema` requires. Default: no arguments.",
    }),
    maxValue: t.field({
      type: "AtomicAmount",
      description: "The maximum price in the asset's smallest unit. By default only the caller's limits apply.",
    }),
    timeoutMs: t.int({
      required: true,
      defaultValue: DEFAULT_TIMEOUT_MS,
      description: "The time limit for the server, at most 120000; default 30000.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const CallPaidToolSuccess = builder.objectRef<PaidToolResult>("CallPaidToolSuccess").implement({
  description: "The result of the tool. Its content comes from the server and is untrusted.",
  fields: (t) => ({
    content: t.field({
      type: ["JSON"],
      description: "The content blocks of the result, as the Model Context Protocol defines them.",
      resolve: ({ content }) => [...content],
    }),
    structuredContent: t.expose("structuredContent", {
      type: "JSON",
      nullable: true,
      description: "The structured result; null if the tool returns none.",
    }),
    isError: t.exposeBoolean("isError", {
      description:
        "Whether the tool failed. A payment presented to it settles only if the server redeems it, and otherwise is released.",
    }),
    payment: t.expose("payment", {
      type: X402Payment,
      nullable: true,
      description: "The payment presented to the server, or null if the tool was free.",
    }),
    isSettlementReported: t.exposeBoolean("isSettlementReported", {
      description:
        "Whether the server reported that it settled the payment, even if `isError`. An equal call without a key is then another purchase. The `transaction` of the payment has the status on the network.",
    }),
    wallet: t.field(PAYING_WALLET),
    viewer: t.field(PAYING_VIEWER),
  }),
});

builder.mutationField("callPaidTool", (t) =>
  t.field({
    type: CallPaidToolSuccess,
    complexity: 100,
    authScopes: { payer: true },
    extensions: { movesMoney: true },
    description:
      "Calls a tool of another party's MCP server. If it requires payment through X402, Satchel pays within all limits and repeats the call.",
    errors: {
      types: [...PAYMENT_ERRORS, ...TARGET_ERRORS, PurchaseTokenUsedError, ToolCallFailedError],
      union: { name: "CallPaidToolResult", description: "The result of the tool, or the error." },
    },
    args: { input: t.arg({ type: CallPaidToolInput, required: true, description: "The call to make." }) },
    resolve: (_root, { input }, context) =>
      callPaidTool(context.deps, context.viewer, {
        serverUrl: input.serverUrl,
        tool: input.tool,
        arguments: readArguments(input.arguments),
        maxValueAtomic: input.maxValue ?? null,
        timeoutMs: input.timeoutMs,
        idempotencyKey: idempotencyKeyOf(input, context),
        signal: context.exchange?.signal ?? context.disconnected?.(),
        delivered: context.exchange?.delivered,
        isExclusive: context.exchange?.isExclusive,
      }),
  }),
);

function readArguments(value: unknown): { [name: string]: unknown } {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new InvalidRequestError("arguments must be a JSON object.", "arguments");
  }
  return value as { [name: string]: unknown };
}
