/** The token, revocation and introspection endpoints. Clients authenticate with their own credentials. */
import { type ActiveToken, introspectToken } from "../../src/oauth/introspect-token.ts";
import { issueToken } from "../../src/oauth/issue-token.ts";
import { authorizationServerMetadata } from "../../src/oauth/metadata.ts";
import { revokeToken } from "../../src/oauth/revoke-token.ts";
import type { TokenResponse } from "../../src/oauth/token-pair.ts";
import { RateLimitedError } from "../../src/platform/errors.ts";
import { limitByNetwork } from "../../src/platform/http/limit-by-network.ts";
import { builder } from "../builder.ts";
import { INTERNAL } from "../schema-variants.ts";
import { OAUTH_ERRORS } from "./errors.ts";

/** Limited per network, because each poll writes a row: 100 devices that poll every 5 seconds. */
const DEVICE_POLLS_PER_MINUTE = 1_200;

const CLIENT_ID = "The application's `client_id`.";
const CLIENT_SECRET = "The application's `client_secret`. Omitted by public clients.";

const IssueOAuthTokenInput = builder.inputType("IssueOAuthTokenInput", {
  description:
    "A token request (RFC 6749 sections 4.1.3 and 6, RFC 8628 section 3.4). Empty values are treated as absent.",
  fields: (t) => ({
    grantType: t.string({
      description: "`authorization_code`, `refresh_token` or `urn:ietf:params:oauth:grant-type:device_code`.",
    }),
    code: t.string({ description: "The authorization code." }),
    redirectUri: t.string({ description: "The redirect URI, identical to the one at `/oauth/authorize`." }),
    clientId: t.string({ description: CLIENT_ID }),
    clientSecret: t.string({ description: CLIENT_SECRET }),
    codeVerifier: t.string({ description: "The code verifier of the code challenge (RFC 7636)." }),
    refreshToken: t.string({ description: "The refresh token. It is consumed." }),
    deviceCode: t.string({ description: "The device code of a poll." }),
    scope: t.string({
      description:
        "With a refresh token: a subset of the granted scopes for the new access token, separated by spaces.",
    }),
    resource: t.string({
      description: "Identifiers of protected resources (RFC 8707), separated by spaces: a subset of the granted ones.",
    }),
    dpopProof: t.string({ description: "The `DPoP` header, which binds the tokens to its key (RFC 9449)." }),
  }),
});

const IssueOAuthTokenSuccess = builder.objectRef<TokenResponse>("IssueOAuthTokenSuccess").implement({
  description: "A pair of tokens. Shown only once.",
  fields: (t) => ({
    accessToken: t.exposeString("accessToken", { description: "The token to send as `Authorization: Bearer`." }),
    refreshToken: t.exposeString("refreshToken", {
      description: "The token to request the next pair. It returns the same pair until one of its tokens is used.",
    }),
    tokenType: t.exposeString("tokenType", { description: "`Bearer`, or `DPoP` if bound to a key." }),
    expiresIn: t.exposeInt("expiresIn", { description: "Seconds until the access token expires." }),
    scope: t.exposeString("scope", { description: "The scopes of the access token, separated by spaces." }),
  }),
});

builder.mutationField("issueOAuthToken", (t) =>
  t.field({
    ...INTERNAL,
    type: IssueOAuthTokenSuccess,
    description:
      "Exchanges an authorization code, a refresh token or a device code for a pair of tokens, like `POST /oauth/token`.",
    errors: {
      types: [...OAUTH_ERRORS, RateLimitedError],
      union: { name: "IssueOAuthTokenResult", description: "The tokens or an error." },
    },
    args: { input: t.arg({ type: IssueOAuthTokenInput, required: true, description: "The token request." }) },
    resolve: async (_root, { input }, { deps, ip }) => {
      if (input.deviceCode) await limitByNetwork(deps, "oauth_device_poll", ip, DEVICE_POLLS_PER_MINUTE);
      return await issueToken(deps, {
        grantType: input.grantType || null,
        code: input.code || null,
        redirectUri: input.redirectUri || null,
        clientId: input.clientId || null,
        clientSecret: input.clientSecret || null,
        codeVerifier: input.codeVerifier || null,
        refreshToken: input.refreshToken || null,
        deviceCode: input.deviceCode || null,
        scope: input.scope || null,
        resource: input.resource || null,
        dpopProof: input.dpopProof || null,
      });
    },
  }),
);

