import type { OAuthClient, Prisma } from "../../generated/prisma/client.ts";
import { isReviewer, requireReviewer } from "../../src/accounts/reviewer.ts";
import type { ClientKind } from "../../src/oauth/clients/find-client.ts";
import type { RegistrableKind } from "../../src/oauth/clients/register-client.ts";
import { type ClientSecretInfo, listClientSecrets } from "../../src/oauth/clients/rotate-secret.ts";
import { type ClientStatus, parseStatus, type Registration } from "../../src/oauth/clients/status.ts";
import { accessTokenLifetime } from "../../src/oauth/clients/token-lifetime.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import { selectedOf } from "../filters.ts";
import { requireAccountId } from "../owner.ts";
import { NEWEST_FIRST, PAGES, prismaList } from "../paging.ts";
import { wireEnum } from "../wire-enum.ts";

export const OAuthClientStatusEnum = wireEnum<ClientStatus>("OAuthClientStatus", "The status of an application.", {
  pending_approval: "The review is pending. Users cannot authorize the application yet.",
  approved: "The application was approved and can request payment permissions from users.",
  rejected: "The application was rejected; `statusReason` states why. Saving a change submits it for another review.",
  revoked: "Access is permanently disabled; `statusReason` states why.",
});

export const OAuthClientKindEnum = wireEnum(
  "OAuthClientKind",
  "The kind of an application. It determines whether PKCE is mandatory and how long access tokens are valid.",
  {
    confidential: "Runs on a server and can store its secret. Access tokens are valid for 60 days.",
    public: "Runs in a browser. It has no secret and PKCE is mandatory. Access tokens are valid for 30 days.",
    native:
      "Runs on the user's device. It has no secret and PKCE is mandatory. Loopback redirect URIs match with any port, and private-use URI schemes such as `com.example.app:/callback` are accepted. Access tokens are valid for 30 days.",
    automation: "An automation workflow. Access tokens are valid for 365 days.",
  },
);

const OAuthClientRegistrationEnum = wireEnum<Registration>(
  "OAuthClientRegistration",
  "Who registered an application.",
  {
    owner: "An account. Users can authorize the application after its approval.",
    document:
      "The application, with a client ID metadata document. Before its approval its scopes and suggested limits are restricted.",
    dynamic: "The application, by dynamic registration (RFC 7591). Before its approval it is restricted likewise.",
  },
);

const ResponsibleParty = builder.objectRef<OAuthClient>("OAuthClientResponsibleParty").implement({
  description: "The responsible party of an application. Locked after approval.",
  fields: (t) => ({
    fullName: t.exposeString("responsibleName", { description: "The full name." }),
    phone: t.exposeString("responsiblePhone", { description: "The telephone number." }),
    country: t.expose("responsibleCountry", { type: "CountryCode", description: "The country." }),
    address: t.exposeString("responsibleAddress", { description: "The postal address." }),
  }),
});

const AppInformation = builder.objectRef<OAuthClient>("OAuthClientApp").implement({
  description: "The information about an application that users see. It can be changed at any time.",
  fields: (t) => ({
    appName: t.exposeString("appName", { description: "The name on the consent page." }),
    supportEmail: t.exposeString("supportEmail", { description: "The support email address for users." }),
    contactEmails: t.exposeStringList("contactEmails", {
      description: "The email addresses for notices about the application. If empty, the support address is used.",
    }),
  }),
});

const OAuthClientReview = builder.prismaObject("OAuthClientReview", {
  description:
    "An entry in an application's history: a transition of its status, or a change of redirect URIs and origins.",
  fields: (t) => ({
    fromStatus: t.field({
      type: OAuthClientStatusEnum,
      nullable: true,
      description:
        "The previous status. Null for the registration; equal to `toStatus` for a change of redirect URIs and origins.",
      resolve: ({ fromStatus }) => (fromStatus === null ? null : parseStatus(fromStatus)),
    }),
    toStatus: t.field({
      type: OAuthClientStatusEnum,
      description: "The new status.",
      resolve: ({ toStatus }) => parseStatus(toStatus),
    }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "The reason, or the added and removed redirect URIs and origins.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp of the entry." }),
  }),
});

