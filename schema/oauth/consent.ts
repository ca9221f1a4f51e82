/** What an application asks of a person, and what the person answers. */
import { LimitExceedsOwnError, type SpendingLimits } from "../../src/accounts/api-tokens.ts";
import { type AuthorizationRequest, findAuthorizationRequest } from "../../src/oauth/authorization-request.ts";
import { decideAuthorization } from "../../src/oauth/decide-authorization.ts";
import { isOAuthScope, type OAuthScope, SCOPE_DESCRIPTIONS } from "../../src/oauth/scopes.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { Spending } from "../wallet/spending.ts";
import { OAuthGrantNode, PublicOAuthClient } from "./grants.ts";

const OAuthScopeType = builder.objectRef<OAuthScope>("OAuthScope").implement({
  description: "Something an application asks to be allowed.",
  fields: (t) => ({
    name: t.string({ description: "Its name in the protocol.", resolve: (name) => name }),
    description: t.string({ description: "What it means, for a person.", resolve: (name) => SCOPE_DESCRIPTIONS[name] }),
  }),
});

const SuggestedLimits = builder.objectRef<SpendingLimits>("SuggestedLimits").implement({
  description: "Limits to propose: those allowed before, else small ones; never wider than the account's own.",
  fields: (t) => ({
    perTransactionLimitUsd: t.expose("perTransactionMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The most one payment may cost; null for no limit.",
    }),
    dailyLimitUsd: t.expose("dailyMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The most it may spend in a UTC day; null for no limit.",
    }),
    monthlyLimitUsd: t.expose("monthlyMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The most it may spend in a UTC month; null for no limit.",
    }),
  }),
});

const AuthorizationRequestType = builder.objectRef<AuthorizationRequest>("AuthorizationRequest").implement({
  description:
    "An application's request that waits for a person. Until somebody is signed in it shows nothing of any account.",
  fields: (t) => ({
    requestId: t.id({ description: "The request's id.", resolve: ({ row }) => row.id }),
    client: t.field({
      type: PublicOAuthClient,
      description: "Who asks.",
      resolve: ({ client, row }) => ({ client, redirectUri: row.redirectUri }),
    }),
    scopes: t.field({
      type: [OAuthScopeType],
      description: "What it asks for.",
      resolve: ({ row }) => row.scopes.filter(isOAuthScope),
    }),
    isPopup: t.boolean({ description: "Whether it runs in a window of its own.", resolve: ({ row }) => row.isPopup }),
    loginHint: t.string({
      nullable: true,
      description: "The email address to fill in at sign-in. It says nothing about who is there.",
      resolve: ({ row }) => row.loginHint,
    }),
    needsSignIn: t.boolean({
      description: "Whether the person must sign in first, or once more because the application asked for it.",
      resolve: ({ own }) => own === null,
    }),
    needsConsent: t.boolean({
      description:
        "Whether the person must be asked. False when they allowed as much before: then approving without limits keeps what they set.",
      resolve: ({ own }) => own?.needsConsent ?? true,
    }),
    previous: t.field({
      type: OAuthGrantNode,
      nullable: true,
      description: "What they allowed this application before.",
      resolve: ({ own }) => own?.previous ?? null,
    }),
    suggestedLimits: t.field({
      type: SuggestedLimits,
      nullable: true,
      description: "Limits to propose; null while nobody is signed in.",
      resolve: ({ own }) => own?.suggestedLimits ?? null,
    }),
    ownLimits: t.field({
      type: Spending,
      nullable: true,
      complexity: 5,
      description: "The account's own limits; null while nobody is signed in.",
      resolve: ({ own }) => own?.session.budgetId ?? null,
    }),
    networks: t.field({
      type: ["NetworkName"],
      description: "The networks to choose among; none while nobody is signed in.",
      resolve: ({ own }) => [...(own?.session.rules.networks ?? [])],
    }),
    expiresAt: t.field({ type: "DateTime", description: "Until when it waits.", resolve: ({ row }) => row.expiresAt }),
  }),
});

builder.queryField("authorizationRequest", (t) =>
  t.field({
    type: AuthorizationRequestType,
    nullable: true,
    description: "A request by its id; null when there is none, or it was decided, or has expired.",
    args: { id: t.arg.id({ required: true, description: "The request's id, as `/consent?request=` has it." }) },
    resolve: (_root, { id }, { deps, viewer }) => findAuthorizationRequest(deps, viewer, id),
  }),
);

const DecideAuthorizationInput = builder.inputType("DecideAuthorizationInput", {
  description: "A person's decision. Limits left out stay as they were, or as they were suggested.",
  fields: (t) => ({
    requestId: t.id({ required: true, description: "The request's id." }),
    approve: t.boolean({ required: true, description: "Whether the application may." }),
    perTransactionLimitUsd: t.field({ type: "Usd", description: "The most one payment may cost; null for none." }),
    dailyLimitUsd: t.field({ type: "Usd", description: "The most it may spend in a UTC day; null for none." }),
    monthlyLimitUsd: t.field({ type: "Usd", description: "The most it may spend in a UTC month; null for none." }),
    networks: t.field({
      type: ["NetworkName"],
      description: "The networks it may pay on; default as before, else all.",
    }),
  }),
});

const DecideAuthorizationSuccess = builder.objectRef<{ continueUrl: string }>("DecideAuthorizationSuccess").implement({
  description: "The decision is kept.",
  fields: (t) => ({
    continueUrl: t.exposeString("continueUrl", {
      description: "Where to send this browser: it brings the answer to the application, once.",
    }),
  }),
});

builder.mutationField("decideAuthorization", (t) =>
  t.field({
    type: DecideAuthorizationSuccess,
    description: "Allows or denies an application what it asked for. For a person who is signed in; each request once.",
    errors: {
      types: [...INPUT_ERRORS, LimitExceedsOwnError],
      union: { name: "DecideAuthorizationResult", description: "Where to go next, or why nothing was decided." },
    },
    args: { input: t.arg({ type: DecideAuthorizationInput, required: true, description: "The decision." }) },
    resolve: (_root, { input }, { deps, viewer }) =>
      decideAuthorization(deps, viewer, {
        requestId: input.requestId,
        approve: input.approve,
        limits: {
          perTransactionMicroUsd: input.perTransactionLimitUsd,
          dailyMicroUsd: input.dailyLimitUsd,
          monthlyMicroUsd: input.monthlyLimitUsd,
        },
        networks: input.networks ?? null,
      }),
  }),
);
