import type { Writable } from "node:stream";
import { requestError } from "./request-errors.ts";

const signals = new WeakMap<Writable, AbortSignal>();

const disconnectedError = () => requestError("The client disconnected.", "CALLER_GONE", 499);

/**
 * Returns a signal that aborts when the response stream closes. The reason has its own code, since no client receives it and
 * it is not a failure of the service.
 */
export function getCloseSignal(stream: Writable): AbortSignal {
  const cached = signals.get(stream);
  if (cached) return cached;
  const controller = new AbortController();
  const abort = () => controller.abort(disconnectedError());
  if (stream.closed || stream.destroyed) abort();
  else stream.once("close", abort);
  signals.set(stream, controller.signal);
  return controller.signal;
}

/** Abort signals of the operations on one connection. */
export interface OperationSignals {
  /**
   * Returns the signal of a new operation. It aborts when the client completes the operation or the connection closes.
   *
   * @param running has a property for each operation that has neither ended nor been completed
   */
  begin(id: string, running: object): AbortSignal;
  /** Records that no client may send the operation again automatically. */
  markSingleUse(id: string): void;
  /** Returns the operations that have neither ended nor been completed. */
  list(): { readonly id: string; readonly isSingleUse: boolean }[];
  /** Aborts completed operations; to be called after each message. */
  update(): void;
}

export function createOperationSignals(stream: Writable): OperationSignals {
  const operations = new Map<string, { running: object; controller: AbortController; isSingleUse: boolean }>();
  const update = () => {
    const isClosed = stream.closed || stream.destroyed;
    for (const [id, { running, controller }] of operations) {
      if (!isClosed && id in running) continue;
      operations.delete(id);
      controller.abort(disconnectedError());
    }
  };
  stream.once("close", update);
  return {
    begin(id, running) {
      const controller = new AbortController();
      operations.set(id, { running, controller, isSingleUse: false });
      update();
      return controller.signal;
    },
    markSingleUse(id) {
      const operation = operations.get(id);
      if (operation) operation.isSingleUse = true;
    },
    list: () =>
      [...operations]
        .filter(([id, { running }]) => id in running)
        .map(([id, { isSingleUse }]) => ({ id, isSingleUse })),
    update,
  };
}
