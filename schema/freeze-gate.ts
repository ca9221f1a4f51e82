/**
 * Refusal of mutations while the caller's account or the service is frozen. A new mutation is refused until it is listed here. The
 * check uses the state when the request arrived; the statements that move money check it again (`src/accounts/freeze`).
 */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from "@pothos/core";
import type { GraphQLFieldResolver } from "graphql";
import { freezeError } from "../src/accounts/freeze/freeze-state.ts";
import type { Context } from "./context.ts";

/** Mutations that end access, reduce risk, or change only what the account reads. Also sign-in, which checks the account itself. */
export const ALLOWED_WHILE_FROZEN: readonly string[] = [
  "cancelAccountDeletion",
  "cancelAccountRecovery",
  "completeEmailSignIn",
  "completePasskeySignIn",
  "completePasskeySignUp",
  "deleteMail",
  "deleteMailDraft",
  "deleteWebhook",
  "denyPurchase",
  "disconnectApp",
  "markMailRead",
  "removeCard",
  "removePasskey",
  "renamePasskey",
  "replayEventsSince",
  "replayWebhookDelivery",
  "requestAccountDeletion",
  "requestAccountExport",
  "resumeAccount",
  "revokeAgent",
  "revokeApiToken",
  "revokeCheckoutPolicy",
  "revokeOtherSessions",
  "revokePurchaseToken",
  "revokeSession",
  "rotateOAuthClientSecret",
  "signOut",
  "startEmailSignIn",
  "startPasskeySignIn",
  "startPasskeySignUp",
  "stopEverything",
];

/** Mutations of administrators. An administrator uses them while the service is frozen, but not while the own account is. */
export const ALLOWED_TO_ADMINISTRATORS: readonly string[] = [
  "closeAgentDispute",
  "confirmAdministratorProposal",
  "endAccountSessions",
  "freezeAccount",
  "freezeService",
  "rejectAdministratorProposal",
  "resendAccountRecovery",
  "reviewOAuthClient",
  "revokeAccountCredentials",
  "startAccountRecovery",
  "unfreezeAccount",
  "unfreezeService",
];

class FreezeGatePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types["Context"], object>,
    { kind, name }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> {
    if (kind !== "Mutation" || ALLOWED_WHILE_FROZEN.includes(name)) return resolve;
    const isOfAdministrators = ALLOWED_TO_ADMINISTRATORS.includes(name);
    return (parent, args, context, info) => {
      const { viewer } = context as unknown as Context;
      if (viewer?.kind === "account" && viewer.frozenBy !== null) {
        const isAllowed = isOfAdministrators && viewer.frozenBy === "service" && viewer.isAdministrator;
        if (!isAllowed) throw freezeError(viewer.frozenBy);
      }
      return resolve(parent, args, context, info);
    };
  }
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      freezeGate: FreezeGatePlugin<Types>;
    }
  }
}

/** Name of the plugin, for `plugins` of the builder. */
export const FREEZE_GATE = "freezeGate";
SchemaBuilder.registerPlugin(FREEZE_GATE, FreezeGatePlugin);
