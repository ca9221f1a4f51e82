/** A tool as a target of the proxy: each request is a call of the tool, with the payment of its header in `_meta`. */
import { ReceivedBody } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import type { Target } from "../proxy/ports.ts";
import { decodeBase64Json, isJsonObject } from "../x402/json.ts";
import type { JsonObject } from "../x402/requirement.ts";
import { ServerRefusalError } from "./server-refusal.ts";
import { CALL_FAILED_STATUS, PAYMENT_KEY, readRefusal, readToolResult, type ToolResponse } from "./tool-response.ts";
import { connectToolServer, type ToolServer } from "./tool-server.ts";

const PAYMENT_HEADERS = ["payment-signature", "x-payment"];
const MAX_PAYMENT_CHARS = 64 * 1024;

export interface ToolTarget extends Target {
  close(): void;
}

/** @param tool name of the tool, which is called with `args` on the server of each request's URL */
export function createToolTarget(egress: Pick<Egress, "request">, tool: string, args: JsonObject): ToolTarget {
  let server: ToolServer | null = null;
  return {
    async request({ url, method, headers, body = null, timeoutMs, signal }) {
      const deadlineMs = performance.now() + timeoutMs;
      const response = await receive(async () => {
        server ??= await connectToolServer(egress, url, { timeoutMs, signal });
        const left = { timeoutMs: Math.max(1, deadlineMs - performance.now()), signal };
        const payment = readPayment(headers);
        return readToolResult(await server.callTool(tool, args, payment && { [PAYMENT_KEY]: payment }, left));
      });
      const bytes = Buffer.from(JSON.stringify(response.body));
      return {
        status: response.status,
        headers: {
          ...response.headers,
          "content-type": "application/json",
          "content-length": String(bytes.byteLength),
        },
        body: new ReceivedBody(bytes),
        url: server?.url() ?? url,
        sent: { method, headers: { ...headers }, body },
      };
    },
    // The server has not settled the payment, so an equal call presents it again.
    isUnfinished: (status) => status === CALL_FAILED_STATUS,
    close: () => server?.close(),
  };
}

async function receive(call: () => Promise<ToolResponse>): Promise<ToolResponse> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ServerRefusalError) return readRefusal(error.refusal);
    throw error;
  }
}

/** Returns the payment that the proxy encoded as a header; the transport sends it as an object. */
function readPayment(headers: Readonly<Record<string, string>>): JsonObject | null {
  const header = PAYMENT_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  const payment = header === undefined ? null : decodeBase64Json(header, MAX_PAYMENT_CHARS);
  return isJsonObject(payment) ? payment : null;
}
