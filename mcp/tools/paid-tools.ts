/** Tools that use other parties' MCP servers and pay for their tools with X402. */
import { z } from "zod";
import type { DataWithoutErrors } from "../../src/platform/graphql/typed-document.ts";
import { parseDecimal } from "../../src/platform/money.ts";
import { CallPaidToolDocument, type CallPaidToolMutation, ListPaidToolsDocument } from "../generated/graphql.ts";
import { OFFSET_CURSOR, pageOfItems, pageOfText } from "../pages.ts";
import { PURCHASE_KEY, UNKEYED_PAGE, URL_ARGUMENT, USD } from "../parameters.ts";
import { defineTool } from "../tool.ts";
import { requireSuccess } from "../tool-error.ts";
import { untrusted } from "../untrusted.ts";

const USDC_DECIMALS = 6;
const TIMEOUT_MS = 60_000;
const TOOLS_PER_PAGE = 20;
/** The result is part of a stored response of 256 KiB at most (`src/payments/fetch-resource.ts`). */
const MAX_STORED_BYTES = 200 * 1024;
/** A schema above this size is left out: a model could not read it. */
const MAX_SCHEMA_CHARS = 8_000;

export const listPaidTools = defineTool({
  name: "list_paid_tools",
  title: "List paid tools",
  description: "Lists the tools of another MCP server with the prices that it states. Calls and pays nothing.",
  group: "pay",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: true,
  input: z.strictObject({ server_url: URL_ARGUMENT, cursor: OFFSET_CURSOR.optional() }),
  output: null,
  document: ListPaidToolsDocument,
  async call({ server_url: serverUrl, cursor }, { run }) {
    const { tools } = requireSuccess((await run({ serverUrl })).paidTools);
    const described = tools.map(({ name, summary, inputSchema, isPaymentStated, statedPriceUsd }) => ({
      name,
      description: summary,
      input_schema: JSON.stringify(inputSchema).length > MAX_SCHEMA_CHARS ? null : inputSchema,
      is_paid: isPaymentStated ? true : null,
      stated_price_usd: statedPriceUsd,
    }));
    const page = pageOfItems(described, { cursor, limit: TOOLS_PER_PAGE });
    return { tools: untrusted(page.items), next_cursor: page.next_cursor };
  },
});

type Called = Extract<DataWithoutErrors<CallPaidToolMutation>["callPaidTool"], { __typename: "CallPaidToolSuccess" }>;

/** Returns what happened to the payment of a tool that failed. */
function describeFailedPurchase({ isSettlementReported, payment }: Called, hasKey: boolean): string {
  const status = payment?.transaction.status;
  if (isSettlementReported || status === "settled") {
    return hasKey
      ? "The tool failed, but the payment was charged. A repeated call with this idempotency_key returns this result and pays nothing. With another key it is another purchase."
      : "The tool failed, but the payment was charged. A repeated call is another purchase.";
  }
  if (status === "released" || status === "failed") return "The payment has ended and was not charged.";
  return "The payment was presented, and no settlement is reported. It is released once it expires, unless the server redeems it. Until then, the same call presents it again.";
}

export const callPaidTool = defineTool({
  name: "call_paid_tool",
  title: "Call paid tool",
  description:
    "Calls a tool of another MCP server and pays if it requires payment, within the limits. Pass max_usd, and an idempotency_key if you may retry.",
  group: "pay",
  effect: "spends",
  isIdempotent: false,
  isOpenWorld: true,
  input: z.strictObject({
    server_url: URL_ARGUMENT,
    tool: z.string().min(1).max(128),
    arguments: z.record(z.string(), z.unknown()).optional(),
    max_usd: USD.optional(),
    idempotency_key: PURCHASE_KEY.optional(),
    cursor: OFFSET_CURSOR.optional(),
  }),
  output: null,
  document: CallPaidToolDocument,
  async call(
    { server_url: serverUrl, tool, arguments: args = {}, max_usd: maxUsd, idempotency_key: key, cursor },
    { run },
  ) {
    const maxValue = maxUsd === undefined ? null : parseDecimal(maxUsd, USDC_DECIMALS, "max_usd").toString();
    const result = requireSuccess(
      (
        await run(
          {
            input: {
              serverUrl,
              tool,
              arguments: args,
              // A client that only continues to read must not pay again.
              maxValue: cursor !== undefined && key === undefined ? "0" : maxValue,
              timeoutMs: TIMEOUT_MS,
              idempotencyKey: key ?? null,
            },
          },
          // A payment counts as delivered once its response is written to the client.
          { body: null, onBody: () => {} },
        )
      ).callPaidTool,
      cursor !== undefined && key === undefined ? UNKEYED_PAGE : {},
    );
    const { payment, isError } = result;
    const content = { content: result.content, structured_content: result.structuredContent };
    const page = pageOfText(JSON.stringify(content), cursor);
    const isWhole = cursor === undefined && page.next_cursor === null;
    const isStored = Buffer.byteLength(JSON.stringify(content)) <= MAX_STORED_BYTES;
    const canRepeat = payment === null || (key !== undefined && isStored);
    return {
      is_error: isError,
      payment: payment && {
        id: payment.transactionId,
        amount: payment.amountPaidUsd,
        currency: "USD",
        network: payment.network,
        status: payment.transaction.status,
      },
      ...(isError && payment ? { money: describeFailedPurchase(result, key !== undefined) } : {}),
      result: untrusted(isWhole ? content : { json_text: page.text }),
      next_cursor: canRepeat ? page.next_cursor : null,
      ...(page.next_cursor !== null && !canRepeat
        ? {
            note: isStored
              ? "The rest cannot be read without another payment. Next time pass an idempotency_key."
              : "The rest cannot be read: the result has more than 200 KiB, and is not stored.",
          }
        : {}),
    };
  },
});
