import { z } from "zod";
import {
  IntrospectOAuthTokenDocument,
  IssueOAuthTokenDocument,
  RevokeOAuthTokenDocument,
} from "../generated/graphql.ts";
import { defineOAuthRoute } from "../oauth-route.ts";

const optional = (description: string) => z.string().optional().meta({ description });

/** In the body, or in an `Authorization: Basic` header. */
const CLIENT = {
  client_id: z.string().meta({ description: "The application; here or in an `Authorization: Basic` header." }),
  client_secret: optional("Its secret, where it has one; here or in the header."),
};

export const token = defineOAuthRoute({
  methods: ["POST"],
  path: "/oauth/token",
  caller: "client",
  summary: "Get tokens",
  description:
    "Exchanges a code, once and within 60 seconds, or a refresh token, which is replaced by a new one. The body is JSON or a form. A refresh token that comes again within 10 seconds gets the same answer again; later, every token of that authorization is revoked.",
  parameters: z.object({
    grant_type: z.enum(["authorization_code", "refresh_token"]).meta({ description: "What is exchanged." }),
    code: optional("The code."),
    redirect_uri: optional("With a code: exactly as at `/oauth/authorize`."),
    code_verifier: optional("With a code: what its challenge was made of."),
    refresh_token: optional("The refresh token."),
    scope: optional("With a refresh token: less than was granted."),
    ...CLIENT,
  }),
  document: IssueOAuthTokenDocument,
  variables: ({ given }) => ({
    input: {
      grantType: given.grant_type,
      code: given.code,
      redirectUri: given.redirect_uri,
      clientId: given.client_id,
      clientSecret: given.client_secret,
      codeVerifier: given.code_verifier,
      refreshToken: given.refresh_token,
      scope: given.scope,
    },
  }),
  answer({ issueOAuthToken: result }) {
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
      access_token: z.string().meta({ description: "Sent as `Authorization: Bearer`." }),
      refresh_token: z.string().meta({ description: "For the next pair." }),
      token_type: z.literal("Bearer"),
      expires_in: z.int().meta({ description: "Seconds until the access token ends." }),
      scope: z.string().meta({ description: "What was granted, separated by spaces." }),
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
  token_type_hint: optional("Accepted, and not needed."),
};

export const revoke = defineOAuthRoute({
  methods: ["POST"],
  path: "/oauth/revoke",
  caller: "client",
  summary: "Revoke a token",
  description:
    "Ends a token of the application's (RFC 7009): a refresh token with all that came from the same authorization, an access token alone. A token that is not known is as good as revoked.",
  parameters: z.object({ ...TOKEN, ...CLIENT }),
  document: RevokeOAuthTokenDocument,
  variables: ({ given }) => ({
    input: { token: given.token, clientId: given.client_id, clientSecret: given.client_secret },
  }),
  answer: ({ revokeOAuthToken: result }) =>
    result.__typename === "RevokeOAuthTokenSuccess" ? { kind: "empty" } : result,
  success: { description: "Done; no body.", schema: z.object({}), example: {} },
});

export const introspect = defineOAuthRoute({
  methods: ["POST"],
  path: "/oauth/introspect",
  caller: "client",
  summary: "Ask about a token",
  description:
    "Whether a token of the application's stands (RFC 7662). For applications that prove themselves with their secret. Another's token is as if it were not there.",
  parameters: z.object({ ...TOKEN, ...CLIENT }),
  document: IntrospectOAuthTokenDocument,
  variables: ({ given }) => ({
    input: { token: given.token, clientId: given.client_id, clientSecret: given.client_secret },
  }),
  answer({ introspectOAuthToken: result }) {
    if (result.__typename !== "IntrospectOAuthTokenSuccess") return result;
    if (!result.token) return { kind: "json", body: { active: false } };
    const { scope, clientId, isAccessToken, issuedAt, expiresAt, sub } = result.token;
    const body = {
      active: true,
      scope,
      client_id: clientId,
      ...(isAccessToken ? { token_type: "Bearer" } : {}),
      iat: epochSeconds(issuedAt),
      exp: epochSeconds(expiresAt),
      sub,
    };
    return { kind: "json", body };
  },
  success: {
    description: "What is known of it; only `active` when it does not stand.",
    schema: z.object({
      active: z.boolean(),
      scope: z.string().optional(),
      client_id: z.string().optional(),
      token_type: z.literal("Bearer").optional().meta({ description: "For an access token." }),
      iat: z.int().optional(),
      exp: z.int().optional(),
      sub: z.string().optional(),
    }),
    example: { active: false },
  },
});

function epochSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}
