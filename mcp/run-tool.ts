/** One call of a tool: arguments, operation, result. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { UNEXPECTED_TEXT } from "../src/platform/http/error-response.ts";
import type { CatalogEntry } from "./catalog.ts";
import type { Handles } from "./handles.ts";
import { parseJsonArguments } from "./json-arguments.ts";
import { createErrorResult, createResult } from "./result.ts";
import type { RelayedRequest, ToolCall } from "./tool.ts";
import { createExecutionError, ToolError, toToolError } from "./tool-error.ts";

/** The HTTP request that carries calls. */
export interface CallingRequest {
  readonly id: string;
  /** The GraphQL context of the caller. */
  readonly context: object;
  readonly handles: Handles;
  readonly dashboardUrl: string;
  readonly signal: AbortSignal;
  /** Resolves with whether the whole response was written to the client. */
  readonly delivered: Promise<boolean>;
  report(error: unknown, tool: string): void;
}

/** Runs a tool. Every failure becomes a result with `isError`; only faults of the protocol are errors of the protocol. */
export async function runTool(
  { tool, run, inputSchema }: CatalogEntry,
  given: unknown,
  request: CallingRequest,
): Promise<CallToolResult> {
  const isSpending = tool.effect === "spends";
  const report = (error: unknown) => request.report(error, tool.name);
  try {
    const input = readInput(tool.input, parseJsonArguments(inputSchema.properties, (given ?? {}) as object as never));
    const call: ToolCall<unknown, unknown> = {
      async run(variables, relayed) {
        const exchange = relayed && createExchange(relayed, request);
        const result = await run(
          variables as Record<string, unknown>,
          exchange ? { ...request.context, exchange } : request.context,
        );
        if (result.errors || !result.data) throw createExecutionError(result, request.id, report);
        return result.data as never;
      },
      handles: request.handles,
      dashboardUrl: request.dashboardUrl,
      signal: request.signal,
    };
    return createResult(await tool.call(input, call));
  } catch (error) {
    const known = toToolError(error);
    if (known) return createErrorResult(known, isSpending);
    report(error);
    const unexpected = new ToolError({ code: "internal_error", message: UNEXPECTED_TEXT }, { request_id: request.id });
    return createErrorResult(unexpected, isSpending);
  }
}

function createExchange({ body, onBody }: RelayedRequest, { signal, delivered }: CallingRequest): object {
  return { headers: { accept: "*/*" }, body, signal, delivered, onBody };
}

/** @throws {ToolError} naming the argument */
function readInput(schema: z.ZodObject, given: unknown): unknown {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const field = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join(".") || "arguments";
  const problem = unknown === undefined ? (issue?.message ?? "is not valid") : "is not an argument of this tool";
  throw new ToolError({ code: "invalid_request", message: `${field}: ${problem}. Nothing was done.`, field });
}
