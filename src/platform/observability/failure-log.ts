/** Warnings of failures that many objects can share: one line per cause and minute, with the number of further failures. */
import { ServiceError } from "../errors.ts";
import type { Logger } from "./logger.ts";

const WINDOW_MS = 60_000;
/** Maximum number of causes distinguished in a window. Further ones share a line per message. */
const MAX_CAUSES = 200;
const MAX_MESSAGE_CHARS = 100;

const windowsByLogger = new WeakMap<Logger, Map<string, { repeated: number }>>();

/**
 * Logs a failure with its object as an example, unless the cause was logged in the last minute. A cause is the message, the
 * kind of the error and its network. After the minute, a second line counts the failures since. Errors of the service are
 * expected, so they are logged without a stack.
 *
 * @param fields such as the id of the object
 */
export function warnOfFailure(logger: Logger, error: unknown, fields: object, message: string): void {
  const { key, details } = describe(error);
  warnOncePerMinute(logger, key, { ...details, ...fields }, details, message);
}

/**
 * Logs `example` with the message, unless it was logged for the cause in the last minute.
 * @param cause fields of the cause, which the line with the number of further failures repeats
 */
export function warnOncePerMinute(logger: Logger, key: string, example: object, cause: object, message: string): void {
  const windows = windowsByLogger.get(logger) ?? new Map<string, { repeated: number }>();
  windowsByLogger.set(logger, windows);
  const full = `${message}\n${key}`;
  const name = windows.size < MAX_CAUSES || windows.has(full) ? full : message;
  const current = windows.get(name);
  if (current) {
    current.repeated += 1;
    return;
  }
  const opened = { repeated: 0 };
  windows.set(name, opened);
  logger.warn(example, message);
  setTimeout(() => {
    windows.delete(name);
    if (opened.repeated > 0) logger.warn({ ...cause, repeated: opened.repeated }, message);
  }, WINDOW_MS).unref();
}

function describe(error: unknown): { readonly key: string; readonly details: object } {
  if (error instanceof ServiceError) {
    const { name, code, message } = error;
    const network = "network" in error ? { network: error.network } : {};
    return { key: JSON.stringify([name, network]), details: { error: name, code, reason: message, ...network } };
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { key: text.slice(0, MAX_MESSAGE_CHARS), details: { err: error } };
}
