import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { sendTokens } from "../../src/payments/send-tokens.ts";
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { TRANSFER_ERRORS } from "./payment-errors.ts";

const SendTokensInput = builder.inputType("SendTokensInput", {
  description: "What to send, and where to.",
  fields: (t) => ({
    network: t.field({ type: "NetworkName", required: true, description: "The network." }),
    to: t.string({ required: true, description: "The recipient's address on that network." }),
    amount: t.string({ required: true, description: 'How much USDC, as a decimal: `"12.5"`.' }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const SendTokensSuccess = builder.objectRef<{ id: string }>("SendTokensSuccess").implement({
  description: "The transfer was handed to the network.",
  fields: (t) => ({
    transaction: t.prismaField({
      type: TransactionNode,
      description: "The transfer in the ledger.",
      resolve: (query, { id }, _args, { deps }) =>
        deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField("sendTokens", (t) =>
  t.field({
    type: SendTokensSuccess,
    complexity: 50,
    extensions: { movesMoney: true },
    description:
      "Sends USDC from the wallet to an address, within every limit. Needs the scope `account:manage`, and of a session a proof of identity in the last 10 minutes.",
    errors: {
      types: [...TRANSFER_ERRORS, ReauthenticationRequiredError],
      union: { name: "SendTokensResult", description: "The transfer, or why nothing was sent." },
    },
    args: { input: t.arg({ type: SendTokensInput, required: true, description: "The transfer." }) },
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
