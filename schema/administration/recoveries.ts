/** Recovery of accounts whose owner lost the mailbox. */
import type { AccountRecovery } from "../../generated/prisma/client.ts";
import {
  cancelRecovery,
  confirmRecovery,
  type RECOVERY_OUTCOMES,
  RecoveryEndedError,
  RecoveryPendingError,
  resendRecovery,
  startRecovery,
} from "../../src/accounts/administration/recovery.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { isReviewer } from "../../src/accounts/reviewer.ts";
import { requireManager } from "../../src/accounts/viewer.ts";
import { MailFailedError, MailNotConfiguredError } from "../../src/platform/email/mailer.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { StorableText } from "../text.ts";
import { wireEnum } from "../wire-enum.ts";
import { ADMINISTRATION_ERRORS, RECENT_ADMINISTRATORS_ONLY } from "./errors.ts";

const AccountRecoveryOutcome = wireEnum<(typeof RECOVERY_OUTCOMES)[number]>(
  "AccountRecoveryOutcome",
  "The outcome of a recovery.",
  {
    completed: "The email address was replaced and all sessions were ended.",
    cancelled: "The account's owner or an administrator cancelled it.",
    expired: "The new address was not confirmed in time.",
    superseded: "The account's address had changed, or another account had the new one.",
  },
);

export const AccountRecoveryType = builder.prismaObject("AccountRecovery", {
  description:
    "A change of an account's email address by an administrator, for an owner who lost the mailbox. It completes after a waiting period, if the new address is confirmed and the recovery is not cancelled.",
  fields: (t) => ({
    recoveryId: t.exposeID("id", { description: "The id of the recovery: `rcv_…`." }),
    accountId: t.exposeID("accountId", { description: "The id of the account." }),
    newEmail: t.exposeString("newEmail", { description: "The new email address." }),
    reason: t.string({
      nullable: true,
      description: "The reason. Null for callers other than administrators.",
      resolve: ({ reason }, _args, { viewer }) => (isReviewer(viewer) ? reason : null),
    }),
    confirmedAt: t.expose("confirmedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the new address was confirmed. Null if it was not.",
    }),
    effectiveAt: t.expose("effectiveAt", { type: "DateTime", description: "The end of the waiting period." }),
    outcome: t.field({
      type: AccountRecoveryOutcome,
      nullable: true,
      description: "The outcome. Null while the recovery is pending.",
      resolve: ({ outcome }) => outcome as (typeof RECOVERY_OUTCOMES)[number] | null,
    }),
    endedAt: t.expose("endedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp of the outcome. Null while the recovery is pending.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the recovery was started." }),
  }),
});

builder.objectField(ViewerType, "pendingRecovery", (t) =>
  t.prismaField({
    type: AccountRecoveryType,
    nullable: true,
    description:
      "The pending change of the account's email address by an administrator. Null if there is none. Requires the scope `account:manage`.",
    resolve: (query, viewer, _args, { deps }) =>
      deps.db.prisma.accountRecovery.findUnique({ ...query, where: { slot: requireManager(viewer).accountId } }),
  }),
);

const RecoverySuccess = builder.objectRef<{ readonly recovery: AccountRecovery }>("AccountRecoverySuccess").implement({
  description: "The recovery after the operation.",
  fields: (t) => ({
    recovery: t.expose("recovery", { type: AccountRecoveryType, description: "The recovery." }),
  }),
});

const StartAccountRecoveryInput = builder.inputType("StartAccountRecoveryInput", {
  description: "An account whose owner lost the mailbox, and the new address.",
  fields: (t) => ({
    accountId: t.id({ required: true, description: "The id of the account.", validate: idOf("Account") }),
    email: t.string({ required: true, validate: StorableText, description: "The new email address." }),
    reason: t.string({
      required: true,
      description: "The reason, 1 to 1,000 characters, such as how the owner proved their identity.",
    }),
  }),
});

