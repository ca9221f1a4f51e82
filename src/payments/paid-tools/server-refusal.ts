import type { ResponseHeaders } from "../../platform/egress/exchange.ts";

/** Maximum size of the responses to one operation: all pages of a list, or a result with the messages before it. */
export const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** Maximum nesting of a result. Deeper ones cannot be serialised. */
export const MAX_RESULT_DEPTH = 128;

/** Why a call has no result: a JSON-RPC error, an HTTP status, a result of another type, its size or its depth. */
export type ServerRefusal =
  | { readonly kind: "rpc"; readonly code: number; readonly message: string; readonly data: unknown }
  | { readonly kind: "http"; readonly status: number; readonly headers: ResponseHeaders }
  | { readonly kind: "result_type"; readonly resultType: string }
  | { readonly kind: "too_large" }
  | { readonly kind: "too_deep" };

/** The server received the request, and its response is no usable result. A repetition would get the same response. */
export class ServerRefusalError extends Error {
  readonly refusal: ServerRefusal;
  constructor(refusal: ServerRefusal) {
    super(describeRefusal(refusal));
    this.refusal = refusal;
  }
}

const MAX_MESSAGE_CHARS = 300;

/** Returns a sentence for a caller. Text of the server is bounded and on one line. */
export function describeRefusal(refusal: ServerRefusal): string {
  switch (refusal.kind) {
    case "rpc":
      return `The server refused the call with error ${refusal.code}: ${refusal.message.replace(/\s+/g, " ").slice(0, MAX_MESSAGE_CHARS)}`;
    case "http":
      return `The server responded with HTTP status ${refusal.status}.`;
    case "too_large":
      return `The server's response is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB.`;
    case "too_deep":
      return `The server's response is nested more than ${MAX_RESULT_DEPTH} levels deep.`;
    case "result_type":
      return refusal.resultType === "input_required"
        ? "The tool requests input from the client (input_required: elicitation or sampling). Satchel forwards no such requests."
        : `The server responded with a result of the unsupported type ${refusal.resultType.slice(0, 40)}.`;
  }
}
