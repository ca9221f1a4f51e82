/** "Pay Now" of the approval page (spec section 4.1): creates a purchase token and pays with it in one operation. */
import type { Readable } from "node:stream";
import type { PurchaseToken } from "../../../generated/prisma/client.ts";
import { type AccountViewer, requireManager, type Viewer } from "../../accounts/viewer.ts";
import { TargetTimeoutError } from "../../platform/egress/errors.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { type ClaimFence, IdempotencyKeyReusedError, runIdempotent } from "../../platform/idempotency/claim.ts";
import type { PaymentDeps } from "../deps.ts";
import { callResource, isPurchaseComplete } from "../fetch-resource.ts";
import { readMerchantUrl } from "../merchant-url.ts";
import { DEFAULT_TIMEOUT_MS } from "../proxy/check-input.ts";
import { withoutTransaction, withTransaction } from "../proxy/errors.ts";
import { createPurchaseToken, type NewPurchaseToken } from "./create.ts";
import { findPurchaser } from "./purchase-token-kind.ts";
import { revokePurchaseToken } from "./revoke.ts";

/** An existing token, or the terms of a new one. */
export type PayPurchaseTokenInput = { readonly idempotencyKey: string | null } & (
  | { readonly tokenId: string; readonly purchase: null }
  | { readonly tokenId: null; readonly purchase: NewPurchaseToken }
);

export interface PaidPurchase {
  readonly purchaseTokenId: string;
  /** Null if the merchant required no payment; the token then remains unused. */
  readonly transactionId: string | null;
  readonly answer: MerchantResponse;
}

/** The part of the merchant's response that the page shows. */
export interface MerchantResponse {
  readonly status: number;
  readonly contentType: string | null;
  /** The first 64 KiB of the body. */
  readonly bodyBase64: string;
  readonly isTruncated: boolean;
}

const MAX_SHOWN_BYTES = 64 * 1024;
/** Short, because the account owner waits for the page. Pay Now can be repeated. */
const PAID_RETRY_MS = 3_000;
/** Minimum time for the body, because a response whose headers arrive just before the deadline may have been paid for. */
const MIN_BODY_TIMEOUT_MS = 1_000;

/**
 * Requests the merchant URL and pays the price, within the token's cap and all limits. With an Idempotency-Key a repeated request
 * returns the stored result, and at most one payment is made.
 *
 * @throws the errors of `createPurchaseToken` and of the proxy, {NotFoundError} when the token does not exist or has expired, and
 *   {IdempotencyKeyReusedError | IdempotencyInFlightError}
 */
export async function payPurchaseToken(
  deps: PaymentDeps,
  viewer: Viewer | null,
  input: PayPurchaseTokenInput,
): Promise<PaidPurchase> {
  const manager = requireManager(viewer);
  const { idempotencyKey: key, tokenId, purchase } = input;
  if (key === null) return await startPurchase(deps, manager, input, null);
  const terms = purchase && [purchase.merchantUrl, purchase.network, purchase.maxMicroUsd.toString()];
  const request = ["payPurchaseToken", manager.budgetId, tokenId, terms];
  const work = async (claim: ClaimFence) => {
    const purchaser = await findPurchaserByKey(deps, manager, key, input);
    return purchaser ? await payNow(deps, purchaser, key, claim) : await startPurchase(deps, manager, input, claim);
  };
  return await runIdempotent(deps.db, manager.accountId, key, request, work, ({ answer: { status }, transactionId }) =>
    isPurchaseComplete(status, transactionId !== null),
  );
}

/** Pays with the given or a new token. A new token that made no payment is revoked, because its secret was never shown. */
async function startPurchase(
  deps: PaymentDeps,
  manager: AccountViewer,
  input: PayPurchaseTokenInput,
  claim: ClaimFence | null,
): Promise<PaidPurchase> {
  const purchaser = await openPurchaser(deps, manager, input);
  try {
    return await payNow(deps, purchaser, input.idempotencyKey, claim);
  } catch (error) {
    const { credentialId: purchaseTokenId } = purchaser;
    const payment = await deps.db.prisma.transaction.findUnique({ where: { purchaseTokenId }, select: { id: true } });
    if (payment) throw error;
    if (input.purchase) await revokePurchaseToken(deps, manager, purchaseTokenId);
    throw withoutTransaction(error as Error);
  }
}

