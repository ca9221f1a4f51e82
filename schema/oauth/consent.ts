/** Authorization requests of applications, and the user's decisions. */
import { LimitExceedsOwnError } from "../../src/accounts/api-tokens.ts";
import type { SpendingLimits } from "../../src/accounts/spending-limits.ts";
import { type AuthorizationRequest, findAuthorizationRequest } from "../../src/oauth/authorization-request.ts";
import { decideAuthorization } from "../../src/oauth/decide-authorization.ts";
import { formatUserCode } from "../../src/oauth/device/user-code.ts";
import { isOAuthScope, type OAuthScope, SCOPE_DESCRIPTIONS, waivedScopes } from "../../src/oauth/scopes.ts";
import { CardBudgetInput, toCardBudgetTerms } from "../accounts/card-budget.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { Spending } from "../wallet/spending.ts";
import { OAuthGrantNode, PublicOAuthClient } from "./grants.ts";
import { ScopeEnum } from "./scope.ts";

const RequestedScopeType = builder.objectRef<OAuthScope>("RequestedScope").implement({
  description: "A scope, as the consent page describes it.",
  fields: (t) => ({
    name: t.field({ type: ScopeEnum, description: "The scope.", resolve: (scope) => scope }),
    description: t.string({ description: "A description for users.", resolve: (scope) => SCOPE_DESCRIPTIONS[scope] }),
  }),
});

const SuggestedLimits = builder.objectRef<SpendingLimits>("SuggestedLimits").implement({
  description: "Suggested limits: those of the previous grant or the defaults, capped at the account's own limits.",
  fields: (t) => ({
    perTransactionLimitUsd: t.expose("perTransactionMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The maximum amount of one payment. Null for no limit.",
    }),
    dailyLimitUsd: t.expose("dailyMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The maximum spending per UTC day. Null for no limit.",
    }),
    monthlyLimitUsd: t.expose("monthlyMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The maximum spending per UTC month. Null for no limit.",
    }),
  }),
});

interface Device {
  readonly userCode: string;
  readonly address: string | null;
  readonly at: Date;
}

const RequestingDevice = builder.objectRef<Device>("RequestingDevice").implement({
  description: "A device that waits for the decision about its request (RFC 8628).",
  fields: (t) => ({
    userCode: t.string({
      description: "The code that the device shows, such as `WDJB-MJHT`. The user compares both.",
      resolve: ({ userCode }) => formatUserCode(userCode),
    }),
    ipAddress: t.string({
      nullable: true,
      description: "The IP address of the device. Null if it is unknown.",
      resolve: ({ address }) => address,
    }),
    requestedAt: t.expose("at", { type: "DateTime", description: "Timestamp of the device's request." }),
  }),
});

export const AuthorizationRequestType = builder.objectRef<AuthorizationRequest>("AuthorizationRequest").implement({
  description: "An application's pending authorization request. Without a session it contains no account data.",
  fields: (t) => ({
    requestId: t.id({ description: "The request's id.", resolve: ({ row }) => row.id }),
    client: t.field({
      type: PublicOAuthClient,
      description: "The application that sent the request.",
      resolve: ({ client, row }) => ({ client, redirectUri: row.redirectUri }),
    }),
    scopes: t.field({
      type: [RequestedScopeType],
      description: "The requested scopes.",
      resolve: ({ row }) => row.scopes.filter(isOAuthScope),
    }),
    strictScopes: t.exposeBoolean("strictScopes", {
      description:
        "Whether the scopes will be enforced. Otherwise the application can also use `waivedScopes`, unless the decision enforces its scopes.",
    }),
    waivedScopes: t.field({
      type: [RequestedScopeType],
      description: "The scopes that the application can use without requesting them. Empty if scopes are enforced.",
      resolve: ({ row, client, own, strictScopes }) =>
        strictScopes ? [] : waivedScopes([...row.scopes, ...(own?.previous?.scopes ?? [])], client.waiverOnRoutesOnly),
    }),
    device: t.field({
      type: RequestingDevice,
      nullable: true,
      description: "The device that waits for the decision. Null for the request of a browser, and without a session.",
      resolve: ({ row, own }) =>
        own && row.userCode !== null
          ? { userCode: row.userCode, address: row.requesterAddress, at: row.createdAt }
          : null,
    }),
    isPopup: t.boolean({
      description: "Whether the request runs in a popup window.",
      resolve: ({ row }) => row.isPopup,
    }),
    loginHint: t.string({
      nullable: true,
      description: "The email address to prefill at sign-in. It does not identify the user.",
      resolve: ({ row }) => row.loginHint,
    }),
    needsSignIn: t.boolean({
      description: "Whether the user must sign in first, or again because the application requires it.",
      resolve: ({ own }) => own === null,
    }),
    needsConsent: t.boolean({
      description:
        "Whether the user must consent. False if an active grant covers the request. An approval without limits then leaves the grant's limits unchanged.",
      resolve: ({ own }) => own?.needsConsent ?? true,
    }),
    isRestricted: t.boolean({
      description:
        "Whether the application registered itself and was not reviewed. Its scopes and suggested limits are then restricted.",
      resolve: ({ client }) => client.isRestricted,
    }),
    needsConfirmation: t.boolean({
      description:
        "Whether the user must confirm the request although an active grant covers it, because another local program could receive the code.",
      resolve: ({ own }) => own?.needsConfirmation ?? false,
    }),
    previous: t.field({
      type: OAuthGrantNode,
      nullable: true,
      description: "The active grant to this application. Null if there is none.",
      resolve: ({ own }) => own?.previous ?? null,
    }),
    suggestedLimits: t.field({
      type: SuggestedLimits,
      nullable: true,
      description: "The suggested limits. Null without a session.",
      resolve: ({ own }) => own?.suggestedLimits ?? null,
    }),
    ownLimits: t.field({
      type: Spending,
      nullable: true,
      complexity: 5,
      description: "The account's own limits. Null without a session.",
      resolve: ({ own }) => own?.session.budgetId ?? null,
    }),
    networks: t.field({
      type: ["NetworkName"],
      description: "The networks that can be granted. Empty without a session.",
      resolve: ({ own }) => [...(own?.session.rules.networks ?? [])],
    }),
    expiresAt: t.field({
      type: "DateTime",
      description: "Timestamp when the request expires.",
      resolve: ({ row }) => row.expiresAt,
    }),
  }),
});

