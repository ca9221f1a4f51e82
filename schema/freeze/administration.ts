/** Freezes by administrators: of one account, and of the whole service. */
import type { Account, ServiceFreeze } from "../../generated/prisma/client.ts";
import { freezeAccount, unfreezeAccount } from "../../src/accounts/freeze/freeze-account.ts";
import { findServiceFreeze, freezeService, unfreezeService } from "../../src/accounts/freeze/freeze-service.ts";
import { isServiceFrozen } from "../../src/accounts/freeze/freeze-state.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { ADMINISTRATION_ERRORS } from "../administration/errors.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { StorableText } from "../text.ts";
import { FrozenByEnum } from "./frozen-by.ts";
import { InFlightType, listInFlight } from "./in-flight.ts";

const RESTRICTION =
  "Requires an administrator's session with a sign-in in the last 10 minutes, or the operator's admin token. The act is recorded with its reason.";
const FREEZE_ERRORS = [...INPUT_ERRORS, ReauthenticationRequiredError];

const AccountFreezeState = builder.objectRef<Account>("AccountFreezeState").implement({
  description: "Whether an account is frozen, for administrators.",
  fields: (t) => ({
    accountId: t.exposeID("id", { description: "The account's id." }),
    frozenAt: t.expose("frozenAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the account was frozen. Null if it is not frozen.",
    }),
    frozenBy: t.field({
      type: FrozenByEnum,
      nullable: true,
      description: "Who froze the account. Null if it is not frozen.",
      resolve: ({ frozenBy }) => frozenBy as "owner" | null,
    }),
    reason: t.exposeString("freezeReason", { nullable: true, description: "The reason of the freeze. Null if none." }),
    inFlight: t.field({
      type: [InFlightType],
      complexity: { field: 20, multiplier: 20 },
      description: "The operations in flight, with what can still happen to each.",
      resolve: ({ id }, _args, { deps }) => listInFlight(deps, id),
    }),
  }),
});

const freezeAccountInput = (name: string, description: string) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({
      accountId: t.id({ required: true, description: "The account's id.", validate: idOf("Account") }),
      reason: t.string({
        required: true,
        validate: StorableText,
        description: "The reason, at most 1,000 characters. It is recorded and not shown to the account owner.",
      }),
    }),
  });
const FreezeAccountInput = freezeAccountInput("FreezeAccountInput", "A freeze of an account by an administrator.");
const UnfreezeAccountInput = freezeAccountInput(
  "UnfreezeAccountInput",
  "The end of an account's freeze by an administrator.",
);

const accountStateResult = (name: string, description: string) =>
  builder.objectRef<Account>(name).implement({
    description,
    fields: (t) => ({
      freeze: t.field({
        type: AccountFreezeState,
        description: "The state of the account.",
        resolve: (account) => account,
      }),
    }),
  });
const FreezeAccountSuccess = accountStateResult("FreezeAccountSuccess", "The account is frozen on all nodes.");
const UnfreezeAccountSuccess = accountStateResult("UnfreezeAccountSuccess", "The account is not frozen.");

builder.mutationField("freezeAccount", (t) =>
  t.field({
    type: FreezeAccountSuccess,
    description: `Freezes an account, including sign-in. Its owner cannot end the freeze. ${RESTRICTION}`,
    errors: {
      types: FREEZE_ERRORS,
      union: { name: "FreezeAccountResult", description: "The frozen account or an error." },
    },
    args: { input: t.arg({ type: FreezeAccountInput, required: true, description: "The account and the reason." }) },
    resolve: (_root, { input }, { deps, viewer }) => freezeAccount(deps, viewer, input),
  }),
);