const OAuthClientSecret = builder.objectRef<ClientSecretInfo>("OAuthClientSecret").implement({
  description: "A valid secret of an application. Only its hash is stored.",
  fields: (t) => ({
    hint: t.exposeString("hint", { nullable: true, description: "The last four characters." }),
    createdAt: t.expose("createdAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the secret was created.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the replaced secret becomes invalid. Null for the current secret.",
    }),
  }),
});

export const OAuthClientNode = builder.prismaNode("OAuthClient", {
  id: { field: "id", description: "The application's global id." },
  findUnique: (id, context) =>
    isReviewer(context.viewer) ? { id, kind: { not: "command_line" } } : { id, accountId: requireAccountId(context) },
  nullable: true,
  description: "An OAuth application, with the fields for its owner and reviewers. Its secret was shown once.",
  fields: (t) => ({
    clientId: t.exposeID("id", { description: "The OAuth `client_id`." }),
    kind: t.field({
      type: OAuthClientKindEnum,
      description: "The kind of the application.",
      resolve: ({ kind }) => kind as RegistrableKind,
    }),
    registration: t.field({
      type: OAuthClientRegistrationEnum,
      description: "Who registered the application.",
      resolve: ({ registration }) => registration as Registration,
    }),
    status: t.field({
      type: OAuthClientStatusEnum,
      description: "The status of the application.",
      resolve: ({ status }) => parseStatus(status),
    }),
    statusReason: t.exposeString("statusReason", {
      nullable: true,
      description: "The reason of the rejection or revocation, or the reviewer's note on the approval.",
    }),
    statusChangedAt: t.expose("statusChangedAt", {
      type: "DateTime",
      description: "Timestamp when the status last changed.",
    }),
    responsible: t.field({
      type: ResponsibleParty,
      description: "The responsible party.",
      resolve: (client) => client,
    }),
    app: t.field({ type: AppInformation, description: "The information that users see.", resolve: (client) => client }),
    javascriptOrigins: t.expose("javascriptOrigins", {
      type: ["Url"],
      description: "The origins from which browsers may call this service after approval.",
    }),
    redirectUris: t.expose("redirectUris", {
      type: ["Url"],
      description:
        "The redirect URIs, compared byte for byte. A native application may use any port of a loopback URI.",
    }),
    requirePushedAuthorizationRequests: t.exposeBoolean("requirePushedRequests", {
      description: "Whether authorization requests must be pushed to `POST /oauth/par` (RFC 9126).",
    }),
    requireSecretOnRefresh: t.exposeBoolean("requireSecretOnRefresh", {
      description: "Whether a refresh requires the secret. Recommended for applications that can store one.",
    }),
    deviceGrant: t.exposeBoolean("deviceGrant", {
      description: "Whether it may use the device authorization grant (RFC 8628).",
    }),
    strictScopes: t.exposeBoolean("strictScopes", {
      description:
        "Whether the scopes of its tokens are enforced. Otherwise every token may call the REST routes of the contract, unless the grant or the account enforces scopes. Tokens of applications registered before 2026-11-27 may also use GraphQL and the other routes.",
    }),
    accessTokenLifetimeSeconds: t.int({
      description: "The lifetime of new access tokens in seconds.",
      resolve: ({ kind, accessTokenSeconds }) => accessTokenLifetime({ kind: kind as ClientKind, accessTokenSeconds }),
    }),
    secrets: t.field({
      type: [OAuthClientSecret],
      description: "The valid secrets, the current one first. A replaced secret is listed until it expires.",
      resolve: (client) => [...listClientSecrets(client)],
    }),
    secretHint: t.exposeString("secretHint", {
      nullable: true,
      description: "The last four characters of the secret. Null for a public client.",
    }),
    secretCreatedAt: t.expose("secretCreatedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the secret was created.",
    }),
    createdAt: t.expose("createdAt", {
      type: "DateTime",
      description: "Timestamp when the application was registered.",
    }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "Timestamp of the last change except the secret. Reviewers pass it as `ifUpdatedAt`.",
    }),
  }),
});

