/** Results of calls. The JSON is in both places, since some clients forward only one of them to the model. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { MAX_RESULT_BYTES, shorten, shortenUntrusted } from "./result-size.ts";
import { describeToolError, type Outcome, type ToolError } from "./tool-error.ts";

export function createResult(given: object): CallToolResult {
  const { json, text } = fitResult(given);
  return { structuredContent: json as Record<string, unknown>, content: [{ type: "text", text }] };
}

/** Returns the result's JSON. Tools bound their pages themselves; what they do not bound is untrusted content, which is shortened. */
export function fitResult(json: object): { readonly json: object; readonly text: string } {
  const text = JSON.stringify(json);
  if (Buffer.byteLength(text) <= MAX_RESULT_BYTES) return { json, text };
  const shortened = shortenUntrusted(json, Buffer.byteLength(text) - MAX_RESULT_BYTES);
  return { json: shortened, text: JSON.stringify(shortened) };
}

/** Without `structuredContent`: clients of SDK version 1 would validate it against the schema of successful results. */
export function createErrorResult(error: ToolError, outcome: Outcome): CallToolResult {
  const json = shorten(describeToolError(error, outcome), MAX_RESULT_BYTES);
  return { isError: true, content: [{ type: "text", text: JSON.stringify(json) }] };
}
