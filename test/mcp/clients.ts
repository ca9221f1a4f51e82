/** Clients of the MCP server: SDK versions 2 and 1, and plain HTTP. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export type ToolResult = {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape.
  readonly json: any;
  readonly structured: unknown;
};

export interface TestClient {
  listTools(): Promise<readonly { name: string }[]>;
  /** @param signal cancels the call, as after a timeout */
  call(name: string, args?: object, signal?: AbortSignal): Promise<ToolResult>;
  instructions(): string | undefined;
  close(): Promise<void>;
}

/** How the client negotiates the revision. */
export type Mode = "v2 default" | "v2 auto" | "v2 pinned" | "v1";
export const MODES: readonly Mode[] = ["v2 default", "v2 auto", "v2 pinned", "v1"];

/** Options of a client of SDK version 2. */
export const NEGOTIATIONS: Readonly<Record<Exclude<Mode, "v1">, object>> = {
  "v2 default": {},
  "v2 auto": { versionNegotiation: { mode: "auto" } },
  "v2 pinned": { versionNegotiation: { mode: { pin: "2026-07-28" } } },
};

/** @param url such as `http://127.0.0.1:4000/mcp` */
export async function connect(
  url: string,
  token: string,
  mode: Mode = "v2 auto",
  options: ConstructorParameters<typeof Client>[1] = {},
  prepare: (client: Client) => void = () => {},
  fetchWith: typeof fetch = fetch,
): Promise<TestClient> {
  const transport = { requestInit: { headers: { authorization: `Bearer ${token}` } }, fetch: fetchWith };
  if (mode === "v1") {
    const client = new ClientV1({ name: "test", version: "1" });
    await client.connect(new TransportV1(new URL(url), transport) as never);
    return wrap(client as never, (params, signal) => client.callTool(params, undefined, signal && { signal }));
  }
  const client = new Client({ name: "test", version: "1" }, { ...options, ...(NEGOTIATIONS[mode] as object) });
  prepare(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), transport));
  return wrap(client);
}

type CallTool = (params: { name: string; arguments: never }, signal: AbortSignal | undefined) => Promise<object>;

/** @param callTool default: that of SDK version 2, or of version 1 without a signal */
export function wrap(
  client: Client,
  callTool: CallTool = (params, signal) => client.callTool(params, signal && { signal }),
): TestClient {
  return {
    listTools: async () => (await client.listTools()).tools,
    async call(name, args = {}, signal) {
      const result = (await callTool({ name, arguments: args as never }, signal)) as CallToolResult;
      const [first] = result.content as { type: string; text: string }[];
      return {
        isError: result.isError === true,
        json: parse(first?.text ?? "null"),
        structured: result.structuredContent,
      };
    },
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
