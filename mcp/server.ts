/** The protocol's server for one request, with the tools and resources that the caller may use. */
import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import { readArguments } from "./arguments.ts";
import type { CatalogEntry } from "./catalog.ts";
import type { RequestState } from "./request-states.ts";
import type { ResourceEntry } from "./resources/kinds.ts";
import { listResources, listResourceTemplates, readResource } from "./resources/read.ts";
import { type CallingRequest, runTool } from "./run-tool.ts";

const SERVER = { name: "satchel", title: "Satchel", version: "1.0.0" };

/** What one token may read is not what another may. */
const PRIVATE = { ttlMs: 0, cacheScope: "private" } as const;
const CACHE_HINTS = {
  "tools/list": PRIVATE,
  "resources/list": PRIVATE,
  "resources/templates/list": PRIVATE,
  "resources/read": PRIVATE,
  "server/discover": PRIVATE,
};

export interface ServerParts {
  /** The tools of the list, in its order. */
  readonly tools: readonly CatalogEntry[];
  readonly resources: readonly ResourceEntry[];
  /** Whether the revision has streams of changes that need no session. */
  readonly hasChanges: boolean;
  readonly instructions: string;
  readonly request: CallingRequest;
}

/**
 * Creates the server. It registers its own handlers instead of using `McpServer`, which ignores the cursors of lists and converts the
 * schemas of all tools for each request.
 */
export function createServer({ tools, resources, hasChanges, instructions, request }: ServerParts): Server {
  const server = new Server(SERVER, {
    instructions,
    capabilities: {
      tools: { listChanged: false },
      ...(resources.length > 0 ? { resources: { subscribe: hasChanges, listChanged: hasChanges } } : {}),
    },
    cacheHints: CACHE_HINTS,
    requestState: { verify: (state) => consumeState(tools, request, state) },
  });
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(({ listed }) => listed) }));
  server.setRequestHandler("tools/call", async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
    const entry = tools.find(({ tool }) => tool.name === params.name);
    if (!entry) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    const result = await request.track(runTool(entry, params.arguments, context, request));
    if (isInputRequiredResult(result)) return result;
    return server.projectCallToolResult(result, entry.outputSchema ?? undefined);
  });
  if (resources.length > 0) {
    server.setRequestHandler("resources/list", ({ params }) =>
      request.track(listResources(resources, params?.cursor, request)),
    );
    server.setRequestHandler("resources/templates/list", () => listResourceTemplates(resources));
    server.setRequestHandler("resources/read", ({ params }) =>
      request.track(readResource(resources, params.uri, request)),
    );
  }
  return server;
}

interface CallMessage {
  readonly params?: { readonly name?: unknown; readonly arguments?: unknown; readonly requestState?: unknown };
}

/** Consumes the state of the call that the client repeats. @throws {Error} if it is not valid for the call */
async function consumeState(
  entries: readonly CatalogEntry[],
  { states, messages }: CallingRequest,
  state: string,
): Promise<RequestState> {
  const call = (messages as readonly CallMessage[]).find(({ params }) => params?.requestState === state);
  const entry = entries.find(({ tool }) => tool.name === call?.params?.name);
  if (!entry) throw new Error("The state belongs to no call of a tool.");
  return await states.consume(state, entry.tool.name, readArguments(entry, call?.params?.arguments));
}
