/**
 * Results of tools as X402 over MCP defines them (x402 specs/transports-v2/mcp.md), converted to the responses of a resource. In
 * this form the proxy pays for a tool as for a URL.
 */
import type { ResponseHeaders } from "../../platform/egress/exchange.ts";
import { isJsonObject, parseJson } from "../x402/json.ts";
import type { JsonObject } from "../x402/requirement.ts";
import { describeRefusal, type ServerRefusal } from "./server-refusal.ts";

export const PAYMENT_KEY = "x402/payment";
const PAYMENT_RESPONSE_KEY = "x402/payment-response";
/** Code of the JSON-RPC error by which servers of the first version of the transport require payment. */
const PAYMENT_REQUIRED_CODE = 402;
/** The tool or the server refused the call. The server settles no payment for it. */
export const CALL_FAILED_STATUS = 424;

export interface ToolResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Payment requirements for status 402, else a `ToolOutcome`. */
  readonly body: JsonObject;
}

/** What a tool returned, or why there is no result. `_meta` of the server is not relayed. */
export type ToolOutcome =
  | { readonly content: readonly unknown[]; readonly structuredContent: JsonObject | null; readonly isError: boolean }
  | { readonly refusal: string };

/** Converts a result. A payment that the server could not settle is status 402, even if the result has content. */
export function readToolResult(result: JsonObject): ToolResponse {
  const settlement = readMember(result["_meta"], PAYMENT_RESPONSE_KEY);
  const headers = settlementHeaders(settlement);
  const required = result["isError"] === true ? findRequirements(result) : null;
  if (required) return { status: 402, headers, body: required };
  if (settlement && settlement["success"] !== true) {
    const error = settlement["errorReason"] ?? "settlement_failed";
    return { status: 402, headers, body: { x402Version: 2, error, accepts: [] } };
  }
  const { content, structuredContent } = result;
  const isError = result["isError"] === true;
  const body = {
    content: Array.isArray(content) ? content : [],
    structuredContent: isJsonObject(structuredContent) ? structuredContent : null,
    isError,
  } satisfies ToolOutcome;
  return { status: isError && !settlement ? CALL_FAILED_STATUS : 200, headers, body };
}

/** Converts a refusal. Statuses by which a server requests a later repetition are unchanged. */
export function readRefusal(refusal: ServerRefusal): ToolResponse {
  if (refusal.kind === "rpc" && refusal.code === PAYMENT_REQUIRED_CODE && isRequirements(refusal.data)) {
    return { status: 402, headers: {}, body: refusal.data };
  }
  const body = { refusal: describeRefusal(refusal) } satisfies ToolOutcome;
  if (refusal.kind === "http" && (refusal.status >= 500 || [408, 425, 429].includes(refusal.status))) {
    const retryAfter = refusal.headers["retry-after"];
    return { status: refusal.status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter }, body };
  }
  return { status: CALL_FAILED_STATUS, headers: {}, body };
}

/** Returns the payment requirements in `structuredContent`, or else in the text of the first content block. */
function findRequirements({ structuredContent, content }: JsonObject): JsonObject | null {
  if (isRequirements(structuredContent)) return structuredContent;
  const [first] = Array.isArray(content) ? content : [];
  const text = isJsonObject(first) && first["type"] === "text" ? first["text"] : null;
  const parsed = typeof text === "string" ? parseJson(text) : null;
  return isRequirements(parsed) ? parsed : null;
}

function isRequirements(value: unknown): value is JsonObject {
  return isJsonObject(value) && "x402Version" in value && "accepts" in value;
}

function readMember(meta: unknown, key: string): JsonObject | null {
  const value = isJsonObject(meta) ? meta[key] : null;
  return isJsonObject(value) ? value : null;
}

/** Returns the settlement in the header by which a seller reports it over HTTP. */
function settlementHeaders(settlement: JsonObject | null): ResponseHeaders {
  if (!settlement) return {};
  return { "payment-response": Buffer.from(JSON.stringify(settlement)).toString("base64") };
}
