/** What a reviewer decides about an application. */
import type { OAuthClient } from "../../generated/prisma/client.ts";
import { ClientChangedError, reviewClient } from "../../src/oauth/clients/review-client.ts";
import { DECISIONS, type Decision, InvalidTransitionError } from "../../src/oauth/clients/status.ts";
import { builder } from "../builder.ts";
import { errorOf, INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { OAuthClientNode, OAuthClientStatusEnum } from "./clients.ts";

builder.objectType(InvalidTransitionError, {
  name: "InvalidTransitionError",
  ...errorOf("The application's status does not lead to the one asked for. Nothing changed."),
  fields: (t) => ({
    from: t.expose("from", { type: OAuthClientStatusEnum, description: "Its status." }),
    to: t.expose("to", { type: OAuthClientStatusEnum, description: "The status asked for." }),
  }),
});

builder.objectType(ClientChangedError, {
  name: "ClientChangedError",
  ...errorOf("The application was changed after the reviewer looked at it. Nothing was decided."),
});

const DECISION_MEANINGS: Readonly<Record<Decision, string>> = {
  approve: "It may ask people for permission to pay, and its responsible party is locked.",
  reject: "It may not; its owner may change it and is then reviewed again.",
  revoke: "An approved one ends, with its codes, tokens and grants. Final.",
};

const OAuthClientDecision = builder.enumType("OAuthClientDecision", {
  description: "What a reviewer decides about an application.",
  values: Object.fromEntries(
    DECISIONS.map((value) => [value.toUpperCase(), { value, description: DECISION_MEANINGS[value] }]),
  ) as Record<Uppercase<Decision>, { value: Decision; description: string }>,
});

const ReviewOAuthClientInput = builder.inputType("ReviewOAuthClientInput", {
  description: "A decision about an application.",
  fields: (t) => ({
    id: t.globalID({ required: true, description: "The application's global id." }),
    decision: t.field({ type: OAuthClientDecision, required: true, description: "What is decided." }),
    reason: t.string({
      description:
        "Why; at most 1,000 characters. Its owner sees it, and its contacts are sent it. Required to reject and to revoke.",
    }),
    ifUpdatedAt: t.field({
      type: "DateTime",
      description: "The `updatedAt` the reviewer saw: nothing is decided about what was changed since.",
    }),
  }),
});

const ReviewOAuthClientSuccess = builder.objectRef<{ client: OAuthClient }>("ReviewOAuthClientSuccess").implement({
  description: "It is decided, and the contacts are written to.",
  fields: (t) => ({ client: t.expose("client", { type: OAuthClientNode, description: "The application." }) }),
});

builder.mutationField("reviewOAuthClient", (t) =>
  t.field({
    type: ReviewOAuthClientSuccess,
    description: "Approves, rejects or revokes an application. For administrators and the operator.",
    errors: {
      types: [...INPUT_ERRORS, InvalidTransitionError, ClientChangedError],
      union: { name: "ReviewOAuthClientResult", description: "The application, or why nothing was decided." },
    },
    args: { input: t.arg({ type: ReviewOAuthClientInput, required: true, description: "The decision." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      client: await reviewClient(deps, viewer, {
        clientId: idOf("OAuthClient", input.id),
        decision: input.decision,
        reason: input.reason ?? null,
        ifUpdatedAt: input.ifUpdatedAt ?? null,
      }),
    }),
  }),
);
