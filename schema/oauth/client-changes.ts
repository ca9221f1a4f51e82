/** Mutations of applications by their owner: register, update, rotate the secret. */
import type { OAuthClient } from "../../generated/prisma/client.ts";
import { registerClient } from "../../src/oauth/clients/register-client.ts";
import { rotateClientSecret } from "../../src/oauth/clients/rotate-secret.ts";
import { LockedFieldError, updateClient } from "../../src/oauth/clients/update-client.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, createErrorOptions } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { OAuthClientKindEnum, OAuthClientNode } from "./clients.ts";

builder.objectType(LockedFieldError, {
  name: "LockedFieldError",
  ...createErrorOptions("The responsible party of an approved application cannot be changed. Nothing was changed."),
  fields: (t) => ({
    field: t.exposeString("field", { nullable: true, description: "The path of the field in the input." }),
  }),
});

const TEXT = {
  fullName: "The full name, 1 to 200 characters.",
  phone: "The telephone number, such as `+351 210 000 000`.",
  country: "The country.",
  address: "The postal address, 1 to 500 characters. May contain line breaks.",
  appName: "The name on the consent page, 1 to 60 characters.",
  supportEmail: "The support email address for users.",
  contactEmails: "The email addresses for notices about the application, at most 50. Defaults to the support address.",
  javascriptOrigins:
    "The origins from which browsers may call this service, such as `https://app.example`, at most 20.",
  strictScopes:
    "Whether the scopes of its tokens are enforced. False: every token may call the REST routes of the contract, as the consent page states. GraphQL and other routes enforce them nevertheless.",
  accessTokenLifetimeSeconds:
    "The lifetime in seconds of access tokens issued from then on: at least 60, at most the default of the kind.",
  redirectUris:
    "The redirect URIs, 1 to 20, compared byte for byte. Absolute https URIs (http for `localhost`, `127.0.0.1` and `[::1]`) without fragment, user name or wildcard. For a native application also private-use schemes in reverse domain form, such as `com.example.app:/callback`.",
};

const DEVICE_GRANT =
  "Whether it may use the device authorization grant (RFC 8628), for devices without a browser. Default: false.";

const ResponsiblePartyInput = builder.inputType("OAuthClientResponsiblePartyInput", {
  description: "Step 1: the responsible party of an application. Locked after approval.",
  fields: (t) => ({
    fullName: t.string({ required: true, description: TEXT.fullName }),
    phone: t.string({ required: true, description: TEXT.phone }),
    country: t.field({ type: "CountryCode", required: true, description: TEXT.country }),
    address: t.string({ required: true, description: TEXT.address }),
  }),
});

const AppInput = builder.inputType("OAuthClientAppInput", {
  description: "Step 2: the information about an application that users see.",
  fields: (t) => ({
    appName: t.string({ required: true, description: TEXT.appName }),
    supportEmail: t.string({ required: true, description: TEXT.supportEmail }),
    contactEmails: t.stringList({ description: TEXT.contactEmails }),
  }),
});

const ConfigurationInput = builder.inputType("OAuthClientConfigurationInput", {
  description: "Step 3: the OAuth configuration of an application.",
  fields: (t) => ({
    javascriptOrigins: t.field({ type: ["Url"], description: TEXT.javascriptOrigins }),
    redirectUris: t.field({ type: ["Url"], required: true, description: TEXT.redirectUris }),
    acceptTerms: t.boolean({
      required: true,
      description: "Whether the terms of this service are accepted. Must be true.",
    }),
  }),
});

const RegisterOAuthClientInput = builder.inputType("RegisterOAuthClientInput", {
  description: "A new application.",
  fields: (t) => ({
    kind: t.field({
      type: OAuthClientKindEnum,
      required: true,
      description: "The kind of application. It cannot be changed.",
    }),
    responsible: t.field({ type: ResponsiblePartyInput, required: true, description: "The responsible party." }),
    app: t.field({ type: AppInput, required: true, description: "The information that users see." }),
    oauth: t.field({ type: ConfigurationInput, required: true, description: "The OAuth configuration." }),
    strictScopes: t.boolean({ description: `${TEXT.strictScopes} Default: true.` }),
    accessTokenLifetimeSeconds: t.int({ description: `${TEXT.accessTokenLifetimeSeconds} Default: that default.` }),
    deviceGrant: t.boolean({ description: DEVICE_GRANT }),
  }),
});

