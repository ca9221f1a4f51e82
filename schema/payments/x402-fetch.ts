import { fetchResource } from "../../src/payments/fetch-resource.ts";
import { DEFAULT_TIMEOUT_MS } from "../../src/payments/proxy/check-input.ts";
import { withTransaction } from "../../src/payments/proxy/errors.ts";
import type { X402FetchResult } from "../../src/payments/proxy/ports.ts";
import { parseUsd } from "../../src/platform/money.ts";
import { PurchaseTokenUsedError } from "../../src/wallet/reservation.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { TARGET_ERRORS } from "../errors.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { PAYING_VIEWER, PAYING_WALLET } from "../wallet/payer-fields.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { type FetchedBody, HeaderInput, HttpHeader, listHeaders, NO_BODY, readFetchedBody } from "./fetched-body.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";
import { ProxyMethodEnum, SchemeEnum } from "./requirements.ts";

/** Minimum time for the body, because a response whose headers arrive just before the deadline may have been paid for. */
const MIN_BODY_TIMEOUT_MS = 1_000;

const X402FetchInput = builder.inputType("X402FetchInput", {
  description: "Input of `x402Fetch`.",
  fields: (t) => ({
    url: t.field({ type: "Url", required: true, description: "The URL of the target." }),
    method: t.field({
      type: ProxyMethodEnum,
      required: true,
      defaultValue: "GET",
      description: "The HTTP method of the request; default `GET`.",
    }),
    maxValue: t.field({
      type: "AtomicAmount",
      description: "The maximum price in the asset's smallest unit. By default only the caller's limits apply.",
    }),
    timeoutMs: t.int({
      required: true,
      defaultValue: DEFAULT_TIMEOUT_MS,
      description: "The time limit for the target, at most 120000; default 30000.",
    }),
    body: t.field({ type: "JSON", description: "The request body, sent to the target as JSON." }),
    headers: t.field({
      type: [HeaderInput],
      description: "Headers to send to the target. Satchel credentials are never forwarded.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

export const X402Payment = builder.objectRef<NonNullable<X402FetchResult["payment"]>>("X402Payment").implement({
  description: "The payment made for a resource.",
  fields: (t) => ({
    transactionId: t.exposeID("transactionId", { description: "The payment's own id, available without a look-up." }),
    transaction: t.prismaField({
      type: TransactionNode,
      description: "The payment in the ledger.",
      resolve: (query, { transactionId }, _args, { deps }) =>
        deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id: transactionId } }),
    }),
    amountPaidUsd: t.field({
      type: "Usd",
      description: "The price in US dollars; the cap for upto.",
      resolve: ({ amountPaidUsd }) => parseUsd(amountPaidUsd, "amountPaidUsd"),
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network of the payment." }),
    scheme: t.field({
      type: SchemeEnum,
      description: "The payment scheme.",
      resolve: ({ scheme }) => scheme as "exact",
    }),
  }),
});

type Fetched = Omit<X402FetchResult, "body"> & { readonly body: FetchedBody };

const X402FetchSuccess = builder.objectRef<Fetched>("X402FetchSuccess").implement({
  description: "The final response of the target, regardless of its status.",
  fields: (t) => ({
    status: t.exposeInt("status", { description: "The HTTP status code." }),
    url: t.expose("url", { type: "Url", description: "The URL of the response, after redirects." }),
    headers: t.field({
      type: [HttpHeader],
      description: "The response headers, without hop-by-hop headers and cookies.",
      resolve: ({ headers }) => listHeaders(headers),
    }),
    text: t.string({
      nullable: true,
      description: "The body as text, or null if it is not UTF-8.",
      resolve: ({ body }) => body.text(),
    }),
    json: t.field({
      type: "JSON",
      nullable: true,
      description: "The body as JSON, or null if it is not valid JSON.",
      resolve: ({ body }) => body.json(),
    }),
    base64: t.string({
      description: "The bytes of the body in base64.",
      resolve: ({ body }) => body.bytes.toString("base64"),
    }),
    isTruncated: t.boolean({
      description:
        "Whether the body was longer than 4 MiB and was truncated. The REST proxy streams bodies of any length.",
      resolve: ({ body }) => body.isTruncated,
    }),
    payment: t.expose("payment", {
      type: X402Payment,
      nullable: true,
      description: "The payment made, or null if the resource was free.",
    }),
    wallet: t.field(PAYING_WALLET),
    viewer: t.field(PAYING_VIEWER),
  }),
});

builder.mutationField("x402Fetch", (t) =>
  t.field({
    type: X402FetchSuccess,
    complexity: 100,
    authScopes: { payer: true },
    extensions: { movesMoney: true },
    description: "Requests a URL. If it responds with 402, Satchel pays within all limits and repeats the request.",
    errors: {
      types: [...PAYMENT_ERRORS, ...TARGET_ERRORS, PurchaseTokenUsedError],
      union: { name: "X402FetchResult", description: "The response of the target, or the error." },
    },
    args: { input: t.arg({ type: X402FetchInput, required: true, description: "The request to make." }) },
    resolve: async (_root, { input }, context) => {
      const { deps, viewer, exchange } = context;
      const deadlineMs = performance.now() + input.timeoutMs;
      const fetched = await fetchResource(deps, viewer, {
        url: input.url,
        method: input.method,
        maxValueAtomic: input.maxValue ?? null,
        timeoutMs: input.timeoutMs,
        ...(exchange ? fromExchange(exchange) : { ...fromInput(input), signal: context.disconnected?.() }),
        idempotencyKey: idempotencyKeyOf(input, context),
      });
      if (exchange) {
        exchange.onBody(fetched);
        return { ...fetched, body: NO_BODY };
      }
      try {
        const timeoutMs = Math.max(MIN_BODY_TIMEOUT_MS, deadlineMs - performance.now());
        return { ...fetched, body: await readFetchedBody(fetched.body, timeoutMs) };
      } catch (error) {
        throw fetched.payment ? withTransaction(error as Error, fetched.payment.transactionId) : error;
      }
    },
  }),
);

function fromExchange({ headers, body, signal, delivered, isExclusive }: NonNullable<Context["exchange"]>) {
  return { headers, body, signal, delivered, isExclusive };
}

function fromInput({ body, headers }: typeof X402FetchInput.$inferInput) {
  const bytes = body === undefined || body === null ? null : Buffer.from(JSON.stringify(body));
  return {
    headers: Object.fromEntries((headers ?? []).map(({ name, value }) => [name.toLowerCase(), value])),
    body: bytes && { bytes, contentType: "application/json" },
  };
}
