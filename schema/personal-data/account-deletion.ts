/** Deletion of the account: request, state, cancellation. */
import type { AccountDeletion } from "../../generated/prisma/client.ts";
import { ReauthenticationRequiredError, requireSession } from "../../src/accounts/recent-proof.ts";
import type { WalletBalance } from "../../src/personal-data/deletion/balances.ts";
import {
  BalancesRemainError,
  cancelDeletion,
  DeletionRequestedError,
  requestDeletion,
} from "../../src/personal-data/deletion/request-deletion.ts";
import { ChainUnavailableError } from "../../src/wallet/chain.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { createErrorOptions, INPUT_ERRORS } from "../errors.ts";
import { StorableText } from "../text.ts";
import { wireEnum } from "../wire-enum.ts";

const AccountDeletionStatus = wireEnum("AccountDeletionStatus", "The status of an account's deletion.", {
  scheduled: "The account is deleted at `dueAt`, and the deletion can be cancelled.",
  running: "The account is being deleted.",
  completed: "The account was deleted.",
  cancelled: "The deletion was cancelled.",
});
type Status = "scheduled" | "running" | "completed" | "cancelled";

const AccountDeletionType = builder.prismaObject("AccountDeletion", {
  description: "The deletion of the account.",
  fields: (t) => ({
    status: t.field({
      type: AccountDeletionStatus,
      description: "The status of the deletion.",
      resolve: ({ status }) => status as Status,
    }),
    waitingFor: t.exposeString("waitingFor", {
      nullable: true,
      description: "What the deletion waits for, such as `payments, orders`. Null if it does not wait.",
    }),
    dueAt: t.expose("dueAt", { type: "DateTime", description: "Timestamp when the deletion starts." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the deletion was requested." }),
  }),
});

builder.objectFields(ViewerType, (t) => ({
  accountDeletion: t.prismaField({
    type: AccountDeletionType,
    nullable: true,
    description: "The scheduled deletion of the account. Null if none is scheduled. Requires a session.",
    resolve: (query, viewer, _args, { deps }) => {
      const { accountId } = requireSession(viewer);
      return deps.db.prisma.accountDeletion.findFirst({ ...query, where: { accountId, cancelledAt: null } });
    },
  }),
}));

builder.objectType(BalancesRemainError, {
  name: "BalancesRemainError",
  ...createErrorOptions("The wallet has balances that the request does not give up. The deletion was not requested."),
  fields: (t) => ({
    balances: t.field({
      type: [TokenAmountType],
      description: "The balances that exceed the acknowledged amounts.",
      resolve: ({ balances }): WalletBalance[] => [...balances],
    }),
  }),
});

builder.objectType(DeletionRequestedError, {
  name: "DeletionRequestedError",
  ...createErrorOptions("The deletion of the account was requested before. Nothing was changed."),
});

const AcknowledgedBalanceInput = builder.inputType("AcknowledgedBalanceInput", {
  description: "A balance that the account owner gives up.",
  fields: (t) => ({
    network: t.field({ type: "NetworkName", required: true, description: "The network of the balance." }),
    asset: t.string({
      required: true,
      validate: StorableText,
      description: "The token's address as in `BalancesRemainError`, or `native`.",
    }),
    amountAtomic: t.field({
      type: "AtomicAmount",
      required: true,
      description: "The maximum amount that is given up, in the asset's smallest unit.",
    }),
  }),
});

const RequestAccountDeletionInput = builder.inputType("RequestAccountDeletionInput", {
  description: "The deletion of the account.",
  fields: (t) => ({
    acknowledgedBalances: t.field({
      type: [AcknowledgedBalanceInput],
      required: true,
      description: "Every balance of the wallet above zero, to be given up. Empty for an empty wallet.",
    }),
  }),
});

const RequestAccountDeletionSuccess = builder
  .objectRef<{ readonly accountDeletion: AccountDeletion }>("RequestAccountDeletionSuccess")
  .implement({
    description: "The deletion was scheduled.",
    fields: (t) => ({
      accountDeletion: t.expose("accountDeletion", {
        type: AccountDeletionType,
        description: "The scheduled deletion.",
      }),
    }),
  });

builder.mutationField("requestAccountDeletion", (t) =>
  t.field({
    type: RequestAccountDeletionSuccess,
    description:
      "Schedules the deletion of the account, which makes no new payments from now on. Requires a session with a sign-in in the last 10 minutes.",
    errors: {
      types: [
        ...INPUT_ERRORS,
        ReauthenticationRequiredError,
        BalancesRemainError,
        DeletionRequestedError,
        ChainUnavailableError,
      ],
      union: { name: "RequestAccountDeletionResult", description: "The scheduled deletion or an error." },
    },
    args: {
      input: t.arg({ type: RequestAccountDeletionInput, required: true, description: "The balances to give up." }),
    },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const acknowledged = input.acknowledgedBalances.map(({ network, asset, amountAtomic }) => ({
        network: String(network),
        asset,
        amountAtomic: String(amountAtomic),
      }));
      return { accountDeletion: await requestDeletion(deps, viewer, { acknowledged }) };
    },
  }),
);

const CancelAccountDeletionSuccess = builder
  .objectRef<{ readonly accountDeletion: AccountDeletion }>("CancelAccountDeletionSuccess")
  .implement({
    description: "The deletion was cancelled.",
    fields: (t) => ({
      accountDeletion: t.expose("accountDeletion", {
        type: AccountDeletionType,
        description: "The cancelled deletion.",
      }),
    }),
  });

builder.mutationField("cancelAccountDeletion", (t) =>
  t.field({
    type: CancelAccountDeletionSuccess,
    description: "Cancels the scheduled deletion of the account before it starts. Requires a session.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "CancelAccountDeletionResult", description: "The cancelled deletion or an error." },
    },
    resolve: async (_root, _args, { deps, viewer }) => ({ accountDeletion: await cancelDeletion(deps, viewer) }),
  }),
);
