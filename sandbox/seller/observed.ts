import type { NextFunction, Request, Response } from "express";

/** A request to a seller. `payment` is the raw payment header of either protocol version, or the payment of a call of a tool. */
interface ObservedRequest {
  at: string;
  method: string;
  path: string;
  payment: string | null;
  /** Names of all headers, so that tests can detect leaked headers. */
  headerNames: string[];
}

/** Records requests to the sellers, so that tests can count the distinct authorizations that a payer sent. */
export interface Observed {
  middleware(origin: string): (request: Request, response: Response, next: NextFunction) => void;
  /** Returns the requests to a path, or all requests if it is undefined, and their distinct payments, decoded. */
  query(path: string | undefined): { requests: ObservedRequest[]; distinctPayments: unknown[] };
  /** Deletes all records and calls the reset listeners. */
  reset(): void;
  onReset(listener: () => void): void;
}

const MAX_REQUESTS = 5_000;

export function createObserved(): Observed {
  let requests: ObservedRequest[] = [];
  const resetListeners: (() => void)[] = [];
  return {
    middleware: (origin) => (request, _response, next) => {
      const payment = request.get("payment-signature") ?? request.get("x-payment") ?? paymentOfCall(request.body);
      requests.push({
        at: new Date().toISOString(),
        method: request.method,
        path: origin + request.path,
        payment,
        headerNames: Object.keys(request.headers),
      });
      if (requests.length > MAX_REQUESTS) requests = requests.slice(-MAX_REQUESTS / 2);
      next();
    },
    query(path) {
      const found = path === undefined ? requests : requests.filter((request) => request.path === path);
      const distinct = new Map<string, unknown>();
      for (const { payment } of found) {
        if (payment === null) continue;
        const decoded = decode(payment);
        // Only `payload` is compared, because requests can contain the same authorization in different envelopes.
        distinct.set(JSON.stringify((decoded as { payload?: unknown })?.payload ?? decoded), decoded);
      }
      return { requests: found, distinctPayments: [...distinct.values()] };
    },
    reset() {
      requests = [];
      for (const listener of resetListeners) listener();
    },
    onReset: (listener) => void resetListeners.push(listener),
  };
}

/** Returns the payment of a call of an MCP tool, encoded as a header; null if there is none. */
function paymentOfCall(body: unknown): string | null {
  const call = body as { params?: { _meta?: Record<string, unknown> } } | undefined;
  const payment = call?.params?._meta?.["x402/payment"];
  return payment === undefined ? null : Buffer.from(JSON.stringify(payment)).toString("base64");
}

function decode(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, "base64").toString("utf8"));
  } catch {
    return header;
  }
}
