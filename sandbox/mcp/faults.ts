/** Faults of the paid MCP server, by the first segment of its path: `/fault/<name>/mcp`. */
import type { Request, Response } from "express";
import { type ToolPayment, type ToolResult, type ToolSettlement, withSettlement } from "./payment.ts";

/** A paid call whose payment is valid. */
export interface PaidCall {
  request: Request;
  response: Response;
  payment: ToolPayment;
  /** Runs the tool and settles, at most once for each payment. */
  deliver(): Promise<ToolResult>;
}

export interface McpFault {
  /** Description that completes "a server that …". */
  says: string;
  /** Replaces the offers of the requirements. */
  offers?(offers: object[]): unknown;
  /** Replaces the result of an unpaid call. */
  unpaid?(): ToolResult;
  /** Returns the result of a paid call; undefined after the fault has ended the response. */
  paid?(call: PaidCall): Promise<ToolResult | undefined>;
}

const FALSE_SETTLEMENT: ToolSettlement = {
  success: false,
  transaction: "",
  network: "eip155:84532",
  errorReason: "insufficient_funds",
};

/** @param onReset registers a listener for the reset of all faults */
export function createMcpFaults(
  elsewhereUrl: () => string,
  onReset: (listener: () => void) => void,
): Record<string, McpFault> {
  const seen = new Set<string>();
  onReset(() => seen.clear());
  const isFirst = ({ request, payment }: PaidCall) => {
    const key = request.originalUrl + JSON.stringify(payment.payload);
    return !seen.has(key) && seen.add(key) !== undefined;
  };
  const drop = ({ response }: PaidCall) => {
    response.socket?.destroy();
    return undefined;
  };
  return {
    "drops-before-once": {
      says: "drops the connection before it settles; serves a repeated payment",
      paid: async (call) => (isFirst(call) ? drop(call) : await call.deliver()),
    },
    "settles-then-drops-once": {
      says: "settles and drops the connection; serves a repeated payment",
      async paid(call) {
        const result = await call.deliver();
        return isFirst(call) ? drop(call) : result;
      },
    },
    "settles-then-drops": {
      says: "settles and always drops the connection",
      async paid(call) {
        await call.deliver();
        return drop(call);
      },
    },
    "breaks-off-once": {
      says: "settles and breaks off an event stream; serves a repeated payment",
      async paid(call) {
        const result = await call.deliver();
        if (!isFirst(call)) return result;
        call.response.writeHead(200, { "content-type": "text/event-stream" }).write(": started\n\n");
        call.response.end();
        return undefined;
      },
    },
    "unavailable-once": {
      says: "responds with status 503 once; serves a repeated payment",
      async paid(call) {
        if (!isFirst(call)) return await call.deliver();
        call.response.status(503).end();
        return undefined;
      },
    },
    "delivers-unsettled": {
      says: "delivers the result although the settlement failed",
      paid: async (call) => withSettlement(await call.deliver(), FALSE_SETTLEMENT),
    },
    "redirects-elsewhere": {
      says: "redirects to another origin after the payment",
      async paid({ response }) {
        response.redirect(307, `${elsewhereUrl()}/mcp`);
        return undefined;
      },
    },
    "large-result": {
      says: "settles and returns 5 MiB",
      async paid(call) {
        const result = await call.deliver();
        return { ...result, content: [{ type: "text", text: "x".repeat(5 * 1024 * 1024) }] };
      },
    },
    "malformed-offers": { says: "sends requirements whose `accepts` is a string", offers: () => "0.01 USD" },
    "no-amount": {
      says: "sends an offer without an amount",
      offers: (offers) => offers.map((offer) => ({ ...offer, amount: undefined })),
    },
    dearer: {
      says: "demands 1,000 USD",
      offers: (offers) => offers.map((offer) => ({ ...offer, amount: "1000000000" })),
    },
    hangs: { says: "never responds to a payment", paid: () => new Promise(() => {}) },
  };
}