const reviewsOf = createConnectionReader(
  { table: "oauth_client_reviews", parentColumn: "client_id", timeColumn: "created_at", order: "oldest first" },
  ({ deps }, selection: Prisma.OAuthClientReviewDefaultArgs, ids) =>
    deps.db.prisma.oAuthClientReview.findMany({ ...selection, where: { id: { in: ids } } }),
);

builder.objectField(OAuthClientNode, "reviews", (t) =>
  t.connection(
    {
      type: OAuthClientReview,
      ...PAGES,
      description: "The application's history, oldest first.",
      resolve: ({ id }, args, context, info) => resolveConnection(args, context, info, reviewsOf(context, id)),
    },
    { name: "OAuthClientReviewConnection", description: "A page of an application's history." },
    { name: "OAuthClientReviewEdge", description: "An entry in a list." },
  ),
);

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
  t.connection(
    {
      type: OAuthClientNode,
      ...PAGES,
      description: "The applications that this account registered, newest first.",
      resolve: ({ accountId }, args, context, info) => {
        const { oAuthClient } = context.deps.db.prisma;
        const clients = prismaList(
          { accountId },
          { accountId },
          (query: Prisma.OAuthClientFindManyArgs) => oAuthClient.findMany({ ...query, orderBy: NEWEST_FIRST }),
          (query) => oAuthClient.count(query),
        );
        return resolveConnection(args, context, info, clients);
      },
    },
    OAuthClientConnection,
    OAuthClientEdge,
  ),
);

const OAuthClientFilter = builder.inputType("OAuthClientFilter", {
  description: "Filters for applications.",
  fields: (t) => ({
    statuses: t.field({
      type: [OAuthClientStatusEnum],
      description: "The statuses of the applications. Default: those that wait for a review.",
    }),
    registrations: t.field({
      type: [OAuthClientRegistrationEnum],
      description:
        "Who registered the applications. Default: owners, and applications that registered themselves and were approved before.",
    }),
  }),
});

builder.queryField("oauthClientsToReview", (t) =>
  t.connection(
    {
      type: OAuthClientNode,
      ...PAGES,
      description:
        "The applications of all accounts with certain statuses, longest waiting first. Requires an administrator's session or the operator's admin token; otherwise an error of code `forbidden`.",
      args: {
        filter: t.arg({
          type: OAuthClientFilter,
          description: "Filter. Default: the applications that wait for a review.",
        }),
      },
      resolve: (_root, args, context, info) => {
        requireReviewer(context.viewer);
        const { oAuthClient } = context.deps.db.prisma;
        const registrations = selectedOf(args.filter?.registrations);
        const clients = prismaList(
          {},
          {
            status: { in: [...(selectedOf(args.filter?.statuses) ?? ["pending_approval"])] },
            ...(registrations ? { registration: { in: [...registrations] } } : { isListedForReview: true }),
            // The command line client belongs to no account.
            kind: { not: "command_line" },
          },
          (query: Prisma.OAuthClientFindManyArgs) =>
            oAuthClient.findMany({ ...query, orderBy: [{ statusChangedAt: "asc" }, { id: "asc" }] }),
          (query) => oAuthClient.count(query),
        );
        return resolveConnection(args, context, info, clients);
      },
    },
    OAuthClientConnection,
    OAuthClientEdge,
  ),
);

lookUpById("oauthClient", "OAuthClient", OAuthClientNode, "the application");
