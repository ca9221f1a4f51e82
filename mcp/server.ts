/** The protocol's server for one request, with the tools that the caller may use. */
import { McpServer, type ServerContext, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { readArguments } from "./arguments.ts";
import type { CatalogEntry } from "./catalog.ts";
import { type CallingRequest, runTool } from "./run-tool.ts";
import type { Tool } from "./tool.ts";

const NAME = "satchel";
const VERSION = "1.0.0";

/** @param entries the tools of the list, in its order */
export function createServer(
  entries: readonly CatalogEntry[],
  { instructions, request }: { readonly instructions: string; readonly request: CallingRequest },
): McpServer {
  const server = new McpServer(
    { name: NAME, title: "Satchel", version: VERSION },
    // The list of one token is not that of another.
    {
      instructions,
      capabilities: { tools: { listChanged: false } },
      cacheHints: { "tools/list": PRIVATE },
      requestState: { verify: (state) => consumeState(entries, request, state) },
    },
  );
  for (const entry of entries) {
    const { tool, inputSchema, outputSchema } = entry;
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        annotations: annotationsOf(tool),
        inputSchema: toStandardSchema(inputSchema),
        ...(outputSchema ? { outputSchema: toStandardSchema(outputSchema) } : {}),
      },
      (given: unknown, context: ServerContext) => runTool(entry, given, context, request),
    );
  }
  return server;
}

interface CallMessage {
  readonly params?: { readonly name?: unknown; readonly arguments?: unknown; readonly requestState?: unknown };
}

/** Consumes the state of the call that the client repeats, and returns the id of its approval. @throws {Error} if it is not valid for the call */
async function consumeState(
  entries: readonly CatalogEntry[],
  { approvals, messages }: CallingRequest,
  state: string,
): Promise<string> {
  const call = (messages as readonly CallMessage[]).find(({ params }) => params?.requestState === state);
  const entry = entries.find(({ tool }) => tool.name === call?.params?.name);
  if (!entry) throw new Error("The state belongs to no call of a tool.");
  return await approvals.consume(state, entry.tool.name, readArguments(entry, call?.params?.arguments));
}

const PRIVATE = { ttlMs: 0, cacheScope: "private" } as const;

/** Returns all four annotations: the defaults mean destructive and open-world. */
export function annotationsOf({ effect, isIdempotent, isOpenWorld }: Tool) {
  return {
    readOnlyHint: effect === "none",
    destructiveHint: effect === "spends",
    idempotentHint: isIdempotent,
    openWorldHint: isOpenWorld,
  };
}

/**
 * Wraps a JSON Schema without validation. `runTool` validates arguments, to report the field with an error code; an invalid result
 * must not hide a payment that was made.
 */
function toStandardSchema(schema: Readonly<Record<string, unknown>>): StandardSchemaWithJSON {
  const convert = () => ({ ...schema });
  return {
    "~standard": {
      version: 1,
      vendor: "satchel",
      validate: (value) => ({ value }),
      jsonSchema: { input: convert, output: convert },
    },
  };
}
