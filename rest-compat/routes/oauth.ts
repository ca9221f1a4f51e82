/** The OAuth table, and what anybody may look up about it. */
import { z } from "zod";
import { AuthorizationServerDocument, UserInfoDocument } from "../generated/graphql.ts";
import { defineOAuthRoute, type OAuthRoute } from "../oauth-route.ts";
import { authorize, continueRoute } from "./oauth-authorize.ts";
import { introspect, revoke, token } from "./oauth-token.ts";

const userInfo = defineOAuthRoute({
  methods: ["GET", "POST"],
  path: "/oauth/userinfo",
  caller: "bearer",
  summary: "Who allowed it",
  description: "The person behind an access token, and with the scope `agent:read` the number of their agent.",
  parameters: z.object({}),
  document: UserInfoDocument,
  variables: () => ({}),
  answer({ viewer }) {
    if (!viewer)
      return { code: "oauth_error", error: "invalid_token", message: "Authentication is missing or invalid." };
    const { sub, agentId } = viewer;
    return { kind: "json", body: { sub, ...(typeof agentId === "number" ? { agent_id: agentId } : {}) } };
  },
  success: {
    description: "The person.",
    schema: z.object({
      sub: z.string().meta({ description: "Always the same for the same person." }),
      agent_id: z
        .int()
        .optional()
        .meta({ description: "The number of their agent in the registry, from 0 on; absent until it has one." }),
    }),
    example: { sub: "did:web:satchel.example:users:6f2d1c38-1f0e-4a86-9a35-0f4f8f7f6b1d", agent_id: 22 },
  },
});

const metadata = (path: `/${string}`, summary: string, description: string) =>
  defineOAuthRoute({
    methods: ["GET"],
    path,
    caller: "anybody",
    summary,
    description,
    parameters: z.object({}),
    document: AuthorizationServerDocument,
    variables: () => ({}),
    answer: ({ authorizationServer }) => ({ kind: "json", body: authorizationServer as object }),
    success: {
      description: "The metadata.",
      schema: z.looseObject({ issuer: z.string(), authorization_endpoint: z.string(), token_endpoint: z.string() }),
      example: {
        issuer: "https://satchel.example",
        authorization_endpoint: "https://satchel.example/oauth/authorize",
        token_endpoint: "https://satchel.example/oauth/token",
      },
    },
  });

export const OAUTH_ROUTES: readonly OAuthRoute[] = [
  authorize,
  continueRoute,
  token,
  userInfo,
  revoke,
  introspect,
  metadata(
    "/.well-known/oauth-authorization-server",
    "What the authorization server can do",
    "Its endpoints and abilities, for programs (RFC 8414).",
  ),
  metadata(
    "/.well-known/openid-configuration",
    "The same, where OpenID clients look",
    "The same document. This service gives no ID tokens.",
  ),
];
