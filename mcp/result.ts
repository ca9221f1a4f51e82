/** Results of calls. The JSON is in both places, since some clients forward only one of them to the model. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Outcome } from "./outcome.ts";
import { describeToolError, type ToolError } from "./tool-error.ts";

export function createResult(json: object): CallToolResult {
  return {
    structuredContent: json as Record<string, unknown>,
    content: [{ type: "text", text: JSON.stringify(json) }],
  };
}

/** Without `structuredContent`: clients of SDK version 1 would validate it against the schema of successful results. */
export function createErrorResult(error: ToolError, outcome: Outcome): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(describeToolError(error, outcome)) }] };
}
