import type { NextFunction, Request, Response } from "express";

/** One request a shop received. `payment` is the raw payment header of either version, null when there was none. */
interface ObservedRequest {
  at: string;
  method: string;
  path: string;
  payment: string | null;
  /** Names of all headers, so that a test can see what leaked. */
  headerNames: string[];
}

/** What the shops received, so that a test can tell how many distinct authorizations a payer let go. */
export interface Observed {
  middleware(origin: string): (request: Request, response: Response, next: NextFunction) => void;
  /** Requests to a path (all when undefined) and the distinct payments among them, decoded. */
  query(path: string | undefined): { requests: ObservedRequest[]; distinctPayments: unknown[] };
  /** Forgets all, and calls back whoever asked to be told. */
  reset(): void;
  onReset(forget: () => void): void;
}

const KEPT = 5_000;

export function createObserved(): Observed {
  let requests: ObservedRequest[] = [];
  const forgetful: (() => void)[] = [];
  return {
    middleware: (origin) => (request, _response, next) => {
      const payment = request.get("payment-signature") ?? request.get("x-payment") ?? null;
      requests.push({
        at: new Date().toISOString(),
        method: request.method,
        path: origin + request.path,
        payment,
        headerNames: Object.keys(request.headers),
      });
      if (requests.length > KEPT) requests = requests.slice(-KEPT / 2);
      next();
    },
    query(path) {
      const found = path === undefined ? requests : requests.filter((request) => request.path === path);
      const distinct = new Map<string, unknown>();
      for (const { payment } of found) {
        if (payment === null) continue;
        const decoded = decode(payment);
        // The signed part alone: the same authorization in another envelope is the same money.
        distinct.set(JSON.stringify((decoded as { payload?: unknown })?.payload ?? decoded), decoded);
      }
      return { requests: found, distinctPayments: [...distinct.values()] };
    },
    reset() {
      requests = [];
      for (const forget of forgetful) forget();
    },
    onReset: (forget) => void forgetful.push(forget),
  };
}

function decode(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, "base64").toString("utf8"));
  } catch {
    return header;
  }
}