interface RegisteredClient {
  readonly client: OAuthClient;
  readonly secret: string | null;
}

interface WithSecret {
  readonly client: OAuthClient;
  readonly secret: string;
}

const RegisterOAuthClientSuccess = builder.objectRef<RegisteredClient>("RegisterOAuthClientSuccess").implement({
  description: "The application was registered. Its approval is pending.",
  fields: (t) => ({
    client: t.expose("client", { type: OAuthClientNode, description: "The new application." }),
    secret: t.exposeString("secret", {
      nullable: true,
      description: "The `client_secret`. Shown only once. Null for a public client, which has none.",
    }),
  }),
});

builder.mutationField("registerOAuthClient", (t) =>
  t.field({
    type: RegisterOAuthClientSuccess,
    description:
      "Registers an application. Users can authorize it once it is approved. Requires the scope `account:manage`.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "RegisterOAuthClientResult", description: "The new application or an error." },
    },
    args: { input: t.arg({ type: RegisterOAuthClientInput, required: true, description: "The new application." }) },
    resolve: (_root, { input: { kind, responsible, app, oauth, ...input } }, { deps, viewer }) =>
      registerClient(deps, viewer, {
        kind,
        steps: {
          responsible,
          app: { ...app, contactEmails: app.contactEmails ?? [] },
          oauth: { redirectUris: oauth.redirectUris, javascriptOrigins: oauth.javascriptOrigins ?? [] },
        },
        deviceGrant: input.deviceGrant ?? false,
        acceptTerms: oauth.acceptTerms,
        strictScopes: input.strictScopes ?? true,
        accessTokenSeconds: input.accessTokenLifetimeSeconds ?? null,
      }),
  }),
);

const ResponsiblePartyChanges = builder.inputType("OAuthClientResponsiblePartyChanges", {
  description: "Changes of the responsible party. Absent or null fields remain unchanged.",
  fields: (t) => ({
    fullName: t.string({ description: TEXT.fullName }),
    phone: t.string({ description: TEXT.phone }),
    country: t.field({ type: "CountryCode", description: TEXT.country }),
    address: t.string({ description: TEXT.address }),
  }),
});

const AppChanges = builder.inputType("OAuthClientAppChanges", {
  description: "Changes of the information that users see. Absent or null fields remain unchanged.",
  fields: (t) => ({
    appName: t.string({ description: TEXT.appName }),
    supportEmail: t.string({ description: TEXT.supportEmail }),
    contactEmails: t.stringList({ description: TEXT.contactEmails }),
  }),
});

const ConfigurationChanges = builder.inputType("OAuthClientConfigurationChanges", {
  description: "Changes of redirect URIs and origins. Absent or null fields remain unchanged.",
  fields: (t) => ({
    javascriptOrigins: t.field({ type: ["Url"], description: TEXT.javascriptOrigins }),
    redirectUris: t.field({ type: ["Url"], description: TEXT.redirectUris }),
  }),
});

const ID = "The application's global id.";

const UpdateOAuthClientInput = builder.inputType("UpdateOAuthClientInput", {
  description:
    "Changes of an application. Absent or null fields remain unchanged. Saving one of the three steps of a rejected application submits it for another review. New redirect URIs and origins of an approved application take effect immediately, and its contacts are notified by email.",
  fields: (t) => ({
    id: t.id({ required: true, description: ID, validate: idOf("OAuthClient") }),
    responsible: t.field({ type: ResponsiblePartyChanges, description: "The responsible party." }),
    app: t.field({ type: AppChanges, description: "The information that users see." }),
    oauth: t.field({ type: ConfigurationChanges, description: "The redirect URIs and origins." }),
    requireSecretOnRefresh: t.boolean({ description: "Whether a refresh requires the secret." }),
    strictScopes: t.boolean({
      description: `${TEXT.strictScopes} False affects only grants that users give from then on.`,
    }),
    accessTokenLifetimeSeconds: t.int({ description: TEXT.accessTokenLifetimeSeconds }),
    requirePushedAuthorizationRequests: t.boolean({
      description: "Whether authorization requests must be pushed to `POST /oauth/par` (RFC 9126).",
    }),
    deviceGrant: t.boolean({ description: DEVICE_GRANT }),
  }),
});