builder.queryField("authorizationRequest", (t) =>
  t.field({
    type: AuthorizationRequestType,
    nullable: true,
    description: "A pending authorization request. Null if it does not exist, was decided, or has expired.",
    args: { id: t.arg.id({ required: true, description: "The request's id, from `/consent?request=`." }) },
    resolve: (_root, { id }, { deps, viewer }) => findAuthorizationRequest(deps, viewer, id),
  }),
);

const DecideAuthorizationInput = builder.inputType("DecideAuthorizationInput", {
  description: "The user's decision. Omitted limits default to the previous or suggested ones.",
  fields: (t) => ({
    requestId: t.id({ required: true, description: "The request's id." }),
    approve: t.boolean({ required: true, description: "Whether to approve the request." }),
    perTransactionLimitUsd: t.field({
      type: "Usd",
      description: "The maximum amount of one payment in US dollars. Null for no limit.",
    }),
    dailyLimitUsd: t.field({
      type: "Usd",
      description: "The maximum spending per UTC day in US dollars. Null for no limit.",
    }),
    monthlyLimitUsd: t.field({
      type: "Usd",
      description: "The maximum spending per UTC month in US dollars. Null for no limit.",
    }),
    cardBudget: t.field({
      type: CardBudgetInput,
      description:
        "The limits for orders by card. Omitted: those of the previous grant; for a first grant its limits in US dollars. Null: the checkout policy alone.",
    }),
    networks: t.field({
      type: ["NetworkName"],
      description: "The networks the application may pay on. Defaults to the previous ones, otherwise all.",
    }),
    strictScopes: t.boolean({
      description:
        "True enforces the scopes of the grant, also if the application registered without. Omitted: as the application and the previous grant. Enforced scopes cannot be waived.",
    }),
  }),
});

const DecideAuthorizationSuccess = builder
  .objectRef<{ continueUrl: string; grantId: string | null }>("DecideAuthorizationSuccess")
  .implement({
    description: "The decision was recorded.",
    fields: (t) => ({
      continueUrl: t.expose("continueUrl", {
        type: "Url",
        description:
          "The URL to open in this browser. It redirects to the application, once. For a device, it is a page that shows the result.",
      }),
      grant: t.prismaField({
        type: OAuthGrantNode,
        nullable: true,
        description: "The grant to the application. Null if the request was denied.",
        resolve: (query, { grantId: id }, _args, { deps }) =>
          id === null ? null : deps.db.prisma.oAuthGrant.findUnique({ ...query, where: { id } }),
      }),
    }),
  });

builder.mutationField("decideAuthorization", (t) =>
  t.field({
    type: DecideAuthorizationSuccess,
    description: "Approves or denies an authorization request. Requires a session. Each request can be decided once.",
    errors: {
      types: [...INPUT_ERRORS, LimitExceedsOwnError],
      union: { name: "DecideAuthorizationResult", description: "The next URL or an error." },
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
        cardBudget: toCardBudgetTerms(input.cardBudget),
        networks: input.networks ?? null,
        strictScopes: input.strictScopes ?? undefined,
      }),
  }),
);
