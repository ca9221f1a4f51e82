/** "Pay Now" of the approval page (spec section 4.1): makes a purchase token and pays with it at once, as one operation. */
import type { Readable } from "node:stream";
import type { PurchaseToken } from "../../../generated/prisma/client.ts";
import { type AccountViewer, requireManager, type Viewer } from "../../accounts/viewer.ts";
import { TargetTimeoutError } from "../../platform/egress/errors.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { IdempotencyKeyReusedError, runIdempotent } from "../../platform/idempotency/claim.ts";
import type { PaymentDeps } from "../deps.ts";
import { callResource, isFinal } from "../fetch-resource.ts";
import { readMerchantUrl } from "../merchant-url.ts";
import { DEFAULT_TIMEOUT_MS } from "../proxy/check-input.ts";
import { withoutTransaction, withTransaction } from "../proxy/errors.ts";
import { createPurchaseToken, type NewPurchaseToken } from "./create.ts";
import { purchaserOf } from "./purchase-token-kind.ts";
import { revokePurchaseToken } from "./revoke.ts";

/** A token that is there already, or what a new one is to be. */
export type PayPurchaseTokenInput = { readonly idempotencyKey: string | null } & (
  | { readonly tokenId: string; readonly purchase: null }
  | { readonly tokenId: null; readonly purchase: NewPurchaseToken }
);

export interface PaidPurchase {
  readonly purchaseTokenId: string;
  /** Null when the merchant asked for nothing: then the token is left unused. */
  readonly transactionId: string | null;
  readonly answer: PurchaseAnswer;
}

/** What the merchant answered, as much of it as is shown. */
export interface PurchaseAnswer {
  readonly status: number;
  readonly contentType: string | null;
  /** The first 64 KiB of the body. */
  readonly bodyBase64: string;
  readonly isTruncated: boolean;
}

const MAX_SHOWN_BYTES = 64 * 1024;
/** An answer whose headers came at the last moment may have paid for its body. */
const MIN_BODY_TIMEOUT_MS = 1_000;

/**
 * Calls the merchant's address and pays what it asks, within the token's bounds and every limit. With an Idempotency-Key
 * what was bought is given again, and whatever happens there is one payment.
 * @throws whatever `createPurchaseToken` and the proxy refuse with, {NotFoundError} for a token that is over, and
 *   {IdempotencyKeyReusedError | IdempotencyInFlightError}
 */
export async function payPurchaseToken(
  deps: PaymentDeps,
  viewer: Viewer | null,
  input: PayPurchaseTokenInput,
): Promise<PaidPurchase> {
  const manager = requireManager(viewer);
  const { idempotencyKey: key, tokenId, purchase } = input;
  if (key === null) return await payAnew(deps, manager, input);
  const asked = purchase && [purchase.merchantUrl, purchase.network, purchase.maxMicroUsd.toString()];
  const request = ["payPurchaseToken", manager.budgetId, tokenId, asked];
  const work = async () => {
    const begun = await purchaserUnder(deps, manager, key, input);
    return begun ? await payNow(deps, begun, key) : await payAnew(deps, manager, input);
  };
  return await runIdempotent(deps.db, manager.accountId, key, request, work, ({ answer: { status }, transactionId }) =>
    isFinal(status, transactionId !== null),
  );
}

/** A token that was made for this call and came to nothing is taken back: nobody knows it, and people would see it lie about. */
async function payAnew(deps: PaymentDeps, manager: AccountViewer, input: PayPurchaseTokenInput): Promise<PaidPurchase> {
  const purchaser = await purchaserFor(deps, manager, input);
  try {
    return await payNow(deps, purchaser, input.idempotencyKey);
  } catch (error) {
    const { credentialId: purchaseTokenId } = purchaser;
    const payment = await deps.db.prisma.transaction.findUnique({ where: { purchaseTokenId }, select: { id: true } });
    if (payment) throw error;
    if (input.purchase) await revokePurchaseToken(deps, manager, purchaseTokenId);
    throw withoutTransaction(error as Error);
  }
}

async function purchaserFor(
  deps: PaymentDeps,
  manager: AccountViewer,
  { tokenId, purchase }: PayPurchaseTokenInput,
): Promise<AccountViewer> {
  const id = tokenId ?? (await createPurchaseToken(deps, manager, purchase)).purchaseToken.id;
  const purchaser = await purchaserOf(deps.db, manager, id);
  if (!purchaser) throw new NotFoundError("There is no such purchase token, or it is over. Nothing was paid.");
  return purchaser;
}

/** Who paid under this key before its first request died: the token of then goes on with the payment of then. */
async function purchaserUnder(
  { db }: PaymentDeps,
  manager: AccountViewer,
  idempotencyKey: string,
  { tokenId, purchase }: PayPurchaseTokenInput,
): Promise<AccountViewer | null> {
  const { accountId } = manager;
  const begun = await db.prisma.transaction.findUnique({
    where: { accountId_idempotencyKey: { accountId, idempotencyKey } },
    select: { purchaseTokenId: true },
  });
  if (!begun) return null;
  const { purchaseTokenId: id } = begun;
  const token = id === null ? null : await db.prisma.purchaseToken.findUnique({ where: { id } });
  const isSame = token && (purchase ? isMadeAs(token, purchase) : token.id === tokenId);
  if (token && !isSame) throw new IdempotencyKeyReusedError();
  const purchaser = token && (await purchaserOf(db, manager, token.id));
  if (purchaser) return purchaser;
  throw new IdempotencyKeyReusedError(
    "The payment under this Idempotency-Key came to nothing, or its token is over. Use a new key.",
  );
}

function isMadeAs(token: PurchaseToken, { merchantUrl, network, maxMicroUsd }: NewPurchaseToken): boolean {
  const isSameMerchant = token.merchantUrl === readMerchantUrl(merchantUrl, "merchantUrl");
  return isSameMerchant && token.network === network && token.maxMicroUsd === maxMicroUsd;
}

async function payNow(
  deps: PaymentDeps,
  purchaser: AccountViewer,
  idempotencyKey: string | null,
): Promise<PaidPurchase> {
  const { merchantUrl } = purchaser.rules;
  if (merchantUrl === null) throw new InvalidRequestError("The token names no merchant.", "id");
  const deadlineMs = performance.now() + DEFAULT_TIMEOUT_MS;
  const { status, headers, body, payment } = await callResource(deps, purchaser, {
    url: merchantUrl,
    method: "GET",
    maxValueAtomic: null,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    body: null,
    headers: {},
    idempotencyKey,
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

/** As much of a body as is shown, and something of the rest where there is one. */
async function readStart(body: Readable, timeoutMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const late = () => body.destroy(new TargetTimeoutError("The merchant did not finish its answer in time."));
  const timer = setTimeout(late, timeoutMs);
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

/** The body as text; null when it is none. A letter that the end cut in two is left out. */
export function textOf({ bodyBase64, isTruncated }: PurchaseAnswer): string | null {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return decoder.decode(Buffer.from(bodyBase64, "base64"), { stream: isTruncated });
  } catch {
    return null;
  }
}
