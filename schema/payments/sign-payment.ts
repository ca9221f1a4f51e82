import { SIGNABLE_METHODS, signPayment } from "../../src/payments/sign-payment.ts";
import type { SignedPayment } from "../../src/payments/signed-payment.ts";
import { decodePayment } from "../../src/payments/x402/payload.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { PAYING_VIEWER, PAYING_WALLET } from "../wallet/payer-fields.ts";
import { toUsdcAmount } from "../wallet/token-amounts.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";
import { SchemeEnum } from "./requirements.ts";

const RequestMethodEnum = builder.enumType("RequestMethod", {
  description: "The HTTP method of a request that the caller sends itself.",
  values: Object.fromEntries(SIGNABLE_METHODS.map((method) => [method, { description: `HTTP ${method}.` }])) as Record<
    (typeof SIGNABLE_METHODS)[number],
    { description: string }
  >,
});

const RequestDataInput = builder.inputType("RequestDataInput", {
  description: "The request that the payment is for.",
  fields: (t) => ({
    url: t.field({ type: "Url", required: true, description: "The URL of the request." }),
    method: t.field({
      type: RequestMethodEnum,
      required: true,
      defaultValue: "GET",
      description: "The HTTP method of the request; default `GET`.",
    }),
  }),
});

const SignPaymentInput = builder.inputType("SignPaymentInput", {
  description: "Input of `signPayment`.",
  fields: (t) => ({
    paymentRequirements: t.field({
      type: "JSON",
      required: true,
      description:
        "The unchanged body of a 402 response, its `accepts`, or one entry of `accepts`; X402 version 1 or 2.",
    }),
    requestData: t.field({
      type: RequestDataInput,
      required: true,
      description: "The request that the payment is for.",
    }),
    maxValue: t.field({
      type: "AtomicAmount",
      description: "The maximum price in the asset's smallest unit. By default only the caller's limits apply.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const SignPaymentSuccess = builder.objectRef<SignedPayment>("SignPaymentSuccess").implement({
  description: "A signed payment to attach to the request. A seller can settle it once, also if it is sent twice.",
  fields: (t) => ({
    transactionId: t.exposeID("transactionId", { description: "The payment's own id, available without a look-up." }),
    transaction: t.prismaField({
      type: TransactionNode,
      description: "The payment in the ledger.",
      resolve: (query, { transactionId }, _args, { deps }) =>
        deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id: transactionId } }),
    }),
    headerName: t.string({
      description: "The name of the header to send: `X-PAYMENT` for X402 version 1, `PAYMENT-SIGNATURE` for version 2.",
      resolve: ({ encoded }) => encoded.headerName,
    }),
    paymentHeader: t.string({
      description: "The value of the header: `paymentProof` as base64-encoded JSON.",
      resolve: ({ encoded }) => encoded.header,
    }),
    paymentProof: t.field({
      type: "JSON",
      description: "The decoded value of the header, for inspection.",
      resolve: ({ encoded }) => decodePayment(encoded),
    }),
    amountPaidUsd: t.expose("amountMicroUsd", {
      type: "Usd",
      description: "The price in US dollars; the cap for upto.",
    }),
    amount: t.field({
      type: TokenAmountType,
      description: "The price; the cap for upto.",
      resolve: ({ network, amountAtomic }) => toUsdcAmount(network, amountAtomic),
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network of the payment." }),
    userWallet: t.exposeString("userWallet", { description: "The account's address on the network." }),
    signingWallet: t.exposeString("signingWallet", {
      description: "The address that pays. It differs from `userWallet` if the payment is made from free credit.",
    }),
    scheme: t.field({
      type: SchemeEnum,
      description: "The payment scheme.",
      resolve: ({ scheme }) => scheme as "exact",
    }),
    paidFromCredit: t.exposeBoolean("paidFromCredit", { description: "Whether the payment is made from free credit." }),
    wallet: t.field(PAYING_WALLET),
    viewer: t.field(PAYING_VIEWER),
  }),
});

builder.mutationField("signPayment", (t) =>
  t.field({
    type: SignPaymentSuccess,
    complexity: 50,
    extensions: { movesMoney: true },
    description:
      "Signs an X402 payment, within all limits, for the caller to attach to its own request. Two calls without an idempotency key are two payments.",
    errors: {
      types: PAYMENT_ERRORS,
      union: { name: "SignPaymentResult", description: "The signed payment, or the error." },
    },
    args: { input: t.arg({ type: SignPaymentInput, required: true, description: "The payment to sign." }) },
    resolve: (_root, { input }, context) =>
      signPayment(context.deps, context.viewer, {
        paymentRequirements: input.paymentRequirements,
        requestData: input.requestData,
        maxValueAtomic: input.maxValue ?? null,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
  }),
);