const UpdateOAuthClientSuccess = builder.objectRef<{ client: OAuthClient }>("UpdateOAuthClientSuccess").implement({
  description: "The application was updated.",
  fields: (t) => ({ client: t.expose("client", { type: OAuthClientNode, description: "The updated application." }) }),
});

builder.mutationField("updateOAuthClient", (t) =>
  t.field({
    type: UpdateOAuthClientSuccess,
    description: "Updates an application of this account. Requires the scope `account:manage`.",
    errors: {
      types: [...BOUNDED_ERRORS, LockedFieldError],
      union: { name: "UpdateOAuthClientResult", description: "The updated application or an error." },
    },
    args: { input: t.arg({ type: UpdateOAuthClientInput, required: true, description: "The changes." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      client: await updateClient(deps, viewer, input.id, {
        steps: {
          responsible: changedFields(input.responsible),
          app: changedFields(input.app),
          oauth: changedFields(input.oauth),
        },
        requireSecretOnRefresh: input.requireSecretOnRefresh ?? undefined,
        requirePushedRequests: input.requirePushedAuthorizationRequests ?? undefined,
        strictScopes: input.strictScopes ?? undefined,
        accessTokenSeconds: input.accessTokenLifetimeSeconds ?? undefined,
        deviceGrant: input.deviceGrant ?? undefined,
      }),
    }),
  }),
);

const RotateOAuthClientSecretInput = builder.inputType("RotateOAuthClientSecretInput", {
  description: "The application whose secret to rotate.",
  fields: (t) => ({
    id: t.id({ required: true, description: ID, validate: idOf("OAuthClient") }),
    overlapHours: t.int({
      description:
        "Hours for which the replaced secret remains valid, from 0 to 720. Default: 24. Send 0 if it was compromised.",
    }),
  }),
});

const RotateOAuthClientSecretSuccess = builder.objectRef<WithSecret>("RotateOAuthClientSecretSuccess").implement({
  description: "The secret was replaced. The previous one remains valid for the overlap.",
  fields: (t) => ({
    client: t.expose("client", { type: OAuthClientNode, description: "The application." }),
    secret: t.exposeString("secret", { description: "The new `client_secret`. Shown only once." }),
  }),
});

builder.mutationField("rotateOAuthClientSecret", (t) =>
  t.field({
    type: RotateOAuthClientSecretSuccess,
    description:
      "Replaces the secret of an application of this account, which must not be public. The previous one remains valid for `overlapHours`. Requires the scope `account:manage`.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "RotateOAuthClientSecretResult", description: "The new secret or an error." },
    },
    args: { input: t.arg({ type: RotateOAuthClientSecretInput, required: true, description: "The application." }) },
    resolve: (_root, { input: { id, overlapHours } }, { deps, viewer }) =>
      rotateClientSecret(deps, viewer, id, overlapHours ?? undefined),
  }),
);

type ChangedFields<Fields extends object> = { [Name in keyof Fields]?: Exclude<Fields[Name], null | undefined> };

/** Returns the fields of a step that are neither null nor absent; undefined if the step is absent. */
function changedFields<Fields extends object>(step: Fields | null | undefined): ChangedFields<Fields> | undefined {
  if (!step) return undefined;
  return Object.fromEntries(
    Object.entries(step).filter(([, value]) => value !== null && value !== undefined),
  ) as ChangedFields<Fields>;
}
