import { z } from "zod";
import {
  IntrospectOAuthTokenDocument,
  IssueOAuthTokenDocument,
  RevokeOAuthTokenDocument,
} from "../generated/graphql.ts";
import { defineOAuthRoute } from "../oauth-route.ts";

const optional = (description: string) => z.string().optional().meta({ description });

/** Client credentials, sent in the body or in an `Authorization: Basic` header. */
export const CLIENT = {
  client_id: optional("The client ID, here or in an `Authorization: Basic` header."),
  client_secret: optional("The client secret of a confidential client, here or in the header."),
};

export const token = defineOAuthRoute({
  methods: ["POST"],
  path: "/oauth/token",
  caller: "client",
  summary: "Exchange a code or refresh token",
  description:
    "Exchanges an authorization code, a refresh token or a device code for new tokens. A code is valid once, for 60 seconds. A refresh token is replaced by a new one. The body is JSON or form-encoded. Until one of them is first used, at most for an hour, the replaced token returns the same tokens again. Later reuse revokes all tokens of the authorization.",
  parameters: z.object({
    grant_type: z
      .enum(["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"])
      .meta({ description: "The grant type." }),
    code: optional("The authorization code."),
    redirect_uri: optional("The redirect URI of the authorization request. Used with `authorization_code`."),
    code_verifier: optional("The PKCE code verifier. Used with `authorization_code`."),
    refresh_token: optional("The refresh token."),
    device_code: optional("The device code of a poll. Used with the grant type `device_code`."),
    scope: optional("A subset of the granted scopes, separated by spaces. Used with `refresh_token`."),
    resource: optional(
      "The URI of a protected resource that the access token is restricted to, a subset of the granted ones (RFC 8707). May be repeated.",
    ),
    ...CLIENT,
  }),
  lists: ["resource"],
  document: IssueOAuthTokenDocument,
  variables: ({ values, dpop }) => ({
    input: {
      grantType: values.grant_type,
      code: values.code,
      redirectUri: values.redirect_uri,
      clientId: values.client_id,
      clientSecret: values.client_secret,
      codeVerifier: values.code_verifier,
      refreshToken: values.refresh_token,
      deviceCode: values.device_code,
      scope: values.scope,
      resource: values.resource,
      dpopProof: dpop,
    },
  }),
  toResponse({ issueOAuthToken: result }) {
    if (result.__typename !== "IssueOAuthTokenSuccess") return result;
    const { accessToken, refreshToken, tokenType, expiresIn, scope } = result;
    const body = {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: tokenType,
      expires_in: expiresIn,
      scope,
    };
    return { kind: "json", body };
  },
  success: {
    description: "The tokens.",
    schema: z.object({
      access_token: z.string().meta({ description: "The access token; send it as `Authorization: Bearer`." }),
      refresh_token: z.string().meta({ description: "The refresh token for the next exchange." }),
      token_type: z.enum(["Bearer", "DPoP"]).meta({
        description: "`DPoP` if the request had a `DPoP` header; each use must then prove the key (RFC 9449).",
      }),
      expires_in: z.int().meta({ description: "Seconds until the access token expires." }),
      scope: z.string().meta({ description: "The granted scopes, separated by spaces." }),
    }),
    example: {
      access_token: "satchel_at_2nQ9cV0mT7xKf4rZ1bYhL8sWp3uJd6eAgN5oXiCqMvR0oFzE1",
      refresh_token: "satchel_rt_7fH2kLw9QxZ0pT4mVbN8cRyJ5sD1gUaE6oXiMqWtKz3YhCvB2",
      token_type: "Bearer",
      expires_in: 2_592_000,
      scope: "payments:sign balance:read",
    },
  },
});

const TOKEN = {
  token: z.string().meta({ description: "The access or refresh token." }),
  token_type_hint: optional("Accepted and ignored."),
};

export const revoke = defineOAuthRoute({
  methods: ["POST"],
  path: "/oauth/revoke",
  caller: "client",
  summary: "Revoke a token",
  description:
    "Revokes a token of the application (RFC 7009). Revoking a refresh token revokes all tokens of its authorization. Revoking an access token revokes only that token. The response for an unknown token is the same.",
  parameters: z.object({ ...TOKEN, ...CLIENT }),
  document: RevokeOAuthTokenDocument,
  variables: ({ values }) => ({
    input: { token: values.token, clientId: values.client_id, clientSecret: values.client_secret },
  }),
  toResponse: ({ revokeOAuthToken: result }) =>
    result.__typename === "RevokeOAuthTokenSuccess" ? { kind: "json", body: {} } : result,
  success: {
    description: "The token is revoked. The body is an empty object; RFC 7009 assigns it no meaning.",
    schema: z.object({}),
    example: {},
  },
});

export const introspect = defineOAuthRoute({
  methods: ["POST"],
  path: "/oauth/introspect",
  caller: "client",
  summary: "Introspect a token",
  description:
    "Returns whether a token of the application is active (RFC 7662). Requires a confidential client with its secret. A token of another application is reported as inactive.",
  parameters: z.object({ ...TOKEN, ...CLIENT }),
  document: IntrospectOAuthTokenDocument,
  variables: ({ values }) => ({
    input: { token: values.token, clientId: values.client_id, clientSecret: values.client_secret },
  }),
  toResponse({ introspectOAuthToken: result }) {
    if (result.__typename !== "IntrospectOAuthTokenSuccess") return result;
    if (!result.token) return { kind: "json", body: { active: false } };
    const { scope, clientId, isAccessToken, issuedAt, expiresAt, sub, audience, dpopJkt, scopeEnforcement } =
      result.token;
    const body = {
      active: true,
      scope,
      scope_enforcement: scopeEnforcement,
      client_id: clientId,
      ...(isAccessToken ? { token_type: dpopJkt === null ? "Bearer" : "DPoP" } : {}),
      iat: epochSeconds(issuedAt),
      exp: epochSeconds(expiresAt),
      sub,
      ...(audience.length > 0 ? { aud: audience } : {}),
      ...(dpopJkt === null ? {} : { cnf: { jkt: dpopJkt } }),
    };
    return { kind: "json", body };
  },
  success: {
    description: "The token's metadata. For an inactive token, only `active` is present.",
    schema: z.object({
      active: z.boolean(),
      scope: z.string().optional(),
      client_id: z.string().optional(),
      token_type: z.enum(["Bearer", "DPoP"]).optional().meta({ description: "Present for an access token." }),
      iat: z.int().optional(),
      exp: z.int().optional(),
      sub: z.string().optional(),
      aud: z.array(z.string()).optional().meta({ description: "Resources that accept the token; absent if all do." }),
      scope_enforcement: z.enum(["all", "except_contract_routes", "none"]).optional().meta({
        description: "Where the scopes are enforced: everywhere, except on the routes of the contract, or nowhere.",
      }),
      cnf: z
        .object({ jkt: z.string() })
        .optional()
        .meta({ description: "The thumbprint of the key that the token is bound to." }),
    }),
    example: { active: false },
  },
});

function epochSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}
