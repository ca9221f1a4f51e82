/** What one account may have others do for it at once: connections to a shop or a provider are shared by all accounts. */
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { createTurns } from "../turns.ts";
import { ReceivedBody } from "./received-body.ts";

/** In this process; a tenth of the connections that there are to one origin. */
export const MAX_UNDER_WAY = 100;

const inTurn = createTurns(MAX_UNDER_WAY);

/**
 * Opens an answer for the account, which counts until its body has been read or destroyed.
 * @param bodyOf what is still to come; null when all of it is there
 * @throws {RateLimitedError} too many are under way; nothing was opened
 */
export async function underWay<Answer>(
  accountId: string,
  open: () => Promise<Answer>,
  bodyOf: (answer: Answer) => Readable | null,
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    inTurn(accountId, async () => {
      const answer = await open();
      resolve(answer);
      const body = bodyOf(answer);
      // However it ends, and whoever is told of that.
      if (body && !(body instanceof ReceivedBody)) await finished(body).catch(() => {});
    }).catch(reject);
  });
}
