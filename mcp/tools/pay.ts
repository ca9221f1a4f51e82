/** Tools that pay for URLs with X402. */
import { z } from "zod";
import { formatDecimal, parseDecimal } from "../../src/platform/money.ts";
import { CheckPriceDocument, FetchPaidUrlDocument } from "../generated/graphql.ts";
import type { Handles, HandleTerms } from "../handles.ts";
import { PURCHASE_KEY, UNKEYED_PAGE, URL_ARGUMENT, USD } from "../parameters.ts";
import { readBodyPage } from "../relayed-body.ts";
import { defineTool, type RelayedResponse } from "../tool.ts";
import { requireSuccess, ToolError } from "../tool-error.ts";
import { untrusted, untrustedSchema } from "../untrusted.ts";

/** USDC, the only asset of payments, has six decimal places. */
const USDC_DECIMALS = 6;
const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 120;

const REQUEST = {
  url: URL_ARGUMENT,
  method: z.enum(["GET", "POST", "PUT", "DELETE", "PATCH"]).optional().meta({ description: "Default GET." }),
  body: z
    .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .optional()
    .meta({ description: "Sent as JSON." }),
};

interface PaidRequest {
  readonly url: string;
  readonly method?: string | undefined;
  readonly body?: unknown;
}

/** Returns what a `payment_id` is bound to. */
function termsOf({ url, method = "GET", body = null }: PaidRequest): HandleTerms {
  return { tool: "fetch_paid_url", arguments: [new URL(url).href, method, body], field: "payment_id" };
}

export const checkPrice = defineTool({
  name: "check_price",
  title: "Check price",
  description:
    "Requests a URL without paying. Returns its price and a payment_id, with which fetch_paid_url pays at most this price, once.",
  group: "pay",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: true,
  input: z.strictObject(REQUEST),
  output: z.object({
    is_free: z.boolean(),
    http_status: z.int(),
    price: z
      .object({
        amount: z.string(),
        currency: z.string(),
        amount_usd: z.string(),
        network: z.string(),
        pay_to: z.string(),
      })
      .nullable(),
    is_maximum: z.boolean().meta({ description: "Whether the seller may charge less than the price." }),
    payment_id: z.string().nullable(),
    description: untrustedSchema(z.string()).nullable(),
    refusals: z.array(z.string()).meta({ description: "Why no offer can be paid." }),
  }),
  document: CheckPriceDocument,
  async call({ url, method = "GET", body }, { run, handles }) {
    const price = requireSuccess((await run({ url, method, body: body ?? null })).x402Requirements);
    const { chosen } = price;
    const { amount } = chosen ?? {};
    return {
      is_free: price.free,
      http_status: price.status,
      price: chosen &&
        amount && {
          amount: amount.amount,
          currency: amount.symbol,
          amount_usd: chosen.amountUsd,
          network: chosen.network,
          pay_to: chosen.payTo,
        },
      is_maximum: chosen?.scheme === "upto",
      payment_id: amount ? await handles.create(termsOf({ url, method, body }), BigInt(amount.atomic)) : null,
      description: chosen?.description ? untrusted(chosen.description) : null,
      refusals: chosen || price.free ? [] : price.offers.map(({ explanation }) => explanation),
    };
  },
});

export const fetchPaidUrl = defineTool({
  name: "fetch_paid_url",
  title: "Fetch paid URL",
  description:
    "Requests a URL and pays if it requires payment, within the limits. Pass the payment_id of check_price with the same url, method and body: repeated calls then pay once. Without it, pass max_usd, and an idempotency_key if you may retry.",
  group: "pay",
  effect: "spends",
  isIdempotent: false,
  isOpenWorld: true,
  input: z.strictObject({
    ...REQUEST,
    payment_id: z.string().max(200).optional(),
    max_usd: USD.optional().meta({ description: 'Maximum payment in US dollars, such as "0.50".' }),
    idempotency_key: PURCHASE_KEY.optional(),
    timeout_seconds: z
      .int()
      .min(1)
      .max(MAX_TIMEOUT_SECONDS)
      .optional()
      .meta({ description: `Default ${DEFAULT_TIMEOUT_SECONDS}.` }),
    cursor: z
      .string()
      .regex(/^\d{1,8}$/, "must be the next_cursor of the previous result")
      .optional()
      .meta({ description: "next_cursor of the previous result, with the same arguments." }),
  }),
  output: null,
  document: FetchPaidUrlDocument,
  async call(
    { url, method = "GET", body, timeout_seconds = DEFAULT_TIMEOUT_SECONDS, cursor, ...purchase },
    { run, handles },
  ) {
    const terms = await readPurchase(purchase, termsOf({ url, method, body }), handles, cursor !== undefined);
    const deadlineMs = performance.now() + timeout_seconds * 1_000;
    let relayed: RelayedResponse | undefined;
    const data = await run(
      {
        input: {
          url,
          method,
          timeoutMs: timeout_seconds * 1_000,
          maxValue: terms.maxValueAtomic,
          idempotencyKey: terms.idempotencyKey,
        },
      },
      {
        body: body === undefined ? null : { bytes: Buffer.from(JSON.stringify(body)), contentType: "application/json" },
        onBody(response) {
          relayed = response;
        },
      },
    );
    const { status, payment } = requireSuccess(
      data.x402Fetch,
      purchase.payment_id !== undefined
        ? { max_value_exceeded: "The price rose above that of the payment_id. Call check_price for a new one." }
        : cursor !== undefined && terms.idempotencyKey === null
          ? UNKEYED_PAGE
          : {},
    );
    if (!relayed) throw new Error("The operation succeeded without a response.");
    const type = readMediaType(relayed.headers["content-type"]);
    const page = await readPage(relayed, { offset: Number(cursor ?? 0), type, deadlineMs }, payment?.transactionId);
    const isStored = page.bodyBytes <= MAX_STORED_BYTES;
    const canRepeat = !payment || (terms.idempotencyKey !== null && isStored);
    return {
      http_status: status,
      content_type: type,
      payment: payment
        ? { id: payment.transactionId, amount: payment.amountPaidUsd, currency: "USD", network: payment.network }
        : null,
      content: untrusted(page.content),
      is_truncated: page.nextOffset !== null || page.isCutOff,
      next_cursor: page.nextOffset !== null && canRepeat ? String(page.nextOffset) : null,
      ...describePurchase({
        status,
        isPaid: payment !== null,
        hasKey: terms.idempotencyKey !== null,
        isStored,
        hasMore: page.nextOffset !== null,
        isCutOff: page.isCutOff,
      }),
    };
  },
});

