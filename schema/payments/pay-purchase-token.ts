import {
  type MerchantResponse,
  type PaidPurchase,
  payPurchaseToken,
  textOf,
} from "../../src/payments/purchase-tokens/pay-now.ts";
import { PurchaseTokenUsedError } from "../../src/wallet/reservation.ts";
import { builder } from "../builder.ts";
import { TARGET_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { PAYING_VIEWER, PAYING_WALLET } from "../wallet/payer-fields.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";
import { CreatePurchaseTokenInput, PurchaseTokenNode } from "./purchase-tokens.ts";

const PurchaseTokenChoice = builder.inputType("PurchaseTokenChoice", {
  description: "An existing purchase token, or the terms of a new one.",
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "The id of an existing purchase token.", validate: idOf("PurchaseToken") }),
    terms: t.field({ type: CreatePurchaseTokenInput, description: "The terms of a new purchase token." }),
  }),
});

const PayPurchaseTokenInput = builder.inputType("PayPurchaseTokenInput", {
  description: "Input of `payPurchaseToken`.",
  fields: (t) => ({
    purchaseToken: t.field({
      type: PurchaseTokenChoice,
      required: true,
      description: "The purchase token to pay with. Its merchant URL is requested with GET.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const MerchantResponseType = builder.objectRef<MerchantResponse>("PurchaseAnswer").implement({
  description: "The merchant's response.",
  fields: (t) => ({
    status: t.exposeInt("status", { description: "The HTTP status code." }),
    contentType: t.exposeString("contentType", {
      nullable: true,
      description: "The content type, or null if the response has none.",
    }),
    text: t.string({
      nullable: true,
      description: "The first 64 KiB of the body as text, or null if it is not UTF-8.",
      resolve: textOf,
    }),
    isTruncated: t.exposeBoolean("isTruncated", { description: "Whether the body is longer than `text`." }),
  }),
});

const PayPurchaseTokenSuccess = builder.objectRef<PaidPurchase>("PayPurchaseTokenSuccess").implement({
  description: "The merchant responded, and was paid if it required payment.",
  fields: (t) => ({
    transaction: t.prismaField({
      type: TransactionNode,
      nullable: true,
      description: "The payment in the ledger, or null if the merchant required none.",
      resolve: (query, { transactionId }, _args, { deps }) =>
        transactionId === null
          ? null
          : deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id: transactionId } }),
    }),
    purchaseToken: t.prismaField({
      type: PurchaseTokenNode,
      description: "The purchase token used for the payment.",
      resolve: (query, { purchaseTokenId }, _args, { deps }) =>
        deps.db.prisma.purchaseToken.findUniqueOrThrow({ ...query, where: { id: purchaseTokenId } }),
    }),
    answer: t.expose("answer", { type: MerchantResponseType, description: "The merchant's response." }),
    wallet: t.field(PAYING_WALLET),
    viewer: t.field(PAYING_VIEWER),
  }),
});

builder.mutationField("payPurchaseToken", (t) =>
  t.field({
    type: PayPurchaseTokenSuccess,
    complexity: 100,
    extensions: { movesMoney: true },
    description:
      "Pays a merchant with an existing purchase token, or with one created for the payment. Requires the scope `account:manage`.",
    errors: {
      types: [...PAYMENT_ERRORS, ...TARGET_ERRORS, PurchaseTokenUsedError],
      union: {
        name: "PayPurchaseTokenResult",
        description: "The payment and the merchant's response, or the error.",
      },
    },
    args: { input: t.arg({ type: PayPurchaseTokenInput, required: true, description: "The purchase to pay." }) },
    resolve: (_root, { input }, context) => {
      const idempotencyKey = idempotencyKeyOf(input, context);
      const { id, terms } = input.purchaseToken;
      if (terms) {
        const { merchantUrl, network, maxAmountUsd: maxMicroUsd } = terms;
        const purchase = { merchantUrl, network, maxMicroUsd };
        return payPurchaseToken(context.deps, context.viewer, { idempotencyKey, tokenId: null, purchase });
      }
      return payPurchaseToken(context.deps, context.viewer, { idempotencyKey, tokenId: id ?? "", purchase: null });
    },
  }),
);
