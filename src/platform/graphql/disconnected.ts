import type { Writable } from "node:stream";
import { requestError } from "./request-errors.ts";

const signals = new WeakMap<Writable, AbortSignal>();

/**
 * A signal that aborts once the stream that answers go to has closed. Its reason has a code of its own: nobody is left
 * to read it, and it is no failure to be looked into.
 */
export function signalOfClosing(stream: Writable): AbortSignal {
  const known = signals.get(stream);
  if (known) return known;
  const gone = new AbortController();
  const leave = () => gone.abort(requestError("The caller went away.", "CALLER_GONE", 499));
  if (stream.closed || stream.destroyed) leave();
  else stream.once("close", leave);
  signals.set(stream, gone.signal);
  return gone.signal;
}
