import type { Writable } from "node:stream";
import { requestError } from "./request-errors.ts";

const signals = new WeakMap<Writable, AbortSignal>();

const callerGone = () => requestError("The caller went away.", "CALLER_GONE", 499);

/**
 * A signal that aborts once the stream that answers go to has closed. Its reason has a code of its own: nobody is left
 * to read it, and it is no failure to be looked into.
 */
export function signalOfClosing(stream: Writable): AbortSignal {
  const known = signals.get(stream);
  if (known) return known;
  const gone = new AbortController();
  const leave = () => gone.abort(callerGone());
  if (stream.closed || stream.destroyed) leave();
  else stream.once("close", leave);
  signals.set(stream, gone.signal);
  return gone.signal;
}

/** Signals of the operations of one connection. */
export interface OperationSignals {
  /**
   * Of an operation that begins: aborts once its client has completed it, or the connection has closed.
   * @param running has a member for each operation that has neither ended nor been completed
   */
  begin(id: string, running: object): AbortSignal;
  /** To be called after each message: aborts those that it completed. */
  update(): void;
}

export function createOperationSignals(stream: Writable): OperationSignals {
  const begun = new Map<string, { readonly running: object; readonly gone: AbortController }>();
  const update = () => {
    const isClosed = stream.closed || stream.destroyed;
    for (const [id, { running, gone }] of begun) {
      if (!isClosed && id in running) continue;
      begun.delete(id);
      gone.abort(callerGone());
    }
  };
  stream.once("close", update);
  return {
    begin(id, running) {
      const gone = new AbortController();
      begun.set(id, { running, gone });
      update();
      return gone.signal;
    },
    update,
  };
}
