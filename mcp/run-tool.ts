/** One call of a tool: arguments, operation, result. */
import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { UNEXPECTED_TEXT } from "../src/platform/http/error-response.ts";
import { ApprovalRequired, createApprovalResult } from "./approvals.ts";
import { readArguments } from "./arguments.ts";
import type { RequestId } from "./batches.ts";
import type { CallDelivery } from "./cancellations.ts";
import type { CatalogEntry } from "./catalog.ts";
import { ConfirmationRequired, createConfirmationRequest, readConfirmation } from "./confirmation.ts";
import type { Handles } from "./handles.ts";
import { describeOutcome } from "./outcome.ts";
import { reportProgress } from "./progress.ts";
import type { CallRecords } from "./records.ts";
import type { RequestState, RequestStates } from "./request-states.ts";
import { createErrorResult, createResult } from "./result.ts";
import type { RelayedRequest, ToolCall } from "./tool.ts";
import { createExecutionError, ToolError, toToolError } from "./tool-error.ts";
import { inToolNames } from "./tool-names.ts";

/** The HTTP request that carries calls. */
export interface CallingRequest {
  readonly id: string;
  /** The messages of its body. */
  readonly messages: readonly unknown[];
  /** The GraphQL context of the caller. */
  readonly context: object;
  readonly handles: Handles;
  readonly records: CallRecords;
  readonly states: RequestStates;
  readonly dashboardUrl: string;
  readonly signal: AbortSignal;
  /** Watches the delivery of a call's response. @param id id of the call's request */
  watchDelivery(id: RequestId): CallDelivery;
  /** Runs a read with one of the account's permits. @throws {RateLimitedError} after a long wait; it was not started */
  withReadPermit: <Result>(read: () => Promise<Result>) => Promise<Result>;
  /** See `Exchange.track`. */
  track<Result>(work: Promise<Result>): Promise<Result>;
  report(error: unknown, tool: string): void;
}

/** Runs a tool. Every failure becomes a result with `isError`; only faults of the protocol are errors of the protocol. */
export async function runTool(
  entry: CatalogEntry,
  given: unknown,
  context: ServerContext,
  request: CallingRequest,
): Promise<CallToolResult | InputRequiredResult> {
  const { tool } = entry;
  const subject = tool.affects ?? (tool.effect === "spends" ? "money" : null);
  let key: string | null = null;
  const fail = async (error: ToolError) => {
    const used = key ?? error.failure.idempotencyKey ?? null;
    return createErrorResult(
      error,
      subject === null ? {} : await describeOutcome(subject, error, used, request.records),
    );
  };
  const report = (error: unknown) => request.report(error, tool.name);
  const stopProgress = reportProgress(context);
  const delivery = request.watchDelivery(context.mcpReq.id);
  try {
    const input = readArguments(entry, given);
    let confirmation: string | undefined;
    const confirm = async (describe: () => Promise<string>) => {
      const words = await readConfirmation(describe, context, context.mcpReq.requestState<RequestState>());
      confirmation = words ?? undefined;
      return words;
    };
    const noteKey = (used: string) => {
      key = used;
    };
    const createState = (state: RequestState) => () =>
      request.states.create(tool.name, input, { ...state, ...(confirmation === undefined ? {} : { confirmation }) });
    try {
      return createResult(await invoke(entry, input, createCall(entry, request, { ...delivery, confirm, noteKey })));
    } catch (error) {
      if (error instanceof ConfirmationRequired) {
        return await createConfirmationRequest(
          error,
          createState({ awaits: "confirmation", statement: error.message }),
        );
      }
      if (error instanceof ApprovalRequired)
        return await createApprovalResult(error, context, createState({ awaits: "approval" }));
      throw error;
    }
  } catch (error) {
    const known = toToolError(error);
    if (known) return await fail(known);
    report(error);
    const unexpected = new ToolError({ code: "internal_error", message: UNEXPECTED_TEXT }, { request_id: request.id });
    return await fail(unexpected);
  } finally {
    stopProgress();
    delivery.complete();
  }
}

/**
 * Runs a tool and returns the result's JSON, for other parts of the protocol than calls of tools.
 * @throws {ToolError}
 */
export async function callTool(entry: CatalogEntry, given: unknown, request: CallingRequest): Promise<object> {
  return await invoke(entry, readArguments(entry, given), createCall(entry, request));
}

/** @throws {ToolError} in the names of the tool */
async function invoke({ tool, inputSchema }: CatalogEntry, input: object, call: ToolCall<unknown, unknown>) {
  try {
    return await tool.call(input, call);
  } catch (error) {
    const known = toToolError(error);
    throw known ? inToolNames(known, inputSchema) : error;
  }
}

/** What a call needs of the exchange that carries it. */
interface CallContext {
  /** See `CallDelivery`. Null for a read that no client waits for. */
  readonly delivered: Promise<boolean> | null;
  confirm: ToolCall<unknown, unknown>["confirm"];
  /** Receives the idempotency key that the call uses. */
  noteKey(key: string): void;
}

const WITHOUT_CLIENT: CallContext = { delivered: null, confirm: async () => null, noteKey: () => {} };

function createCall(
  { tool, run }: CatalogEntry,
  request: CallingRequest,
  { delivered, confirm, noteKey }: CallContext = WITHOUT_CLIENT,
): ToolCall<unknown, unknown> {
  const report = (error: unknown) => request.report(error, tool.name);
  const { dashboardUrl, signal, records } = request;
  const isRead = tool.effect === "none" && !tool.isOpenWorld;
  const handles: Handles = {
    ...request.handles,
    async open(handle, terms) {
      const opened = await request.handles.open(handle, terms);
      noteKey(opened.idempotencyKey);
      return opened;
    },
  };
  return {
    async run(variables, relayed) {
      const key = (variables as { input?: { idempotencyKey?: string | null } }).input?.idempotencyKey;
      if (key) noteKey(key);
      const exchange = relayed && createExchange(relayed, request.signal, delivered);
      const context = exchange ? { ...request.context, exchange } : request.context;
      const execute = async () => await run(variables as Record<string, unknown>, context);
      // Reads of the database compete for the processor with the calls of all accounts. Other calls mostly wait for servers.
      const result = await (isRead ? request.withReadPermit(execute) : execute());
      if (result.errors || !result.data) throw createExecutionError(result, request.id, report);
      return result.data as never;
    },
    ...{ confirm, handles, records, dashboardUrl, signal },
  };
}

/** The body is read here, so the target must not compress it. */
const RELAYED_HEADERS = { accept: "*/*", "accept-encoding": "identity" };

function createExchange(
  { body, onBody }: RelayedRequest,
  signal: AbortSignal,
  delivered: Promise<boolean> | null,
): object {
  const delivery = delivered ? { delivered } : {};
  return { headers: RELAYED_HEADERS, body, signal, ...delivery, isExclusive: true, onBody };
}
