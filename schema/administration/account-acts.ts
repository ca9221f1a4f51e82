/** Acts of administrators on an account: end sessions, revoke credentials. */
import { endAccountSessions } from "../../src/accounts/administration/end-sessions.ts";
import {
  type RevocableKind,
  type RevokedCounts,
  revokeAccountCredentials,
} from "../../src/accounts/administration/revoke-credentials.ts";
import { builder } from "../builder.ts";
import { idOf } from "../global-id.ts";
import { wireEnum } from "../wire-enum.ts";
import { ADMINISTRATION_ERRORS, RECENT_ADMINISTRATORS_ONLY } from "./errors.ts";

const EndAccountSessionsInput = builder.inputType("EndAccountSessionsInput", {
  description: "An account whose sessions to end.",
  fields: (t) => ({
    accountId: t.id({ required: true, description: "The id of the account.", validate: idOf("Account") }),
    reason: t.string({ required: true, description: "The reason, 1 to 1,000 characters." }),
  }),
});

const EndAccountSessionsSuccess = builder
  .objectRef<{ readonly endedCount: number }>("EndAccountSessionsSuccess")
  .implement({
    description: "All sessions of the account were revoked and their open connections were closed.",
    fields: (t) => ({ endedCount: t.exposeInt("endedCount", { description: "The number of revoked sessions." }) }),
  });

builder.mutationField("endAccountSessions", (t) =>
  t.field({
    type: EndAccountSessionsSuccess,
    description: `Revokes all sessions of an account. ${RECENT_ADMINISTRATORS_ONLY}`,
    errors: {
      types: ADMINISTRATION_ERRORS,
      union: { name: "EndAccountSessionsResult", description: "The number of revoked sessions or an error." },
    },
    args: { input: t.arg({ type: EndAccountSessionsInput, required: true, description: "The account." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      endedCount: await endAccountSessions(deps, viewer, input),
    }),
  }),
);

const RevocableCredentialKind = wireEnum<RevocableKind>(
  "RevocableCredentialKind",
  "The kind of credentials to revoke together.",
  {
    api_tokens: "API tokens.",
    oauth_grants: "Connected applications with their access and refresh tokens.",
    purchase_tokens: "One-time purchase tokens.",
  },
);

const RevokeAccountCredentialsInput = builder.inputType("RevokeAccountCredentialsInput", {
  description: "An account whose credentials to revoke.",
  fields: (t) => ({
    accountId: t.id({ required: true, description: "The id of the account.", validate: idOf("Account") }),
    kinds: t.field({
      type: [RevocableCredentialKind],
      required: true,
      description: "The kinds of credentials, at least one.",
    }),
    reason: t.string({ required: true, description: "The reason, 1 to 1,000 characters." }),
  }),
});

const RevokeAccountCredentialsSuccess = builder.objectRef<RevokedCounts>("RevokeAccountCredentialsSuccess").implement({
  description: "The credentials were revoked. No further payment can be reserved with them.",
  fields: (t) => ({
    apiTokenCount: t.exposeInt("api_tokens", { description: "The number of revoked API tokens." }),
    oauthGrantCount: t.exposeInt("oauth_grants", { description: "The number of disconnected applications." }),
    purchaseTokenCount: t.exposeInt("purchase_tokens", { description: "The number of revoked purchase tokens." }),
  }),
});

builder.mutationField("revokeAccountCredentials", (t) =>
  t.field({
    type: RevokeAccountCredentialsSuccess,
    description: `Revokes all credentials of the given kinds. Payments already signed remain valid. ${RECENT_ADMINISTRATORS_ONLY}`,
    errors: {
      types: ADMINISTRATION_ERRORS,
      union: { name: "RevokeAccountCredentialsResult", description: "The numbers of revoked credentials or an error." },
    },
    args: { input: t.arg({ type: RevokeAccountCredentialsInput, required: true, description: "The account." }) },
    resolve: (_root, { input }, { deps, viewer }) => revokeAccountCredentials(deps, viewer, input),
  }),
);
