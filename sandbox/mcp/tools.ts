/** Tools of the sandbox's paid MCP server. Prices are in USDC's smallest unit (10,000 = 0.01 USD). */
import type { ToolResult } from "./payment.ts";

export interface SandboxTool {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  /** Undefined for a free tool. */
  priceAtomic?: bigint;
  /** Whether the price is stated in the list of tools, by the annotations that several servers use. */
  isPriceStated?: boolean;
  /** Requires payment by text only, without `structuredContent`. */
  isTextOnly?: boolean;
  /** Verifies and executes, but its settlement fails. */
  failsToSettle?: boolean;
  /** Requests input from the client by elicitation. */
  elicitsInput?: boolean;
  run(args: Record<string, unknown>): ToolResult;
}

const CITY = {
  type: "object",
  properties: { city: { type: "string", description: "Name of a city." } },
  required: ["city"],
  additionalProperties: false,
};
const NOTHING = { type: "object", properties: {}, additionalProperties: false };
const PRICE_ATOMIC = 10_000n;

const textOf = (value: object): ToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
});
const weather = ({ city }: Record<string, unknown>) =>
  textOf({ city: String(city), temperatureCelsius: 17, sky: "clear", observedAt: new Date().toISOString() });

export const SANDBOX_TOOLS: SandboxTool[] = [
  {
    name: "list_cities",
    title: "List cities",
    description: "Cities with a weather report. Free.",
    inputSchema: NOTHING,
    run: () => textOf({ cities: ["Porto", "Bergen", "Kyoto"] }),
  },
  {
    name: "get_weather",
    title: "Get the weather",
    description: "Weather report of a city. Costs 0.01 USD, paid through X402.",
    inputSchema: CITY,
    priceAtomic: PRICE_ATOMIC,
    isPriceStated: true,
    run: weather,
  },
  {
    name: "get_forecast",
    title: "Get the forecast",
    description: "Forecast of a city. Costs 0.01 USD. States its price in a call only, as text.",
    inputSchema: CITY,
    priceAtomic: PRICE_ATOMIC,
    isTextOnly: true,
    run: weather,
  },
  {
    name: "get_unsettled_weather",
    title: "Get the weather, without settlement",
    description: "Costs 0.01 USD. The settlement of its payment fails after the call.",
    inputSchema: CITY,
    priceAtomic: PRICE_ATOMIC,
    isPriceStated: true,
    failsToSettle: true,
    run: weather,
  },
  {
    name: "get_tide",
    title: "Get the tide",
    description: "Costs 0.01 USD. Fails after the payment is verified, and settles nothing.",
    inputSchema: CITY,
    priceAtomic: PRICE_ATOMIC,
    isPriceStated: true,
    run: ({ city }) => ({ content: [{ type: "text", text: `${String(city)} is not by the sea.` }], isError: true }),
  },
  {
    name: "get_local_weather",
    title: "Get the local weather",
    description: "Free. Requests the city from the client by elicitation.",
    inputSchema: NOTHING,
    elicitsInput: true,
    run: () => textOf({ city: "unknown" }),
  },
];

/** Returns a tool as `tools/list` describes it. */
export function describeTool({
  name,
  title,
  description,
  inputSchema,
  priceAtomic,
  isPriceStated,
}: SandboxTool): object {
  const price =
    priceAtomic === undefined || !isPriceStated
      ? {}
      : { paymentHint: true, paymentPriceUSD: Number(priceAtomic) / 1e6 };
  return { name, title, description, inputSchema, annotations: { readOnlyHint: true, ...price } };
}
