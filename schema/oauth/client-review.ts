/** Reviews of applications by administrators and the operator. */
import type { OAuthClient } from "../../generated/prisma/client.ts";
import { ClientChangedError, reviewClient } from "../../src/oauth/clients/review-client.ts";
import { type Decision, InvalidTransitionError } from "../../src/oauth/clients/status.ts";
import { ADMINISTRATION_ERRORS } from "../administration/errors.ts";
import { builder } from "../builder.ts";
import { createErrorOptions } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { wireEnum } from "../wire-enum.ts";
import { OAuthClientNode, OAuthClientStatusEnum } from "./clients.ts";

builder.objectType(InvalidTransitionError, {
  name: "InvalidTransitionError",
  ...createErrorOptions("The application's status does not allow the decision. Nothing was changed."),
  fields: (t) => ({
    from: t.expose("from", { type: OAuthClientStatusEnum, description: "The current status." }),
    to: t.expose("to", { type: OAuthClientStatusEnum, description: "The status that the decision would set." }),
  }),
});

builder.objectType(ClientChangedError, {
  name: "ClientChangedError",
  ...createErrorOptions("The application was changed after the reviewer read it. No decision was recorded."),
});

const OAuthClientDecision = wireEnum<Decision>(
  "OAuthClientDecision",
  "The decision of a reviewer about an application.",
  {
    approve: "Approves a pending application, which can then request payment permissions. Locks its responsible party.",
    reject: "Rejects a pending application. A change by its owner submits it for another review.",
    revoke: "Revokes an approved application with its codes, tokens and grants. Final.",
  },
);

const ReviewOAuthClientInput = builder.inputType("ReviewOAuthClientInput", {
  description: "A review of an application.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The application's id.", validate: idOf("OAuthClient") }),
    decision: t.field({ type: OAuthClientDecision, required: true, description: "The decision." }),
    reason: t.string({
      description:
        "The reason, at most 1,000 characters. The owner sees it and the contacts receive it by email. Required to reject or revoke.",
    }),
    ifUpdatedAt: t.field({
      type: "DateTime",
      description: "The `updatedAt` that the reviewer saw. The review fails if the application was changed since.",
    }),
  }),
});

const ReviewOAuthClientSuccess = builder.objectRef<{ client: OAuthClient }>("ReviewOAuthClientSuccess").implement({
  description: "The decision was recorded. The contacts are notified by email.",
  fields: (t) => ({ client: t.expose("client", { type: OAuthClientNode, description: "The reviewed application." }) }),
});

builder.mutationField("reviewOAuthClient", (t) =>
  t.field({
    type: ReviewOAuthClientSuccess,
    description:
      "Approves, rejects or revokes an application. Requires an administrator's session with a sign-in in the last 10 minutes, or the operator's admin token. An administrator cannot approve an application of their own account.",
    errors: {
      types: [...ADMINISTRATION_ERRORS, InvalidTransitionError, ClientChangedError],
      union: { name: "ReviewOAuthClientResult", description: "The reviewed application or an error." },
    },
    args: { input: t.arg({ type: ReviewOAuthClientInput, required: true, description: "The decision." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      client: await reviewClient(deps, viewer, {
        clientId: input.id,
        decision: input.decision,
        reason: input.reason ?? null,
        ifUpdatedAt: input.ifUpdatedAt ?? null,
      }),
    }),
  }),
);