/** Larger bodies are not stored for repeated calls (`src/payments/fetch-resource.ts`), so their next page would be another request. */
const MAX_STORED_BYTES = 256 * 1024;

/** A media type without its parameters, which may contain any text. */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/;

function readMediaType(header: string | string[] | undefined): string {
  const [essence = ""] = String(header ?? "").split(";");
  return MEDIA_TYPE.test(essence.trim()) ? essence.trim() : "";
}

/** Statuses below 500 after which a repeated request continues its payment (`src/payments/proxy/send-payment.ts`). */
const TEMPORARY_STATUSES = [402, 408, 425, 429];

interface Outcome {
  readonly status: number;
  readonly isPaid: boolean;
  readonly hasKey: boolean;
  readonly isStored: boolean;
  readonly hasMore: boolean;
  readonly isCutOff: boolean;
}

/** Returns the next step where the result alone would mislead: what a repeated call costs. */
function describePurchase(outcome: Outcome): { readonly note?: string } {
  const { status, isPaid, hasKey, isStored, hasMore, isCutOff } = outcome;
  if (isPaid && status >= 400) {
    const continues = hasKey || status >= 500 || TEMPORARY_STATUSES.includes(status);
    return {
      note: continues
        ? "A payment was sent, but the target failed. Repeat this call unchanged to continue it: it is not charged twice."
        : "A payment was sent, but the target refused the request. A repeated call is another purchase. Check get_transaction first.",
    };
  }
  if (isPaid && hasKey && hasMore && !isStored) {
    return { note: "The rest cannot be read: the body has more than 256 KiB, and is not stored." };
  }
  if (isCutOff) return { note: "The body is incomplete: only its first 4 MiB are read." };
  if (!isPaid || hasKey || !hasMore) return {};
  return {
    note: "The rest cannot be read without another payment. Next time pass a payment_id or an idempotency_key.",
  };
}

const MIN_BODY_TIMEOUT_MS = 1_000;

async function readPage(
  { body }: RelayedResponse,
  { offset, type, deadlineMs }: { offset: number; type: string; deadlineMs: number },
  paidTransactionId: string | undefined,
) {
  const timeoutMs = Math.max(MIN_BODY_TIMEOUT_MS, deadlineMs - performance.now());
  try {
    return await readBodyPage(body, { offset, type, timeoutMs });
  } catch {
    const message = "The target did not complete its response.";
    throw new ToolError({ code: "target_timeout", message, ...(paidTransactionId ? { paidTransactionId } : {}) });
  }
}

interface Purchase {
  readonly payment_id?: string | undefined;
  readonly max_usd?: string | undefined;
  readonly idempotency_key?: string | undefined;
}

/**
 * Returns the maximum and the key of a purchase.
 * @param isNextPage whether the client only continues to read; such a call without a key must not pay
 */
async function readPurchase(
  { payment_id: handle, max_usd: maxUsd, idempotency_key: key }: Purchase,
  terms: HandleTerms,
  handles: Handles,
  isNextPage: boolean,
): Promise<{ maxValueAtomic: string | null; idempotencyKey: string | null }> {
  const maxAtomic = maxUsd === undefined ? null : parseDecimal(maxUsd, USDC_DECIMALS, "max_usd");
  if (handle === undefined) {
    const capAtomic = isNextPage && key === undefined ? 0n : maxAtomic;
    return { maxValueAtomic: capAtomic?.toString() ?? null, idempotencyKey: key ?? null };
  }
  if (key !== undefined) throw invalid("idempotency_key", "must be absent with payment_id, which is the key");
  const { capAtomic, idempotencyKey } = await handles.open(handle, terms);
  if (maxAtomic !== null && capAtomic !== null && maxAtomic < capAtomic) {
    throw invalid("max_usd", `is below the price of the payment_id, ${formatDecimal(capAtomic, USDC_DECIMALS)} USD`);
  }
  return { maxValueAtomic: capAtomic?.toString() ?? null, idempotencyKey };
}

function invalid(field: string, problem: string): ToolError {
  return new ToolError({ code: "invalid_request", message: `${field} ${problem}.`, field });
}