builder.mutationField("unfreezeAccount", (t) =>
  t.field({
    type: UnfreezeAccountSuccess,
    description: `Ends any freeze of an account. ${RESTRICTION}`,
    errors: {
      types: ADMINISTRATION_ERRORS,
      union: { name: "UnfreezeAccountResult", description: "The account or an error." },
    },
    args: { input: t.arg({ type: UnfreezeAccountInput, required: true, description: "The account and the reason." }) },
    resolve: (_root, { input }, { deps, viewer }) => unfreezeAccount(deps, viewer, input),
  }),
);

const ServiceFreezeType = builder.objectRef<ServiceFreeze>("ServiceFreeze").implement({
  description: "The freeze of the whole service.",
  fields: (t) => ({
    frozenAt: t.expose("frozenAt", { type: "DateTime", description: "Timestamp when the service was frozen." }),
    reason: t.exposeString("reason", { description: "The reason." }),
  }),
});

builder.queryField("serviceFreeze", (t) =>
  t.field({
    type: ServiceFreezeType,
    nullable: true,
    description:
      "The freeze of the whole service. Null if it is not frozen. Requires an administrator's session or the operator's admin token; otherwise an error of code `forbidden`.",
    resolve: (_root, _args, { deps, viewer }) => findServiceFreeze(deps, viewer),
  }),
);

builder.queryField("isServiceFrozen", (t) =>
  t.boolean({
    description: "Whether the whole service is frozen: nothing is paid, signed, ordered or sent for any account.",
    resolve: (_root, _args, { deps }) => isServiceFrozen(deps.db),
  }),
);

const freezeServiceInput = (name: string, description: string) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({
      reason: t.string({
        required: true,
        validate: StorableText,
        description: "The reason, at most 1,000 characters. It is recorded.",
      }),
    }),
  });
const FreezeServiceInput = freezeServiceInput("FreezeServiceInput", "A freeze of the whole service.");
const UnfreezeServiceInput = freezeServiceInput("UnfreezeServiceInput", "The end of the freeze of the whole service.");

const FreezeServiceSuccess = builder.objectRef<ServiceFreeze>("FreezeServiceSuccess").implement({
  description: "The service is frozen on all nodes, and every statement that began before has ended.",
  fields: (t) => ({
    freeze: t.field({ type: ServiceFreezeType, description: "The freeze.", resolve: (freeze) => freeze }),
    inFlight: t.field({
      type: [InFlightType],
      complexity: { field: 20, multiplier: 20 },
      description: "The operations in flight, at most 200 of each kind, with what can still happen to each.",
      resolve: (_freeze, _args, { deps }) => listInFlight(deps, null),
    }),
  }),
});

builder.mutationField("freezeService", (t) =>
  t.field({
    type: FreezeServiceSuccess,
    description: `Freezes the whole service: every account as by \`freezeAccount\`, and sign-up. Administrators can still sign in. ${RESTRICTION}`,
    errors: {
      types: FREEZE_ERRORS,
      union: { name: "FreezeServiceResult", description: "The freeze or an error." },
    },
    args: { input: t.arg({ type: FreezeServiceInput, required: true, description: "The reason." }) },
    resolve: (_root, { input }, { deps, viewer }) => freezeService(deps, viewer, input),
  }),
);

const UnfreezeServiceSuccess = builder.objectRef<{ wasFrozen: boolean }>("UnfreezeServiceSuccess").implement({
  description: "The service is not frozen. Accounts that are frozen themselves remain so.",
  fields: (t) => ({
    wasFrozen: t.exposeBoolean("wasFrozen", { description: "Whether the service was frozen before." }),
  }),
});

builder.mutationField("unfreezeService", (t) =>
  t.field({
    type: UnfreezeServiceSuccess,
    description: `Ends the freeze of the whole service. ${RESTRICTION}`,
    errors: {
      types: ADMINISTRATION_ERRORS,
      union: { name: "UnfreezeServiceResult", description: "The end of the freeze or an error." },
    },
    args: { input: t.arg({ type: UnfreezeServiceInput, required: true, description: "The reason." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({ wasFrozen: await unfreezeService(deps, viewer, input) }),
  }),
);
