/** What an owner may do with an application: register it, change it, give it a new secret. */
import type { OAuthClient } from "../../generated/prisma/client.ts";
import { registerClient } from "../../src/oauth/clients/register-client.ts";
import { rotateClientSecret } from "../../src/oauth/clients/rotate-secret.ts";
import { LockedFieldError, updateClient } from "../../src/oauth/clients/update-client.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, errorOf } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { OAuthClientKindEnum, OAuthClientNode } from "./clients.ts";

builder.objectType(LockedFieldError, {
  name: "LockedFieldError",
  ...errorOf("The responsible party of an approved application cannot change."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The place in the input." }) }),
});

const TEXT = {
  fullName: "Their full name; 1 to 200 characters.",
  phone: "Their telephone number, such as `+351 210 000 000`.",
  country: "Their country, as its ISO 3166-1 two-letter code.",
  address: "Their postal address; 1 to 500 characters, line breaks among them.",
  appName: "Its name, as the consent page shows it; 1 to 60 characters.",
  supportEmail: "Where its users find help.",
  contactEmails: "Who is written to about it, at most 50; while empty, the support address is.",
  javascriptOrigins:
    "From where browsers may call this service: exact origins such as `https://app.example`, at most 20.",
  redirectUris:
    "Where people may be sent back to, 1 to 20, compared byte for byte: absolute https addresses (http for `localhost`, `127.0.0.1` and `[::1]`) without fragment, user name and wildcard.",
};

const ResponsiblePartyInput = builder.inputType("OAuthClientResponsiblePartyInput", {
  description: "Step 1: who answers for an application. Locked once it is approved.",
  fields: (t) => ({
    fullName: t.string({ required: true, description: TEXT.fullName }),
    phone: t.string({ required: true, description: TEXT.phone }),
    country: t.string({ required: true, description: TEXT.country }),
    address: t.string({ required: true, description: TEXT.address }),
  }),
});

const AppInput = builder.inputType("OAuthClientAppInput", {
  description: "Step 2: what people see of an application.",
  fields: (t) => ({
    appName: t.string({ required: true, description: TEXT.appName }),
    supportEmail: t.string({ required: true, description: TEXT.supportEmail }),
    contactEmails: t.stringList({ description: TEXT.contactEmails }),
  }),
});

const ConfigurationInput = builder.inputType("OAuthClientConfigurationInput", {
  description: "Step 3: the OAuth configuration of an application.",
  fields: (t) => ({
    javascriptOrigins: t.stringList({ description: TEXT.javascriptOrigins }),
    redirectUris: t.stringList({ required: true, description: TEXT.redirectUris }),
    acceptTerms: t.boolean({ required: true, description: "True: the terms of this service are accepted." }),
  }),
});

const RegisterOAuthClientInput = builder.inputType("RegisterOAuthClientInput", {
  description: "A new application.",
  fields: (t) => ({
    kind: t.field({ type: OAuthClientKindEnum, required: true, description: "What it is. It cannot change." }),
    responsible: t.field({ type: ResponsiblePartyInput, required: true, description: "Who answers for it." }),
    app: t.field({ type: AppInput, required: true, description: "What people see of it." }),
    oauth: t.field({ type: ConfigurationInput, required: true, description: "Its OAuth configuration." }),
  }),
});

interface WithSecret {
  readonly client: OAuthClient;
  readonly secret: string;
}

const RegisterOAuthClientSuccess = builder.objectRef<WithSecret>("RegisterOAuthClientSuccess").implement({
  description: "The application is registered and waits for approval.",
  fields: (t) => ({
    client: t.expose("client", { type: OAuthClientNode, description: "The new application." }),
    secret: t.exposeString("secret", { description: "Its `client_secret`. Shown this once." }),
  }),
});

builder.mutationField("registerOAuthClient", (t) =>
  t.field({
    type: RegisterOAuthClientSuccess,
    description: "Registers an application, which then waits for approval. Needs the scope `account:manage`.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "RegisterOAuthClientResult", description: "The new application, or why there is none." },
    },
    args: { input: t.arg({ type: RegisterOAuthClientInput, required: true, description: "The new application." }) },
    resolve: (_root, { input: { kind, responsible, app, oauth } }, { deps, viewer }) =>
      registerClient(deps, viewer, {
        kind,
        steps: {
          responsible,
          app: { ...app, contactEmails: app.contactEmails ?? [] },
          oauth: { redirectUris: oauth.redirectUris, javascriptOrigins: oauth.javascriptOrigins ?? [] },
        },
        acceptTerms: oauth.acceptTerms,
      }),
  }),
);

