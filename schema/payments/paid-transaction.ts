/** Link of errors to the payment that was sent before the failure. */
import { ProviderFailedError, ProviderRefusedError } from "../../src/gateway/errors.ts";
import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
} from "../../src/platform/egress/errors.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";
import { TransactionNode } from "../wallet/transactions.ts";

const ERRORS = [
  TargetUnreachableError,
  TargetTimeoutError,
  TargetResponseInvalidError,
  ProviderFailedError,
  ProviderRefusedError,
];

for (const error of ERRORS) {
  builder.objectField(error, "paidTransaction", (t) =>
    t.prismaField({
      type: TransactionNode,
      nullable: true,
      description: "The payment sent before the failure. Null if nothing was paid.",
      resolve: (query, failed: object, _args, context) =>
        "transactionId" in failed && typeof failed.transactionId === "string"
          ? context.deps.db.prisma.transaction.findUnique({
              ...query,
              where: {
                id: failed.transactionId,
                accountId: requireScopedAccountId(context, "transactions:read"),
              },
            })
          : null,
    }),
  );
}