builder.mutationField("startAccountRecovery", (t) =>
  t.field({
    type: RecoverySuccess,
    description: `Starts the change of an account's email address. Sends a confirmation link to the new address and a notice to the previous one. The change completes after the waiting period, unless the owner cancels it. ${RECENT_ADMINISTRATORS_ONLY}`,
    errors: {
      types: [...ADMINISTRATION_ERRORS, RecoveryPendingError, MailNotConfiguredError, MailFailedError],
      union: { name: "StartAccountRecoveryResult", description: "The recovery or an error." },
    },
    args: { input: t.arg({ type: StartAccountRecoveryInput, required: true, description: "The account." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({ recovery: await startRecovery(deps, viewer, input) }),
  }),
);

const ResendAccountRecoveryInput = builder.inputType("ResendAccountRecoveryInput", {
  description: "A recovery whose confirmation link to send again.",
  fields: (t) => ({
    recoveryId: t.id({ required: true, description: "The id of the recovery: `rcv_…`." }),
    reason: t.string({ required: true, description: "The reason, 1 to 1,000 characters." }),
  }),
});

builder.mutationField("resendAccountRecovery", (t) =>
  t.field({
    type: RecoverySuccess,
    description: `Sends another confirmation link to the new address. The previous link becomes invalid. ${RECENT_ADMINISTRATORS_ONLY}`,
    errors: {
      types: [...ADMINISTRATION_ERRORS, RecoveryEndedError, MailNotConfiguredError, MailFailedError],
      union: { name: "ResendAccountRecoveryResult", description: "The recovery or an error." },
    },
    args: { input: t.arg({ type: ResendAccountRecoveryInput, required: true, description: "The recovery." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({ recovery: await resendRecovery(deps, viewer, input) }),
  }),
);

const CancelAccountRecoveryInput = builder.inputType("CancelAccountRecoveryInput", {
  description: "A recovery to cancel.",
  fields: (t) => ({
    recoveryId: t.id({ required: true, description: "The id of the recovery: `rcv_…`." }),
    reason: t.string({ description: "The reason, at most 1,000 characters. Administrators must state one." }),
  }),
});

builder.mutationField("cancelAccountRecovery", (t) =>
  t.field({
    type: RecoverySuccess,
    description:
      "Cancels a pending recovery of the caller's account, with the scope `account:manage`. Administrators may cancel any, with a sign-in in the last 10 minutes.",
    errors: {
      types: [...INPUT_ERRORS, ReauthenticationRequiredError, RecoveryEndedError],
      union: { name: "CancelAccountRecoveryResult", description: "The recovery or an error." },
    },
    args: { input: t.arg({ type: CancelAccountRecoveryInput, required: true, description: "The recovery." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({ recovery: await cancelRecovery(deps, viewer, input) }),
  }),
);

const ConfirmAccountRecoveryInput = builder.inputType("ConfirmAccountRecoveryInput", {
  description: "The confirmation of the new address.",
  fields: (t) => ({
    token: t.string({ required: true, description: "The token in the link that the new address received." }),
  }),
});

const ConfirmAccountRecoverySuccess = builder.objectRef<AccountRecovery>("ConfirmAccountRecoverySuccess").implement({
  description: "The new address is confirmed.",
  fields: (t) => ({
    newEmail: t.exposeString("newEmail", { description: "The confirmed address." }),
    effectiveAt: t.expose("effectiveAt", { type: "DateTime", description: "Timestamp when the change completes." }),
  }),
});

builder.mutationField("confirmAccountRecovery", (t) =>
  t.field({
    type: ConfirmAccountRecoverySuccess,
    description: "Confirms the new email address of a recovery. Requires only the token from its email.",
    errors: {
      types: [...BOUNDED_ERRORS, RecoveryEndedError],
      union: { name: "ConfirmAccountRecoveryResult", description: "The confirmation or an error." },
    },
    args: { input: t.arg({ type: ConfirmAccountRecoveryInput, required: true, description: "The token." }) },
    resolve: (_root, { input }, { deps, ip }) => confirmRecovery(deps, { token: input.token, ip }),
  }),
);
