/** What one account may have under way in one place: connections to a shop or a provider are shared by all accounts. */
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { RateLimitedError } from "../errors.ts";
import { ReceivedBody } from "./body.ts";

/** In this process; a fifth of the connections that there are to one origin. */
export const MAX_IN_FLIGHT = 200;
const RETRY_AFTER_MS = 1_000;

const counts = new Map<string, number>();

/**
 * Opens an answer for the account, which counts until its body has been read or destroyed. Nobody waits for a place: what has a
 * deadline would be late, and who left meanwhile would still be asked for.
 * @param place an origin, or what stands for several
 * @param bodyOf what is still to come; null when all of it is there
 * @throws {RateLimitedError} too many are under way; nothing was opened
 */
export async function limitInFlight<Answer>(
  accountId: string,
  place: string,
  open: () => Promise<Answer>,
  bodyOf: (answer: Answer) => Readable | null,
): Promise<Answer> {
  const key = `${accountId} ${place}`;
  const count = counts.get(key) ?? 0;
  if (count >= MAX_IN_FLIGHT) {
    throw new RateLimitedError(
      `At most ${MAX_IN_FLIGHT} requests at once; try again when one has ended.`,
      RETRY_AFTER_MS,
    );
  }
  counts.set(key, count + 1);
  let body: Readable | null = null;
  try {
    const answer = await open();
    body = bodyOf(answer);
    return answer;
  } finally {
    const left = () => leave(key);
    if (body === null || body instanceof ReceivedBody) left();
    // However it ends: whoever reads it is told.
    else finished(body).then(left, left);
  }
}

function leave(key: string): void {
  const count = counts.get(key) ?? 0;
  if (count > 1) counts.set(key, count - 1);
  else counts.delete(key);
}
