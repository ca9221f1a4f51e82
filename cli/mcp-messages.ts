/** JSON-RPC messages of the Model Context Protocol, as the bridge between standard input and HTTP reads them. */

export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly protocolVersion?: unknown };
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/**
 * Returns the headers that must match the body. From revision 2026-07-28 on, each message states its revision. Before, it is the
 * one of `initialize`.
 */
export function headersOf({ method, params }: Message, negotiated: string | null): Record<string, string> {
  const stated = params?._meta?.[VERSION_KEY];
  if (typeof stated !== "string") return negotiated === null ? {} : { "mcp-protocol-version": negotiated };
  const name = params?.["name"] ?? params?.["uri"];
  return {
    "mcp-protocol-version": stated,
    ...(method === undefined ? {} : { "mcp-method": method }),
    ...(typeof name === "string" && isHeaderValue(name) ? { "mcp-name": name } : {}),
  };
}

function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Yields the messages of a response: one as JSON, or several as an event stream. */
export async function* readMessages(response: Response): AsyncGenerator<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) {
    const text = await response.text();
    if (text.trim() !== "") yield text;
    return;
  }
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      const text = data.map((line) => line.slice("data:".length).trimStart()).join("\n");
      // An event without data is a heartbeat.
      if (text !== "") yield text;
    }
  }
}
