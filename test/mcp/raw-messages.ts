/** JSON-RPC messages sent to the MCP server as they are, without a client. */
import type { TestAccount } from "../support/stack.ts";
import type { ToolResult } from "./clients.ts";

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The messages of the body or of its stream, by position. */
  // biome-ignore lint/suspicious/noExplicitAny: messages have several shapes.
  readonly messages: readonly any[];
}

export function callMessage(name: string, args: object, id: unknown = 1): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

export function cancelMessage(requestId: unknown): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

/** Sends a body and reads the whole response. */
export async function send(
  { baseUrl }: { readonly baseUrl: string },
  { token }: Pick<TestAccount, "token">,
  body: unknown,
  signal: AbortSignal | null = null,
): Promise<RawResponse> {
  const response = await fetch(`${baseUrl}/mcp`, {
    method: "POST",
    signal,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, messages: parse(await response.text()) };
}

/** Calls a tool and returns the JSON of its result. */
export async function callRaw(
  node: { readonly baseUrl: string },
  account: Pick<TestAccount, "token">,
  message: object,
): Promise<ToolResult["json"]> {
  const { messages } = await send(node, account, message);
  return JSON.parse(messages[0].result.content[0].text);
}

function parse(text: string): RawResponse["messages"] {
  if (text === "") return [];
  if (/^[[{]/.test(text)) return [JSON.parse(text)].flat();
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  return data.map((line) => JSON.parse(line.slice("data: ".length)));
}