/** Returns the viewer of the given token, or of a token created for the purchase. */
async function openPurchaser(
  deps: PaymentDeps,
  manager: AccountViewer,
  { tokenId, purchase }: PayPurchaseTokenInput,
): Promise<AccountViewer> {
  const id = tokenId ?? (await createPurchaseToken(deps, manager, purchase)).purchaseToken.id;
  const purchaser = await findPurchaser(deps.db, manager, id);
  if (!purchaser) throw new NotFoundError("The purchase token does not exist or has expired. No payment was made.");
  return purchaser;
}

/** Returns the viewer of the token that a failed earlier request used under this key, so its payment is resumed; null if none. */
async function findPurchaserByKey(
  { db }: PaymentDeps,
  manager: AccountViewer,
  idempotencyKey: string,
  { tokenId, purchase }: PayPurchaseTokenInput,
): Promise<AccountViewer | null> {
  const { accountId } = manager;
  const payment = await db.prisma.transaction.findUnique({
    where: { accountId_idempotencyKey: { accountId, idempotencyKey } },
    select: { purchaseTokenId: true },
  });
  if (!payment) return null;
  const { purchaseTokenId: id } = payment;
  const token = id === null ? null : await db.prisma.purchaseToken.findUnique({ where: { id } });
  const isSame = token && (purchase ? hasTerms(token, purchase) : token.id === tokenId);
  if (token && !isSame) throw new IdempotencyKeyReusedError();
  const purchaser = token && (await findPurchaser(db, manager, token.id));
  if (purchaser) return purchaser;
  throw new IdempotencyKeyReusedError(
    "The payment under this Idempotency-Key was released, or its token has expired. Use a new key.",
  );
}

function hasTerms(token: PurchaseToken, { merchantUrl, network, maxMicroUsd }: NewPurchaseToken): boolean {
  const isSameMerchant = token.merchantUrl === readMerchantUrl(merchantUrl, "merchantUrl");
  return isSameMerchant && token.network === network && token.maxMicroUsd === maxMicroUsd;
}

async function payNow(
  deps: PaymentDeps,
  purchaser: AccountViewer,
  idempotencyKey: string | null,
  claim: ClaimFence | null,
): Promise<PaidPurchase> {
  const { merchantUrl } = purchaser.rules;
  if (merchantUrl === null) throw new InvalidRequestError("The token has no merchant URL.", "id");
  const deadlineMs = performance.now() + DEFAULT_TIMEOUT_MS;
  const { status, headers, body, payment } = await callResource(deps, purchaser, {
    url: merchantUrl,
    method: "GET",
    maxValueAtomic: null,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    paidRetryMs: PAID_RETRY_MS,
    body: null,
    headers: {},
    idempotencyKey,
    claim,
  });
  const transactionId = payment?.transactionId ?? null;
  try {
    const shown = await readStart(body, Math.max(MIN_BODY_TIMEOUT_MS, deadlineMs - performance.now()));
    const contentType = [headers["content-type"] ?? null].flat()[0] ?? null;
    const bodyBase64 = shown.subarray(0, MAX_SHOWN_BYTES).toString("base64");
    const answer = { status, contentType, bodyBase64, isTruncated: shown.byteLength > MAX_SHOWN_BYTES };
    return { purchaseTokenId: purchaser.credentialId, transactionId, answer };
  } catch (error) {
    throw transactionId === null ? error : withTransaction(error as Error, transactionId);
  }
}

/** Reads slightly more than the shown part of a body, to detect whether it is truncated. */
async function readStart(body: Readable, timeoutMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const onTimeout = () => body.destroy(new TargetTimeoutError("The merchant did not complete its response in time."));
  const timer = setTimeout(onTimeout, timeoutMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.byteLength;
      chunks.push(chunk);
      // Leaving the loop destroys the stream, and with it the connection.
      if (sizeBytes > MAX_SHOWN_BYTES) break;
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the body as text; null if it is not UTF-8. A character cut at the truncation point is dropped. */
export function textOf({ bodyBase64, isTruncated }: MerchantResponse): string | null {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return decoder.decode(Buffer.from(bodyBase64, "base64"), { stream: isTruncated });
  } catch {
    return null;
  }
}
