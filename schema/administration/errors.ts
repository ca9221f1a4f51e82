/** Errors of administrators' acts. */
import {
  ProposalNotPendingError,
  SecondAdministratorRequiredError,
} from "../../src/accounts/administration/proposals.ts";
import { RecoveryEndedError, RecoveryPendingError } from "../../src/accounts/administration/recovery.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { builder } from "../builder.ts";
import { createErrorOptions, INPUT_ERRORS } from "../errors.ts";

builder.objectType(SecondAdministratorRequiredError, {
  name: "SecondAdministratorRequiredError",
  ...createErrorOptions("The act requires two administrators. It was proposed, and nothing else was changed."),
  fields: (t) => ({
    proposalId: t.exposeID("proposalId", {
      description: "The id of the proposal, which another administrator confirms.",
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the proposal expires." }),
  }),
});

builder.objectType(ProposalNotPendingError, {
  name: "ProposalNotPendingError",
  ...createErrorOptions("The proposal was decided before or has expired. Nothing was changed."),
});

builder.objectType(RecoveryPendingError, {
  name: "RecoveryPendingError",
  ...createErrorOptions("The account already has a pending recovery. Nothing was changed."),
});

builder.objectType(RecoveryEndedError, {
  name: "RecoveryEndedError",
  ...createErrorOptions("The recovery was completed, cancelled or has expired. Nothing was changed."),
});

/** Errors common to all acts of administrators. */
export const ADMINISTRATION_ERRORS = [...INPUT_ERRORS, ReauthenticationRequiredError, SecondAdministratorRequiredError];

/** The end of the description of queries for administrators. */
export const ADMINISTRATORS_ONLY =
  "Requires an administrator's session or the operator's admin token; otherwise an error of code `forbidden`.";

/** The end of the description of acts of administrators. */
export const RECENT_ADMINISTRATORS_ONLY =
  "Requires an administrator's session with a sign-in in the last 10 minutes, or the operator's admin token.";
