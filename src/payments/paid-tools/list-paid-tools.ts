/** Tools of another party's MCP server, with the prices that its list states. */
import { requireAccount, type Viewer } from "../../accounts/viewer.ts";
import { limitInFlight } from "../../platform/egress/in-flight-limit.ts";
import { parseUsd } from "../../platform/money.ts";
import type { PaymentDeps } from "../deps.ts";
import { isJsonObject } from "../x402/json.ts";
import type { JsonObject } from "../x402/requirement.ts";
import { ToolCallFailedError } from "./errors.ts";
import { ServerRefusalError } from "./server-refusal.ts";
import { connectToolServer } from "./tool-server.ts";

const TIMEOUT_MS = 30_000;

export interface PaidTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
  /** Whether the list states that the tool requires payment. */
  readonly isPaymentStated: boolean;
  /** The stated price; null if the list has none. The offer of a call decides what is paid. */
  readonly priceMicroUsd: bigint | null;
}

/**
 * Returns the tools of the server at `serverUrl`. Calls none of them and pays nothing.
 * @throws {ToolCallFailedError | RateLimitedError | InvalidRequestError | UrlNotAllowedError | TargetUnreachableError |
 *   TargetTimeoutError | TargetResponseInvalidError}
 */
export async function listPaidTools(
  deps: Pick<PaymentDeps, "egress">,
  viewer: Viewer | null,
  { serverUrl, signal }: { readonly serverUrl: string; readonly signal?: AbortSignal | undefined },
): Promise<PaidTool[]> {
  const { accountId } = requireAccount(viewer);
  const origin = URL.parse(serverUrl)?.origin ?? "";
  const list = async () => {
    const deadlineMs = performance.now() + TIMEOUT_MS;
    const server = await connectToolServer(deps.egress, serverUrl, { timeoutMs: TIMEOUT_MS, signal });
    try {
      const tools = await server.listTools({ timeoutMs: Math.max(1, deadlineMs - performance.now()), signal });
      return tools.map(readTool);
    } finally {
      server.close();
    }
  };
  try {
    return await limitInFlight(accountId, origin, list, () => null);
  } catch (error) {
    throw error instanceof ServerRefusalError ? new ToolCallFailedError(error.message, null) : error;
  }
}

function readTool(tool: JsonObject): PaidTool {
  const { name, title, description, inputSchema } = tool;
  const annotations = isJsonObject(tool["annotations"]) ? tool["annotations"] : {};
  const priceMicroUsd = readStatedPrice(annotations["paymentPriceUSD"]);
  return {
    name: String(name),
    title: readText(title) ?? readText(annotations["title"]),
    description: readText(description),
    inputSchema: isJsonObject(inputSchema) ? inputSchema : {},
    isPaymentStated: annotations["paymentHint"] === true || priceMicroUsd !== null,
    priceMicroUsd,
  };
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Reads the annotation `paymentPriceUSD`, which several servers use: a number or a decimal, with or without a dollar sign. */
function readStatedPrice(value: unknown): bigint | null {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.replace(/^\$/, "") : null;
  if (text === null) return null;
  try {
    return parseUsd(text, "paymentPriceUSD");
  } catch {
    return null;
  }
}
