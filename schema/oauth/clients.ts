import type { OAuthClient } from "../../generated/prisma/client.ts";
import { isReviewer, requireReviewer } from "../../src/oauth/clients/reviewer.ts";
import { CLIENT_STATUSES, type ClientStatus, parseStatus } from "../../src/oauth/clients/status.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountId } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";

const STATUS_MEANINGS: Readonly<Record<ClientStatus, string>> = {
  pending_approval: "Waits for review. Nobody can authorize it yet.",
  approved: "Reviewed and accepted: it may ask people for permission to pay.",
  rejected: "Reviewed and not accepted; `statusReason` says why. Saving a change asks for another review.",
  revoked: "Access is permanently disabled; `statusReason` says why.",
};

export const OAuthClientStatusEnum = builder.enumType("OAuthClientStatus", {
  description: "Where an application stands.",
  values: Object.fromEntries(
    CLIENT_STATUSES.map((value) => [value.toUpperCase(), { value, description: STATUS_MEANINGS[value] }]),
  ) as Record<Uppercase<ClientStatus>, { value: ClientStatus; description: string }>,
});

export const OAuthClientKindEnum = builder.enumType("OAuthClientKind", {
  description: "What an application is. It decides whether PKCE is mandatory, and how long access tokens live.",
  values: {
    CONFIDENTIAL: { value: "confidential", description: "Runs on a server and can keep its secret. Tokens: 30 days." },
    PUBLIC: {
      value: "public",
      description: "Runs in a browser, on a phone or as a command: PKCE is mandatory. Tokens: 60 days.",
    },
    AUTOMATION: { value: "automation", description: "An automation workflow. Tokens: a year." },
  } as const,
});

const ResponsibleParty = builder.objectRef<OAuthClient>("OAuthClientResponsibleParty").implement({
  description: "Who answers for an application. Locked once it is approved.",
  fields: (t) => ({
    fullName: t.exposeString("responsibleName", { description: "Their full name." }),
    phone: t.exposeString("responsiblePhone", { description: "Their telephone number." }),
    country: t.exposeString("responsibleCountry", { description: "Their country, as its ISO 3166-1 two-letter code." }),
    address: t.exposeString("responsibleAddress", { description: "Their postal address." }),
  }),
});

const AppInformation = builder.objectRef<OAuthClient>("OAuthClientApp").implement({
  description: "What people see of an application. It may change at any time.",
  fields: (t) => ({
    appName: t.exposeString("appName", { description: "Its name, as the consent page shows it." }),
    supportEmail: t.exposeString("supportEmail", { description: "Where its users find help." }),
    contactEmails: t.exposeStringList("contactEmails", {
      description: "Who is written to about it; while empty, the support address is.",
    }),
  }),
});

const OAuthClientReview = builder.prismaObject("OAuthClientReview", {
  description: "An entry in an application's history: a move from one status to another, or new addresses.",
  fields: (t) => ({
    fromStatus: t.field({
      type: OAuthClientStatusEnum,
      nullable: true,
      description: "The status before; null for the registration, the same as `toStatus` where addresses changed.",
      resolve: ({ fromStatus }) => (fromStatus === null ? null : parseStatus(fromStatus)),
    }),
    toStatus: t.field({
      type: OAuthClientStatusEnum,
      description: "The status after.",
      resolve: ({ toStatus }) => parseStatus(toStatus),
    }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "Why, or which addresses were added and removed.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When." }),
  }),
});

export const OAuthClientNode = builder.prismaNode("OAuthClient", {
  id: { field: "id", description: "The application's global id." },
  findUnique: (id, context) =>
    isReviewer(context.viewer) ? { id, accountId: { not: null } } : { id, accountId: ownAccountId(context) },
  nullable: true,
  description:
    "An application that asks people for permission to pay, as its owner and reviewers see it. Its secret was shown once.",
  fields: (t) => ({
    clientId: t.exposeID("id", { description: "The `client_id` of OAuth." }),
    kind: t.field({
      type: OAuthClientKindEnum,
      description: "What it is.",
      resolve: ({ kind }) => kind as "confidential" | "public" | "automation",
    }),
    status: t.field({
      type: OAuthClientStatusEnum,
      description: "Where it stands.",
      resolve: ({ status }) => parseStatus(status),
    }),
    statusReason: t.exposeString("statusReason", {
      nullable: true,
      description: "Why it was rejected or revoked, or what the reviewer noted when approving it.",
    }),
    statusChangedAt: t.expose("statusChangedAt", { type: "DateTime", description: "Since when it stands there." }),
    responsible: t.field({ type: ResponsibleParty, description: "Who answers for it.", resolve: (client) => client }),
    app: t.field({ type: AppInformation, description: "What people see of it.", resolve: (client) => client }),
    javascriptOrigins: t.exposeStringList("javascriptOrigins", {
      description: "From where browsers may call this service once it is approved.",
    }),
    redirectUris: t.exposeStringList("redirectUris", {
      description: "Where people may be sent back to, compared byte for byte.",
    }),
    requireSecretOnRefresh: t.exposeBoolean("requireSecretOnRefresh", {
      description: "Whether a refresh needs the secret. Recommended for applications that can keep one.",
    }),
    strictScopes: t.exposeBoolean("strictScopes", {
      description: "Whether its tokens may only do what their scopes say; otherwise any of them may call any route.",
    }),
    secretHint: t.exposeString("secretHint", {
      nullable: true,
      description: "The last four characters of the secret.",
    }),
    secretCreatedAt: t.expose("secretCreatedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the secret was made.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was registered." }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "When anything but its secret last changed: reviewers pass it on as `ifUpdatedAt`.",
    }),
    reviews: t.relation("reviews", {
      type: OAuthClientReview,
      complexity: { field: 5, multiplier: 10 },
      query: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
      description: "Its history, oldest first.",
    }),
  }),
});

const OAuthClientEdge = builder.edgeObject({
  type: OAuthClientNode,
  name: "OAuthClientEdge",
  description: "An application in a list.",
});

const OAuthClientConnection = builder.connectionObject(
  { type: OAuthClientNode, name: "OAuthClientConnection", description: "A page of applications." },
  OAuthClientEdge,
);

builder.objectField(ViewerType, "oauthClients", (t) =>
  t.prismaConnection(
    {
      type: OAuthClientNode,
      ...PAGES,
      description: "The applications this account registered, newest first.",
      resolve: (query, { accountId }, _args, { deps }) =>
        readPage(
          query,
          { accountId },
          (page) => deps.db.prisma.oAuthClient.findMany({ ...page, where: { accountId }, orderBy: NEWEST_FIRST }),
          (where) => deps.db.prisma.oAuthClient.count({ where }),
        ),
    },
    OAuthClientConnection,
    OAuthClientEdge,
  ),
);

builder.queryField("oauthClientsToReview", (t) =>
  t.prismaConnection(
    {
      type: OAuthClientNode,
      ...PAGES,
      description:
        "Every account's applications with a status, those that have waited longest first. For administrators and the operator; else an error of code `forbidden`.",
      args: {
        status: t.arg({
          type: OAuthClientStatusEnum,
          required: true,
          defaultValue: "pending_approval",
          description: "Which of them.",
        }),
      },
      resolve: (query, _root, { status }, { deps, viewer }) => {
        requireReviewer(viewer);
        return deps.db.prisma.oAuthClient.findMany({
          ...query,
          where: { status, accountId: { not: null } },
          orderBy: [{ statusChangedAt: "asc" }, { id: "asc" }],
        });
      },
    },
    OAuthClientConnection,
    OAuthClientEdge,
  ),
);
