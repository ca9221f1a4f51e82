/** `POST /api/x402/fetch` and the mutation `x402Fetch` (spec section 4.3): the proxy, for an account, once for each key. */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { type AccountViewer, requirePayer, type Viewer } from "../accounts/viewer.ts";
import { ReceivedBody } from "../platform/egress/body.ts";
import { limitInFlight } from "../platform/egress/in-flight-limit.ts";
import { captureStream } from "../platform/idempotency/capture-stream.ts";
import { claimIdempotencyKey, completeOrDiscard, type IdempotencyClaim } from "../platform/idempotency/claim.ts";
import { consumeResponseQuota } from "../platform/idempotency/response-quota.ts";
import { PurchaseTokenUsedError } from "../wallet/reservation.ts";
import type { PaymentDeps } from "./deps.ts";
import { assertWithinMerchant } from "./merchant-url.ts";
import { createPaymentPort } from "./payment-port.ts";
import type { X402FetchInput, X402FetchResult } from "./proxy/ports.ts";
import { x402Fetch } from "./proxy/x402-fetch.ts";

/** Longer answers are not kept: a repeated request is sent to the target again, with the very payment it had. */
const MAX_KEPT_BYTES = 256 * 1024;

/** An answer as it is kept for its Idempotency-Key. */
interface KeptAnswer extends Omit<X402FetchResult, "body"> {
  readonly bodyBase64: string;
}

/**
 * Whether a purchase has come to all it will. A failure that was paid for has not: the next request with its key takes the
 * same payment to the target again. Where nothing was paid there is none, and asking again costs nothing.
 */
export function isFinal(status: number, isPaid: boolean): boolean {
  return isPaid && status < 400;
}

/**
 * Calls a resource and pays if it asks for payment. With an Idempotency-Key what was bought is given again, and
 * whatever happens there is one payment.
 * @throws whatever `callResource` refuses with, and {IdempotencyKeyReusedError | IdempotencyInFlightError}
 */
export async function fetchResource(
  deps: PaymentDeps,
  viewer: Viewer | null,
  input: X402FetchInput,
): Promise<X402FetchResult> {
  const account = requirePayer(viewer);
  const { accountId, budgetId } = account;
  const { idempotencyKey, url, method, maxValueAtomic, body } = input;
  if (idempotencyKey === null) return await callResource(deps, account, input);

  const bodySha256 = body && createHash("sha256").update(body.bytes).digest("hex");
  const request = ["x402Fetch", budgetId, url, method, maxValueAtomic?.toString() ?? null, bodySha256];
  const claim = await claimIdempotencyKey(deps.db, accountId, idempotencyKey, request);
  if (claim.stored !== null) return replay(claim.stored as KeptAnswer);
  try {
    const result = await callResource(deps, account, input);
    if (!isFinal(result.status, result.payment !== null)) {
      await claim.discard();
      return result;
    }
    return { ...result, body: await keepWhilePassing(deps, accountId, result, claim) };
  } catch (error) {
    await claim.discard();
    throw error;
  }
}

/**
 * The proxy for an account, without an answer kept: whoever keeps one of their own asks here.
 * @throws whatever `x402Fetch` and the payment refuse with, {PurchaseTokenUsedError | ForbiddenError | RateLimitedError} before
 *   anything is called.
 */
export async function callResource(
  deps: PaymentDeps,
  account: AccountViewer,
  input: X402FetchInput,
): Promise<X402FetchResult> {
  await assertMayPurchase(deps, account, input);
  const ports = { egress: deps.egress, payments: createPaymentPort(deps), log: deps.logger };
  const fetched = () => x402Fetch(ports, account, input);
  // What is no address at all is refused by the proxy, which has a word for it.
  const place = URL.parse(input.url)?.origin ?? "";
  return await limitInFlight(account.accountId, place, fetched, ({ body }) => body);
}

/**
 * A purchase token calls its merchant and nobody else, and once it has a payment, outstanding or settled, it goes on with
 * that one alone: by the payment's Idempotency-Key. What asks for payment is checked again, and the reservation decides.
 */
async function assertMayPurchase(
  { db }: PaymentDeps,
  { credentialKind, credentialId, rules }: AccountViewer,
  { url, idempotencyKey }: X402FetchInput,
): Promise<void> {
  if (credentialKind !== "purchase_token") return;
  const made = await db.prisma.transaction.findUnique({
    where: { purchaseTokenId: credentialId },
    select: { idempotencyKey: true },
  });
  if (made && (made.idempotencyKey === null || made.idempotencyKey !== idempotencyKey)) {
    throw new PurchaseTokenUsedError();
  }
  // What is no address at all is refused where it would be called, as for everybody.
  if (URL.canParse(url)) assertWithinMerchant(rules, url);
}

function replay({ bodyBase64, ...answer }: KeptAnswer): X402FetchResult {
  return { ...answer, body: new ReceivedBody(Buffer.from(bodyBase64, "base64")) };
}

/** An answer of known length is whole with its last byte, any other with its end. */
async function keepWhilePassing(
  deps: PaymentDeps,
  accountId: string,
  result: X402FetchResult,
  claim: IdempotencyClaim,
): Promise<Readable> {
  const { body, ...answer } = result;
  const expectedBytes = Number(answer.headers["content-length"] ?? Number.NaN);
  // Broken off, or too much to keep: the next request with this key goes to the target, with the same payment.
  const keep = async (bytes: Buffer | null) => {
    const kept: KeptAnswer | null = bytes && { ...answer, bodyBase64: bytes.toString("base64") };
    if (!kept || !(await consumeResponseQuota(deps.rateLimiter, accountId, kept))) return await claim.discard();
    await completeOrDiscard(claim, kept, deps.logger);
  };
  if (expectedBytes === 0) {
    await keep(Buffer.alloc(0));
    return body;
  }
  return captureStream(body, {
    maxBytes: MAX_KEPT_BYTES,
    isWhole: (sizeBytes, chunk) => chunk === null || sizeBytes === expectedBytes,
    keep,
  });
}
