/**
 * `POST /api/x402/fetch` and the mutation `x402Fetch` (spec section 4.3): the fetch proxy for an account, idempotent per
 * Idempotency-Key.
 */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { type AccountViewer, requirePayer, type Viewer } from "../accounts/viewer.ts";
import { ReceivedBody } from "../platform/egress/body.ts";
import { limitInFlight } from "../platform/egress/in-flight-limit.ts";
import { captureStream } from "../platform/idempotency/capture-stream.ts";
import { claimIdempotencyKey, completeOrDiscard, type IdempotencyClaim } from "../platform/idempotency/claim.ts";
import { consumeResponseQuota } from "../platform/idempotency/response-quota.ts";
import { PurchaseTokenUsedError } from "../wallet/reservation.ts";
import { recordingRefusal } from "./declined-payments.ts";
import type { PaymentDeps } from "./deps.ts";
import { callExclusively } from "./exclusive-call.ts";
import { assertWithinMerchant } from "./merchant-url.ts";
import { createPaymentPort } from "./payment-port.ts";
import type { Target, X402FetchInput, X402FetchResult } from "./proxy/ports.ts";
import { x402Fetch } from "./proxy/x402-fetch.ts";

/** Longer responses are not stored. A repeated request is then sent to the target again with the same payment. */
const MAX_STORED_BYTES = 256 * 1024;

/** A response as stored for its Idempotency-Key. */
interface StoredResponse extends Omit<X402FetchResult, "body"> {
  readonly bodyBase64: string;
}

/**
 * Returns whether a purchase is complete, which is when it was paid for and the status is below 400. A paid request that
 * failed is not complete: the next request with its key presents the same payment again. Repeating an unpaid request costs nothing.
 */
export function isPurchaseComplete(status: number, isPaid: boolean): boolean {
  return isPaid && status < 400;
}

/** An operation through the proxy. `name` separates its idempotency keys from those of other operations. */
export interface ProxyOperation {
  readonly name: "x402Fetch" | "callPaidTool";
  readonly target: Target;
}

/**
 * Calls a resource and pays if it responds with 402. With an Idempotency-Key a repeated request returns the stored response,
 * and at most one payment is made.
 * @throws the errors of `callResource`, and {IdempotencyKeyReusedError | IdempotencyInFlightError}
 * @throws {IdempotencyInFlightError} also without a key, if the request is exclusive and an equal one is in flight
 */
export async function fetchResource(
  deps: PaymentDeps,
  viewer: Viewer | null,
  input: X402FetchInput,
  operation: ProxyOperation = { name: "x402Fetch", target: deps.egress },
): Promise<X402FetchResult> {
  const account = requirePayer(viewer);
  const { accountId, budgetId } = account;
  const { idempotencyKey, url, method, maxValueAtomic, body } = input;
  const bodySha256 = body && createHash("sha256").update(body.bytes).digest("hex");
  if (idempotencyKey === null) {
    if (!input.isExclusive) return await callResource(deps, account, input, operation.target);
    const equal = [operation.name, budgetId, url, method, bodySha256, body?.contentType ?? null];
    return await callExclusively(deps.db, accountId, equal, (exclusive) =>
      callResource(deps, account, { ...input, ...exclusive }, operation.target),
    );
  }

  const request = [operation.name, budgetId, url, method, maxValueAtomic?.toString() ?? null, bodySha256];
  const claim = await claimIdempotencyKey(deps.db, accountId, idempotencyKey, request);
  if (claim.stored !== null) return replay(claim.stored as StoredResponse);
  try {
    const result = await callResource(deps, account, { ...input, claim: claim.fence }, operation.target);
    if (!isPurchaseComplete(result.status, result.payment !== null)) {
      await claim.discard();
      return result;
    }
    return { ...result, body: await storeWhileStreaming(deps, accountId, result, claim) };
  } catch (error) {
    await claim.discard();
    throw error;
  }
}

/**
 * Calls a resource through the proxy for an account and stores no response. For callers that store their own.
 * @throws the errors of `x402Fetch` and of the payment; {PurchaseTokenUsedError | ForbiddenError | RateLimitedError} before any
 *   request is sent.
 */
export async function callResource(
  deps: PaymentDeps,
  account: AccountViewer,
  input: X402FetchInput,
  target: Target = deps.egress,
): Promise<X402FetchResult> {
  const declined = { type: "x402" as const, resource: input.url };
  await recordingRefusal(deps, account, declined, () => assertMayPurchase(deps, account, input));
  const ports = { target, payments: createPaymentPort(deps), log: deps.logger };
  const fetched = () => x402Fetch(ports, account, input);
  // The proxy rejects an invalid URL with the matching error.
  const origin = URL.parse(input.url)?.origin ?? "";
  return await limitInFlight(account.accountId, origin, fetched, ({ body }) => body);
}

/**
 * Limits a purchase token to its merchant. A token with an outstanding or settled payment may only continue it: under the
 * payment's Idempotency-Key, or without a key by an equal request. The URL that requires payment is checked again, and the
 * reservation decides.
 */
async function assertMayPurchase(
  { db }: PaymentDeps,
  { credentialKind, credentialId, rules }: AccountViewer,
  { url, idempotencyKey }: X402FetchInput,
): Promise<void> {
  if (credentialKind !== "purchase_token") return;
  const payment = await db.prisma.transaction.findUnique({
    where: { purchaseTokenId: credentialId },
    select: { idempotencyKey: true, requestSha256: true },
  });
  const mayContinue = payment?.idempotencyKey ? payment.idempotencyKey === idempotencyKey : idempotencyKey === null;
  const isConcluded = payment?.idempotencyKey === null && payment.requestSha256 === null;
  if (payment && (!mayContinue || isConcluded)) throw new PurchaseTokenUsedError();
  // The proxy rejects an invalid URL, as it does for every credential.
  if (URL.canParse(url)) assertWithinMerchant(rules, url);
}

function replay({ bodyBase64, ...response }: StoredResponse): X402FetchResult {
  return { ...response, body: new ReceivedBody(Buffer.from(bodyBase64, "base64")) };
}

/**
 * Stores a response while its body streams to the caller. A body with a known length is complete at its last byte, any other
 * at the end of the stream.
 */
async function storeWhileStreaming(
  deps: PaymentDeps,
  accountId: string,
  result: X402FetchResult,
  claim: IdempotencyClaim,
): Promise<Readable> {
  const { body, ...response } = result;
  const expectedBytes = Number(response.headers["content-length"] ?? Number.NaN);
  // After an incomplete or oversized body the next request with this key goes to the target with the same payment.
  const store = async (bytes: Buffer | null) => {
    const stored: StoredResponse | null = bytes && { ...response, bodyBase64: bytes.toString("base64") };
    if (!stored || !(await consumeResponseQuota(deps.rateLimiter, accountId, stored))) return await claim.discard();
    await completeOrDiscard(claim, stored, deps.logger);
  };
  if (expectedBytes === 0) {
    await store(Buffer.alloc(0));
    return body;
  }
  return captureStream(body, {
    maxBytes: MAX_STORED_BYTES,
    isComplete: (sizeBytes, chunk) => chunk === null || sizeBytes === expectedBytes,
    store,
  });
}
