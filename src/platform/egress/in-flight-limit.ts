/** Limits each account's in-flight requests per destination: all accounts share the connections to an origin. */
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { RateLimitedError } from "../errors.ts";
import { ReceivedBody } from "./body.ts";

/** Per process: a fifth of the connections to one origin. */
export const MAX_IN_FLIGHT = 200;
const RETRY_AFTER_MS = 1_000;

const counts = new Map<string, number>();

/**
 * Sends a request for the account. It counts as in flight until its response body has been read or destroyed. There is no
 * queue: a queued request could miss its deadline, or be sent after its client has disconnected.
 *
 * @param destination an origin, or a name for several origins
 *
 * @param bodyOf returns the body to wait for; null if the response is complete
 * @param max maximum requests in flight
 *
 * @throws {RateLimitedError} too many requests are in flight; nothing was sent
 */
export async function limitInFlight<Result>(
  accountId: string,
  destination: string,
  send: () => Promise<Result>,
  bodyOf: (response: Result) => Readable | null,
  max: number = MAX_IN_FLIGHT,
): Promise<Result> {
  const key = `${accountId} ${destination}`;
  const count = counts.get(key) ?? 0;
  if (count >= max) {
    throw new RateLimitedError(
      `${max} requests are in flight, the maximum. This one was not sent. Retry when one has ended.`,
      RETRY_AFTER_MS,
    );
  }
  counts.set(key, count + 1);
  let body: Readable | null = null;
  try {
    const response = await send();
    body = bodyOf(response);
    return response;
  } finally {
    const release = () => decrement(key);
    if (body === null || body instanceof ReceivedBody) release();
    // The reader of the body handles its errors.
    else finished(body).then(release, release);
  }
}

function decrement(key: string): void {
  const count = counts.get(key) ?? 0;
  if (count > 1) counts.set(key, count - 1);
  else counts.delete(key);
}
