import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { sendTokens } from "../../src/payments/send-tokens.ts";
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { PAYING_VIEWER, PAYING_WALLET } from "../wallet/payer-fields.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { TRANSFER_ERRORS } from "./payment-errors.ts";

const SendTokensInput = builder.inputType("SendTokensInput", {
  description: "Input of `sendTokens`.",
  fields: (t) => ({
    network: t.field({ type: "NetworkName", required: true, description: "The network of the transfer." }),
    to: t.string({ required: true, description: "The address of the recipient on the network." }),
    amount: t.field({
      type: "Decimal",
      required: true,
      description: 'The amount in USDC, for example `"12.5"`. More than 0 and at most 1,000,000,000.',
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const SendTokensSuccess = builder.objectRef<{ id: string }>("SendTokensSuccess").implement({
  description: "The transfer was signed and is sent to the network.",
  fields: (t) => ({
    transaction: t.prismaField({
      type: TransactionNode,
      description: "The transfer in the ledger.",
      resolve: (query, { id }, _args, { deps }) =>
        deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    wallet: t.field(PAYING_WALLET),
    viewer: t.field(PAYING_VIEWER),
  }),
});

builder.mutationField("sendTokens", (t) =>
  t.field({
    type: SendTokensSuccess,
    complexity: 50,
    extensions: { movesMoney: true },
    description:
      "Sends USDC from the wallet to an address, within all limits. Requires the scope `account:manage`. A session must have a sign-in in the last 10 minutes.",
    errors: {
      types: [...TRANSFER_ERRORS, ReauthenticationRequiredError],
      union: { name: "SendTokensResult", description: "The transfer, or the error." },
    },
    args: { input: t.arg({ type: SendTokensInput, required: true, description: "The transfer to make." }) },
    resolve: (_root, { input }, context) => {
      const { network, to, amount } = input;
      return sendTokens(context.deps, context.viewer, {
        network,
        to,
        amount,
        idempotencyKey: idempotencyKeyOf(input, context),
      });
    },
  }),
);