const ResponsiblePartyChanges = builder.inputType("OAuthClientResponsiblePartyChanges", {
  description: "Changes of who answers for an application; what is absent or null stays.",
  fields: (t) => ({
    fullName: t.string({ description: TEXT.fullName }),
    phone: t.string({ description: TEXT.phone }),
    country: t.string({ description: TEXT.country }),
    address: t.string({ description: TEXT.address }),
  }),
});

const AppChanges = builder.inputType("OAuthClientAppChanges", {
  description: "Changes of what people see of an application; what is absent or null stays.",
  fields: (t) => ({
    appName: t.string({ description: TEXT.appName }),
    supportEmail: t.string({ description: TEXT.supportEmail }),
    contactEmails: t.stringList({ description: TEXT.contactEmails }),
  }),
});

const ConfigurationChanges = builder.inputType("OAuthClientConfigurationChanges", {
  description: "Changes of an application's addresses; what is absent or null stays.",
  fields: (t) => ({
    javascriptOrigins: t.stringList({ description: TEXT.javascriptOrigins }),
    redirectUris: t.stringList({ description: TEXT.redirectUris }),
  }),
});

const ID = "The application's global id.";

const UpdateOAuthClientInput = builder.inputType("UpdateOAuthClientInput", {
  description:
    "Changes of an application; what is absent or null stays. Saving any of the three steps of a rejected one asks for another review. New addresses of an approved one hold at once; its contacts are written to.",
  fields: (t) => ({
    id: t.globalID({ required: true, description: ID }),
    responsible: t.field({ type: ResponsiblePartyChanges, description: "Who answers for it." }),
    app: t.field({ type: AppChanges, description: "What people see of it." }),
    oauth: t.field({ type: ConfigurationChanges, description: "Its addresses." }),
    requireSecretOnRefresh: t.boolean({ description: "Whether a refresh needs the secret." }),
    strictScopes: t.boolean({ description: "Whether its tokens may only do what their scopes say." }),
  }),
});

const UpdateOAuthClientSuccess = builder.objectRef<{ client: OAuthClient }>("UpdateOAuthClientSuccess").implement({
  description: "The application is changed.",
  fields: (t) => ({ client: t.expose("client", { type: OAuthClientNode, description: "It as it now is." }) }),
});

builder.mutationField("updateOAuthClient", (t) =>
  t.field({
    type: UpdateOAuthClientSuccess,
    description: "Changes an application of this account. Needs the scope `account:manage`.",
    errors: {
      types: [...BOUNDED_ERRORS, LockedFieldError],
      union: { name: "UpdateOAuthClientResult", description: "The application, or why it stayed as it was." },
    },
    args: { input: t.arg({ type: UpdateOAuthClientInput, required: true, description: "The changes." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      client: await updateClient(deps, viewer, idOf("OAuthClient", input.id), {
        steps: { responsible: given(input.responsible), app: given(input.app), oauth: given(input.oauth) },
        requireSecretOnRefresh: input.requireSecretOnRefresh ?? undefined,
        strictScopes: input.strictScopes ?? undefined,
      }),
    }),
  }),
);

const RotateOAuthClientSecretInput = builder.inputType("RotateOAuthClientSecretInput", {
  description: "The application to give a new secret.",
  fields: (t) => ({ id: t.globalID({ required: true, description: ID }) }),
});

const RotateOAuthClientSecretSuccess = builder.objectRef<WithSecret>("RotateOAuthClientSecretSuccess").implement({
  description: "The application has a new secret; the one before no longer works.",
  fields: (t) => ({
    client: t.expose("client", { type: OAuthClientNode, description: "The application." }),
    secret: t.exposeString("secret", { description: "Its new `client_secret`. Shown this once." }),
  }),
});

builder.mutationField("rotateOAuthClientSecret", (t) =>
  t.field({
    type: RotateOAuthClientSecretSuccess,
    description:
      "Gives an application of this account a new secret, and ends the one before at once. Needs the scope `account:manage`.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "RotateOAuthClientSecretResult", description: "The new secret, or why the old one stays." },
    },
    args: { input: t.arg({ type: RotateOAuthClientSecretInput, required: true, description: "The application." }) },
    resolve: (_root, { input: { id } }, { deps, viewer }) => rotateClientSecret(deps, viewer, idOf("OAuthClient", id)),
  }),
);

type Given<Fields extends object> = { [Name in keyof Fields]?: Exclude<Fields[Name], null | undefined> };

/** The fields that are to change; undefined when the step is not given. */
function given<Fields extends object>(step: Fields | null | undefined): Given<Fields> | undefined {
  if (!step) return undefined;
  return Object.fromEntries(
    Object.entries(step).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<Fields>;
}
