import { fetchResource } from "../../src/payments/fetch-resource.ts";
import { DEFAULT_TIMEOUT_MS } from "../../src/payments/proxy/check-input.ts";
import { withTransaction } from "../../src/payments/proxy/errors.ts";
import type { X402FetchResult } from "../../src/payments/proxy/ports.ts";
import { PurchaseTokenUsedError } from "../../src/wallet/reservation.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { TARGET_ERRORS } from "../errors.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { type FetchedBody, HeaderInput, HttpHeader, headersOf, NO_BODY, readFetchedBody } from "./fetched-body.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";
import { ProxyMethodEnum, SchemeEnum } from "./requirements.ts";

/** An answer whose headers came at the last moment may have paid for its body. */
const MIN_BODY_TIMEOUT_MS = 1_000;

const X402FetchInput = builder.inputType("X402FetchInput", {
  description: "The request to make, and to pay for if it asks for payment.",
  fields: (t) => ({
    url: t.field({ type: "Url", required: true, description: "The target." }),
    method: t.field({
      type: ProxyMethodEnum,
      required: true,
      defaultValue: "GET",
      description: "The method used toward it.",
    }),
    maxValue: t.field({
      type: "AtomicAmount",
      description: "The most to pay, in the asset's smallest unit; default: the caller's limits alone decide.",
    }),
    timeout: t.int({
      required: true,
      defaultValue: DEFAULT_TIMEOUT_MS,
      description: "How long the target may take, in milliseconds; at most 120000.",
    }),
    body: t.field({ type: "JSON", description: "Sent to the target as JSON." }),
    headers: t.field({
      type: [HeaderInput],
      description: "Headers for the target; credentials of this service are never sent.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const X402Payment = builder.objectRef<NonNullable<X402FetchResult["payment"]>>("X402Payment").implement({
  description: "The payment made for a resource.",
  fields: (t) => ({
    transactionId: t.exposeString("transactionId", { description: "The ledger's id of the payment." }),
    transaction: t.prismaField({
      type: TransactionNode,
      description: "The payment in the ledger.",
      resolve: (query, { transactionId }, _args, { deps }) =>
        deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id: transactionId } }),
    }),
    amountPaidUsd: t.exposeString("amountPaidUsd", { description: "US dollars; for upto the most it can become." }),
    network: t.expose("network", { type: "NetworkName", description: "The network it was paid on." }),
    scheme: t.field({
      type: SchemeEnum,
      description: "How it was authorized.",
      resolve: ({ scheme }) => scheme as "exact",
    }),
  }),
});

type Fetched = Omit<X402FetchResult, "body"> & { readonly body: FetchedBody };

const X402FetchSuccess = builder.objectRef<Fetched>("X402FetchSuccess").implement({
  description: "The target's final answer, whatever its status.",
  fields: (t) => ({
    status: t.exposeInt("status", { description: "Its HTTP status." }),
    url: t.expose("url", { type: "Url", description: "The address that answered, after redirects." }),
    headers: t.field({
      type: [HttpHeader],
      description: "Its headers, hop-by-hop ones and cookies aside.",
      resolve: ({ headers }) => headersOf(headers),
    }),
    text: t.string({
      nullable: true,
      description: "Its body as text; null when it is not UTF-8.",
      resolve: ({ body }) => body.text(),
    }),
    json: t.field({
      type: "JSON",
      nullable: true,
      description: "Its body as JSON; null when it is none.",
      resolve: ({ body }) => body.json(),
    }),
    base64: t.string({
      description: "Its body's bytes in base64.",
      resolve: ({ body }) => body.bytes.toString("base64"),
    }),
    isTruncated: t.boolean({
      description:
        "The body was longer than 4 MiB and the rest is not here; the REST proxy streams bodies of any length.",
      resolve: ({ body }) => body.isTruncated,
    }),
    payment: t.expose("payment", {
      type: X402Payment,
      nullable: true,
      description: "The payment made; null when the resource was free.",
    }),
  }),
});

builder.mutationField("x402Fetch", (t) =>
  t.field({
    type: X402FetchSuccess,
    complexity: 100,
    authScopes: { payer: true },
    extensions: { movesMoney: true },
    description: "Calls an address and, if it asks for payment, pays within every limit and calls it again.",
    errors: {
      types: [...PAYMENT_ERRORS, ...TARGET_ERRORS, PurchaseTokenUsedError],
      union: { name: "X402FetchResult", description: "The target's answer, or why there is none." },
    },
    args: { input: t.arg({ type: X402FetchInput, required: true, description: "The request." }) },
    resolve: async (_root, { input }, context) => {
      const { deps, viewer, exchange } = context;
      const deadlineMs = performance.now() + input.timeout;
      const fetched = await fetchResource(deps, viewer, {
        url: input.url,
        method: input.method,
        maxValueAtomic: input.maxValue ?? null,
        timeoutMs: input.timeout,
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

function fromExchange({ headers, body, signal }: NonNullable<Context["exchange"]>) {
  return { headers, body, signal };
}

function fromInput({ body, headers }: typeof X402FetchInput.$inferInput) {
  const bytes = body === undefined || body === null ? null : Buffer.from(JSON.stringify(body));
  return {
    headers: Object.fromEntries((headers ?? []).map(({ name, value }) => [name.toLowerCase(), value])),
    body: bytes && { bytes, contentType: "application/json" },
  };
}
