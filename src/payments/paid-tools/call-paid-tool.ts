/** Call of a tool on another party's MCP server, paid through X402 within the caller's limits. */
import canonicalize from "canonicalize";
import type { Viewer } from "../../accounts/viewer.ts";
import { readBoundedBytes } from "../../platform/egress/body.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { isWithinDepth } from "../../platform/json-depth.ts";
import type { PaymentDeps } from "../deps.ts";
import { fetchResource } from "../fetch-resource.ts";
import type { X402FetchResult } from "../proxy/ports.ts";
import { explainPaymentError } from "../x402/explain.ts";
import type { JsonObject } from "../x402/requirement.ts";
import { decodePaymentResponse } from "../x402/response.ts";
import { ToolCallFailedError } from "./errors.ts";
import type { ToolOutcome } from "./tool-response.ts";
import { createToolTarget } from "./tool-target.ts";

const MAX_NAME_CHARS = 128;
const MAX_ARGUMENT_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_OUTCOME_BYTES = 8 * 1024 * 1024;

export interface PaidToolCall {
  readonly serverUrl: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Maximum price in atomic units of the asset; null applies only the caller's limits. */
  readonly maxValueAtomic: bigint | null;
  readonly timeoutMs: number;
  readonly idempotencyKey: string | null;
  readonly signal?: AbortSignal | undefined;
  /** See `X402FetchInput.delivered`. */
  readonly delivered?: Promise<boolean> | undefined;
  /** See `X402FetchInput.isExclusive`. */
  readonly isExclusive?: boolean | undefined;
}

/** Result of a tool. If `isError`, the tool failed; a payment was then settled only if the server reported it. */
export interface PaidToolResult extends Extract<ToolOutcome, { content: unknown }> {
  readonly payment: X402FetchResult["payment"];
  /** Whether the server reported a settlement. An equal call without a key is then another purchase. */
  readonly isSettlementReported: boolean;
}

/**
 * Calls a tool and pays if it requires payment. At most one payment is made. The same call under the same Idempotency-Key, or
 * without a key after an unfinished response, presents the same signed payment again.
 * @throws {ToolCallFailedError} the server refused the call or its payment
 * @throws the errors of `fetchResource`
 */
export async function callPaidTool(
  deps: PaymentDeps,
  viewer: Viewer | null,
  call: PaidToolCall,
): Promise<PaidToolResult> {
  checkCall(call);
  const { serverUrl, tool, arguments: args, maxValueAtomic, timeoutMs } = call;
  const { idempotencyKey, signal, delivered, isExclusive } = call;
  const target = createToolTarget(deps.egress, tool, args);
  const bytes = Buffer.from(toCanonicalText({ tool, arguments: args }));
  const body = { bytes, contentType: "application/json" };
  const request = { url: serverUrl, method: "POST", headers: {}, body, maxValueAtomic, timeoutMs } as const;
  try {
    const fetched = await fetchResource(
      deps,
      viewer,
      { ...request, idempotencyKey, signal, isExclusive, ...(delivered ? { delivered } : {}) },
      { name: "callPaidTool", target },
    );
    return await readOutcome(fetched);
  } finally {
    target.close();
  }
}

/** Returns the call as canonical JSON: the order of members does not make equal calls different. */
function toCanonicalText(call: JsonObject): string {
  try {
    return canonicalize(call) ?? "";
  } catch {
    throw new InvalidRequestError("tool and arguments must be valid Unicode text.", "arguments");
  }
}

function checkCall({ tool, arguments: args }: PaidToolCall): void {
  if (tool.length === 0 || tool.length > MAX_NAME_CHARS) {
    throw new InvalidRequestError(`tool must have 1 to ${MAX_NAME_CHARS} characters.`, "tool");
  }
  if (!isWithinDepth(args, MAX_DEPTH)) throw new InvalidRequestError("arguments is nested too deeply.", "arguments");
  if (Buffer.byteLength(JSON.stringify(args)) > MAX_ARGUMENT_BYTES) {
    throw new InvalidRequestError("arguments must be at most 1 MiB as JSON.", "arguments");
  }
}

async function readOutcome(fetched: X402FetchResult): Promise<PaidToolResult> {
  const { payment, headers, status } = fetched;
  const transactionId = payment?.transactionId ?? null;
  const tooLong = () => new ToolCallFailedError("The result of the tool is too large.", transactionId);
  const bytes = await readBoundedBytes(fetched.body, MAX_OUTCOME_BYTES, tooLong);
  // Bytes received at once are read without the stream, whose end concludes the attempt.
  fetched.body.destroy();
  if (status === 402) throw new ToolCallFailedError(describeRefusedPayment(headers, bytes), transactionId);
  const outcome = JSON.parse(bytes.toString("utf8")) as ToolOutcome;
  if ("refusal" in outcome) throw new ToolCallFailedError(outcome.refusal, transactionId);
  return { ...outcome, payment, isSettlementReported: decodePaymentResponse(headers)?.success === true };
}

function describeRefusedPayment(headers: X402FetchResult["headers"], bytes: Buffer): string {
  const { error } = JSON.parse(bytes.toString("utf8")) as { error?: unknown };
  const reason = decodePaymentResponse(headers)?.errorReason ?? (typeof error === "string" ? error : null);
  const explained = reason === null ? "" : ` ${explainPaymentError(reason).message}`;
  return `The server refused the payment and delivered no result.${explained}`;
}
