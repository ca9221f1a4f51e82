import {
  type PaidPurchase,
  type PurchaseAnswer,
  payPurchaseToken,
  textOf,
} from "../../src/payments/purchase-tokens/pay-now.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { PurchaseTokenUsedError } from "../../src/wallet/reservation.ts";
import { builder } from "../builder.ts";
import { TARGET_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";
import { PurchaseTokenNode } from "./purchase-tokens.ts";

const PayPurchaseTokenInput = builder.inputType("PayPurchaseTokenInput", {
  description: "What to pay: a purchase token by its id, or else all that a new one needs.",
  fields: (t) => ({
    id: t.globalID({ description: "The global id of a purchase token that is there already." }),
    merchantUrl: t.field({ type: "Url", description: "The merchant's full address, which is called with GET." }),
    network: t.field({ type: "NetworkName", description: "The network to pay on." }),
    maxAmountUsd: t.field({ type: "Usd", description: "The most the payment may cost." }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const PurchaseAnswerType = builder.objectRef<PurchaseAnswer>("PurchaseAnswer").implement({
  description: "What the merchant answered.",
  fields: (t) => ({
    status: t.exposeInt("status", { description: "Its HTTP status." }),
    contentType: t.exposeString("contentType", { nullable: true, description: "Its content type; null without one." }),
    text: t.string({
      nullable: true,
      description: "The first 64 KiB of its body as text; null when it is not UTF-8.",
      resolve: textOf,
    }),
    isTruncated: t.exposeBoolean("isTruncated", { description: "Whether the body goes on after `text`." }),
  }),
});

const PayPurchaseTokenSuccess = builder.objectRef<PaidPurchase>("PayPurchaseTokenSuccess").implement({
  description: "The merchant was called, and paid if it asked for payment.",
  fields: (t) => ({
    transaction: t.prismaField({
      type: TransactionNode,
      nullable: true,
      description: "The payment in the ledger; null when the merchant asked for nothing.",
      resolve: (query, { transactionId }, _args, { deps }) =>
        transactionId === null
          ? null
          : deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id: transactionId } }),
    }),
    purchaseToken: t.prismaField({
      type: PurchaseTokenNode,
      description: "The purchase token that paid.",
      resolve: (query, { purchaseTokenId }, _args, { deps }) =>
        deps.db.prisma.purchaseToken.findUniqueOrThrow({ ...query, where: { id: purchaseTokenId } }),
    }),
    answer: t.expose("answer", { type: PurchaseAnswerType, description: "What the merchant answered." }),
  }),
});

builder.mutationField("payPurchaseToken", (t) =>
  t.field({
    type: PayPurchaseTokenSuccess,
    complexity: 100,
    extensions: { movesMoney: true },
    description:
      "Makes a purchase token and pays with it at once, or pays with one that is there. Needs the scope `account:manage`.",
    errors: {
      types: [...PAYMENT_ERRORS, ...TARGET_ERRORS, PurchaseTokenUsedError],
      union: {
        name: "PayPurchaseTokenResult",
        description: "The payment and the merchant's answer, or why there is none.",
      },
    },
    args: { input: t.arg({ type: PayPurchaseTokenInput, required: true, description: "What to pay." }) },
    resolve: (_root, { input }, context) => {
      const idempotencyKey = idempotencyKeyOf(input, context);
      return payPurchaseToken(context.deps, context.viewer, { idempotencyKey, ...purchaseIn(input) });
    },
  }),
);

function purchaseIn({ id, merchantUrl, network, maxAmountUsd }: typeof PayPurchaseTokenInput.$inferInput) {
  if (!id) {
    if (!merchantUrl) throw missing("merchantUrl");
    if (!network) throw missing("network");
    if (maxAmountUsd === null || maxAmountUsd === undefined) throw missing("maxAmountUsd");
    return { tokenId: null, purchase: { merchantUrl, network, maxMicroUsd: maxAmountUsd } };
  }
  const tokenId = idOf("PurchaseToken", id);
  const given = Object.entries({ merchantUrl, network, maxAmountUsd }).find(
    ([, value]) => value !== null && value !== undefined,
  );
  if (given)
    throw new InvalidRequestError(`${given[0]} is the purchase token's own; leave it out beside id.`, given[0]);
  return { tokenId, purchase: null };
}

function missing(field: string): InvalidRequestError {
  return new InvalidRequestError(`${field} is missing; without id it is needed.`, field);
}