const RevokeOAuthTokenInput = builder.inputType("RevokeOAuthTokenInput", {
  description: "A token to revoke (RFC 7009).",
  fields: (t) => ({
    token: t.string({ description: "The access or refresh token." }),
    tokenTypeHint: t.string({ description: "Accepted and ignored." }),
    clientId: t.string({ description: CLIENT_ID }),
    clientSecret: t.string({ description: CLIENT_SECRET }),
  }),
});

const RevokeOAuthTokenSuccess = builder.objectRef<{ revoked: true }>("RevokeOAuthTokenSuccess").implement({
  description: "The token is invalid. The result is the same if it was invalid before.",
  fields: (t) => ({ revoked: t.exposeBoolean("revoked", { description: "Always true." }) }),
});

builder.mutationField("revokeOAuthToken", (t) =>
  t.field({
    ...INTERNAL,
    type: RevokeOAuthTokenSuccess,
    description:
      "Revokes a token of the application, like `POST /oauth/revoke`. Revoking a refresh token revokes all tokens of the same authorization. Revoking an access token revokes only that token.",
    errors: {
      types: OAUTH_ERRORS,
      union: { name: "RevokeOAuthTokenResult", description: "The result of the revocation or an error." },
    },
    args: { input: t.arg({ type: RevokeOAuthTokenInput, required: true, description: "The token to revoke." }) },
    resolve: async (_root, { input }, { deps }) => {
      const { token, clientId, clientSecret } = input;
      await revokeToken(deps, {
        token: token || null,
        clientId: clientId || null,
        clientSecret: clientSecret || null,
      });
      return { revoked: true as const };
    },
  }),
);

const IntrospectOAuthTokenInput = builder.inputType("IntrospectOAuthTokenInput", {
  description: "A token to introspect (RFC 7662).",
  fields: (t) => ({
    token: t.string({ description: "The access or refresh token." }),
    tokenTypeHint: t.string({ description: "Accepted and ignored." }),
    clientId: t.string({ description: CLIENT_ID }),
    clientSecret: t.string({
      description:
        "The application's `client_secret`. Required, because only authenticated applications can introspect tokens.",
    }),
  }),
});

const ActiveTokenType = builder.objectRef<ActiveToken>("LiveOAuthToken").implement({
  description: "An active token.",
  fields: (t) => ({
    scope: t.exposeString("scope", { description: "The scopes of the token, separated by spaces." }),
    clientId: t.exposeString("clientId", { description: CLIENT_ID }),
    isAccessToken: t.boolean({
      description: "Whether the token is an access token. Otherwise it is a refresh token.",
      resolve: ({ kind }) => kind === "access",
    }),
    issuedAt: t.expose("issuedAt", { type: "DateTime", description: "Timestamp when the token was issued." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the token expires." }),
    sub: t.exposeID("sub", { description: "The subject identifier of the account." }),
    audience: t.exposeStringList("audience", {
      description: "Identifiers of the resources that accept the token. Empty if all do.",
    }),
    scopeEnforcement: t.exposeString("scopeEnforcement", {
      description:
        "Where its scopes are enforced: `all`, `except_contract_routes` or `none`. The latter two are the waiver.",
    }),
    dpopJkt: t.exposeString("dpopJkt", {
      nullable: true,
      description: "The thumbprint of the key that the token is bound to. Null for a bearer token.",
    }),
  }),
});

const IntrospectOAuthTokenSuccess = builder
  .objectRef<{ token: ActiveToken | null }>("IntrospectOAuthTokenSuccess")
  .implement({
    description: "The result of the introspection.",
    fields: (t) => ({
      token: t.expose("token", {
        type: ActiveTokenType,
        nullable: true,
        description: "The token. Null if it is not active: unknown, expired, revoked, or another application's.",
      }),
    }),
  });

builder.queryField("introspectOAuthToken", (t) =>
  t.field({
    ...INTERNAL,
    type: IntrospectOAuthTokenSuccess,
    description: "Introspects a token of the application, like `POST /oauth/introspect`.",
    errors: {
      types: OAUTH_ERRORS,
      union: { name: "IntrospectOAuthTokenResult", description: "The result of the introspection or an error." },
    },
    args: {
      input: t.arg({ type: IntrospectOAuthTokenInput, required: true, description: "The token to introspect." }),
    },
    resolve: async (_root, { input }, { deps }) => {
      const { token, clientId, clientSecret } = input;
      const request = { token: token || null, clientId: clientId || null, clientSecret: clientSecret || null };
      return { token: await introspectToken(deps, request) };
    },
  }),
);

builder.queryField("authorizationServer", (t) =>
  t.field({
    ...INTERNAL,
    type: "JSON",
    description: "The authorization server metadata (RFC 8414).",
    resolve: (_root, _args, { deps }) => authorizationServerMetadata(deps),
  }),
);
