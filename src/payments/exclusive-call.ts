/**
 * Exclusive requests without an idempotency key: while one is in flight, an equal one does not pay. A client that repeats a call
 * whose response it no longer awaits thus makes no second payment. The claim is in the database, for all nodes, with a lease.
 */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../platform/database/connection.ts";
import { claimDerivedKey, type IdempotencyClaim, IdempotencyInFlightError } from "../platform/idempotency/claim.ts";
import type { X402FetchInput, X402FetchResult } from "./proxy/ports.ts";

/** Maximum wait for the end of an equal call whose result is being written to the client. */
const MAX_WAIT_FOR_END_MS = 2_000;
/** Wait for a call of another node, which may have ended with the response that the caller has. */
const WAIT_FOR_OTHER_NODE_MS = 100;

/** Calls of this process whose response was read and whose end is not yet committed, by key. */
const ending = new Map<string, Promise<void>>();

/**
 * Makes a call. It has the claim on equal requests until the attempt for its payment has ended. Without the claim it must not pay.
 * @param request the value that is equal for equal requests
 */
export async function callExclusively(
  db: Database,
  accountId: string,
  request: unknown,
  call: (exclusive: Pick<X402FetchInput, "claim" | "isEqualInFlight" | "onEnding">) => Promise<X402FetchResult>,
): Promise<X402FetchResult> {
  const key = `equal-request ${createHash("sha256").update(JSON.stringify(request)).digest("hex")}`;
  const claim = await tryClaim(db, accountId, key);
  // A free resource may be read at any time.
  if (!claim) return await call({ isEqualInFlight: true });
  try {
    const onEnding = (ended: Promise<void>) => trackEnd(key, ended.then(claim.discard));
    const result = await call({ claim: claim.fence, onEnding });
    if (result.payment === null) await claim.discard();
    return result;
  } catch (error) {
    await claim.discard();
    throw error;
  }
}

/** Returns null if an equal request is in flight. */
async function tryClaim(db: Database, accountId: string, key: string): Promise<IdempotencyClaim | null> {
  const claim = await claimOrNull(db, accountId, key);
  if (claim) return claim;
  await waitForEnd(key);
  return await claimOrNull(db, accountId, key);
}

async function claimOrNull(db: Database, accountId: string, key: string): Promise<IdempotencyClaim | null> {
  try {
    return await claimDerivedKey(db, accountId, key);
  } catch (error) {
    if (error instanceof IdempotencyInFlightError) return null;
    throw error;
  }
}

async function waitForEnd(key: string): Promise<void> {
  const end = ending.get(key);
  if (!end) return await delay(WAIT_FOR_OTHER_NODE_MS);
  const waiting = new AbortController();
  const timeout = delay(MAX_WAIT_FOR_END_MS, undefined, { signal: waiting.signal }).catch(() => {});
  await Promise.race([end, timeout]);
  waiting.abort();
}

function trackEnd(key: string, end: Promise<void>): void {
  ending.set(key, end);
  void end.then(() => {
    if (ending.get(key) === end) ending.delete(key);
  });
}
