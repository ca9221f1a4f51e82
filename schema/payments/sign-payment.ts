import { signPayment } from "../../src/payments/sign-payment.ts";
import type { SignedPayment } from "../../src/payments/signed-payment.ts";
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";
import { SchemeEnum } from "./requirements.ts";

const RequestDataInput = builder.inputType("RequestDataInput", {
  description: "The request that the payment is for.",
  fields: (t) => ({
    url: t.field({ type: "Url", required: true, description: "Its address." }),
    method: t.string({ description: "Its method; default `GET`." }),
  }),
});

const SignPaymentInput = builder.inputType("SignPaymentInput", {
  description: "What to pay for.",
  fields: (t) => ({
    paymentRequirements: t.field({
      type: "JSON",
      required: true,
      description: "The body of a 402 answer as it is, its `accepts`, or one entry of it; X402 version 1 or 2.",
    }),
    requestData: t.field({ type: RequestDataInput, required: true, description: "The request it is for." }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const SignPaymentSuccess = builder.objectRef<SignedPayment>("SignPaymentSuccess").implement({
  description: "A signed payment, to be attached to the request. Sending it twice pays once.",
  fields: (t) => ({
    transactionId: t.exposeString("transactionId", { description: "The ledger's id of the payment." }),
    transaction: t.prismaField({
      type: TransactionNode,
      description: "The payment in the ledger.",
      resolve: (query, { transactionId }, _args, { deps }) =>
        deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id: transactionId } }),
    }),
    headerName: t.string({
      description: "The header to send it in: `X-PAYMENT`, or `PAYMENT-SIGNATURE` for version 2.",
      resolve: ({ encoded }) => encoded.headerName,
    }),
    paymentHeader: t.string({
      description: "The header's value: base64 of the proof.",
      resolve: ({ encoded }) => encoded.header,
    }),
    paymentProof: t.field({
      type: "JSON",
      description: "The proof decoded, for inspection.",
      resolve: ({ encoded }) => encoded.proof,
    }),
    amountPaidUsd: t.expose("amountMicroUsd", {
      type: "Usd",
      description: "The price; for upto the most it can become.",
    }),
    amountAtomic: t.expose("amountAtomic", {
      type: "AtomicAmount",
      description: "The same in the asset's smallest unit.",
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network it is paid on." }),
    userWallet: t.exposeString("userWallet", { description: "The account's address there." }),
    signingWallet: t.exposeString("signingWallet", {
      description: "The address that pays: another one when credit pays.",
    }),
    scheme: t.field({
      type: SchemeEnum,
      description: "How it is authorized.",
      resolve: ({ scheme }) => scheme as "exact",
    }),
    paidFromCredit: t.exposeBoolean("paidFromCredit", { description: "Whether free credit pays." }),
  }),
});

builder.mutationField("signPayment", (t) =>
  t.field({
    type: SignPaymentSuccess,
    complexity: 50,
    extensions: { movesMoney: true },
    description: "Signs an X402 payment within every limit, for the caller to attach to its own request.",
    errors: {
      types: PAYMENT_ERRORS,
      union: { name: "SignPaymentResult", description: "The signed payment, or why nothing was signed." },
    },
    args: { input: t.arg({ type: SignPaymentInput, required: true, description: "What to pay for." }) },
    resolve: (_root, { input }, context) =>
      signPayment(context.deps, context.viewer, {
        paymentRequirements: input.paymentRequirements,
        requestData: { url: input.requestData.url, method: input.requestData.method ?? null },
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
  }),
);
