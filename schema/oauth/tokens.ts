/** The token endpoint and its neighbours, open to whoever holds a client's credentials. */
import { type ActiveToken, introspectToken } from "../../src/oauth/introspect-token.ts";
import { issueToken } from "../../src/oauth/issue-token.ts";
import { authorizationServerMetadata } from "../../src/oauth/metadata.ts";
import { revokeToken } from "../../src/oauth/revoke-token.ts";
import type { TokenResponse } from "../../src/oauth/token-pair.ts";
import { builder } from "../builder.ts";
import { OAUTH_ERRORS } from "./errors.ts";

const CLIENT_ID = "The application's `client_id`.";
const CLIENT_SECRET = "Its secret, where it has one to prove itself with.";

const IssueOAuthTokenInput = builder.inputType("IssueOAuthTokenInput", {
  description: "A token request (RFC 6749 sections 4.1.3 and 6). An empty text counts as absent.",
  fields: (t) => ({
    grantType: t.string({ description: "`authorization_code` or `refresh_token`." }),
    code: t.string({ description: "The authorization code." }),
    redirectUri: t.string({ description: "Exactly as at `/oauth/authorize`." }),
    clientId: t.string({ description: CLIENT_ID }),
    clientSecret: t.string({ description: CLIENT_SECRET }),
    codeVerifier: t.string({ description: "What the code challenge was made of (RFC 7636)." }),
    refreshToken: t.string({ description: "The refresh token; it is used up." }),
    scope: t.string({ description: "With a refresh token: less than was granted, for this access token." }),
  }),
});

const IssueOAuthTokenSuccess = builder.objectRef<TokenResponse>("IssueOAuthTokenSuccess").implement({
  description: "A pair of tokens. Shown this once.",
  fields: (t) => ({
    accessToken: t.exposeString("accessToken", { description: "What is sent as `Authorization: Bearer`." }),
    refreshToken: t.exposeString("refreshToken", { description: "What the next pair is asked for with, once." }),
    tokenType: t.exposeString("tokenType", { description: "Always `Bearer`." }),
    expiresIn: t.exposeInt("expiresIn", { description: "Seconds until the access token ends." }),
    scope: t.exposeString("scope", { description: "What the access token was granted, separated by spaces." }),
  }),
});

builder.mutationField("issueOAuthToken", (t) =>
  t.field({
    type: IssueOAuthTokenSuccess,
    description:
      "Exchanges an authorization code or a refresh token for a pair of tokens. What `POST /oauth/token` runs.",
    errors: {
      types: OAUTH_ERRORS,
      union: { name: "IssueOAuthTokenResult", description: "The tokens, or why there are none." },
    },
    args: { input: t.arg({ type: IssueOAuthTokenInput, required: true, description: "The token request." }) },
    resolve: (_root, { input }, { deps }) =>
      issueToken(deps, {
        grantType: input.grantType || null,
        code: input.code || null,
        redirectUri: input.redirectUri || null,
        clientId: input.clientId || null,
        clientSecret: input.clientSecret || null,
        codeVerifier: input.codeVerifier || null,
        refreshToken: input.refreshToken || null,
        scope: input.scope || null,
      }),
  }),
);

const RevokeOAuthTokenInput = builder.inputType("RevokeOAuthTokenInput", {
  description: "A token to revoke (RFC 7009).",
  fields: (t) => ({
    token: t.string({ description: "The access or refresh token." }),
    tokenTypeHint: t.string({ description: "Accepted, and not needed." }),
    clientId: t.string({ description: CLIENT_ID }),
    clientSecret: t.string({ description: CLIENT_SECRET }),
  }),
});

const RevokeOAuthTokenSuccess = builder.objectRef<{ revoked: true }>("RevokeOAuthTokenSuccess").implement({
  description: "The token is not valid, whether or not it was before.",
  fields: (t) => ({ revoked: t.exposeBoolean("revoked", { description: "Always true." }) }),
});

builder.mutationField("revokeOAuthToken", (t) =>
  t.field({
    type: RevokeOAuthTokenSuccess,
    description:
      "Revokes a token of the application's: a refresh token with all that came from the same authorization, an access token alone.",
    errors: {
      types: OAUTH_ERRORS,
      union: { name: "RevokeOAuthTokenResult", description: "Done, or why not." },
    },
    args: { input: t.arg({ type: RevokeOAuthTokenInput, required: true, description: "The token." }) },
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
  description: "A token to ask about (RFC 7662).",
  fields: (t) => ({
    token: t.string({ description: "The access or refresh token." }),
    tokenTypeHint: t.string({ description: "Accepted, and not needed." }),
    clientId: t.string({ description: CLIENT_ID }),
    clientSecret: t.string({ description: "Its secret: only applications that prove themselves are told." }),
  }),
});

const LiveTokenType = builder.objectRef<ActiveToken>("LiveOAuthToken").implement({
  description: "A token that stands.",
  fields: (t) => ({
    scope: t.exposeString("scope", { description: "What it was granted, separated by spaces." }),
    clientId: t.exposeString("clientId", { description: CLIENT_ID }),
    isAccessToken: t.boolean({
      description: "Whether it is an access token; else a refresh token.",
      resolve: ({ kind }) => kind === "access",
    }),
    issuedAt: t.expose("issuedAt", { type: "DateTime", description: "When it was issued." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it ends by itself." }),
    sub: t.exposeID("sub", { description: "Whose it is." }),
  }),
});

const IntrospectOAuthTokenSuccess = builder
  .objectRef<{ token: ActiveToken | null }>("IntrospectOAuthTokenSuccess")
  .implement({
    description: "What there is to say of the token.",
    fields: (t) => ({
      token: t.expose("token", {
        type: LiveTokenType,
        nullable: true,
        description: "Null when it is not active: unknown, ended, or another application's.",
      }),
    }),
  });

builder.queryField("introspectOAuthToken", (t) =>
  t.field({
    type: IntrospectOAuthTokenSuccess,
    description: "Whether a token of the application's stands. What `POST /oauth/introspect` runs.",
    errors: {
      types: OAUTH_ERRORS,
      union: { name: "IntrospectOAuthTokenResult", description: "What there is to say, or why nothing is said." },
    },
    args: { input: t.arg({ type: IntrospectOAuthTokenInput, required: true, description: "The token." }) },
    resolve: async (_root, { input }, { deps }) => {
      const { token, clientId, clientSecret } = input;
      const request = { token: token || null, clientId: clientId || null, clientSecret: clientSecret || null };
      return { token: await introspectToken(deps, request) };
    },
  }),
);

builder.queryField("authorizationServer", (t) =>
  t.field({
    type: "JSON",
    description: "What this authorization server can do, as RFC 8414 writes it.",
    resolve: (_root, _args, { deps }) => authorizationServerMetadata(deps),
  }),
);
