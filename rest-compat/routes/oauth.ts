/** The table of OAuth routes, with user info and public metadata. */
import { z } from "zod";
import { AuthorizationServerDocument, UserInfoDocument } from "../generated/graphql.ts";
import { defineOAuthRoute, type OAuthRoute } from "../oauth-route.ts";
import { authorize, continueRoute, pushRequest } from "./oauth-authorize.ts";
import { deviceAuthorization } from "./oauth-device.ts";
import { register } from "./oauth-register.ts";
import { RESOURCE_METADATA } from "./oauth-resources.ts";
import { introspect, revoke, token } from "./oauth-token.ts";

const userInfo = defineOAuthRoute({
  methods: ["GET", "POST"],
  path: "/oauth/userinfo",
  caller: "bearer",
  summary: "Get user info",
  description: "Returns the account owner of an access token, and with the scope `agent:read` the ID of the agent.",
  parameters: z.object({}),
  document: UserInfoDocument,
  variables: () => ({}),
  toResponse({ viewer }) {
    if (!viewer)
      return { code: "oauth_error", error: "invalid_token", message: "Authentication is missing or invalid." };
    const { sub, agentId } = viewer;
    return { kind: "json", body: { sub, ...(typeof agentId === "number" ? { agent_id: agentId } : {}) } };
  },
  success: {
    description: "The account owner.",
    schema: z.object({
      sub: z.string().meta({ description: "The stable identifier of the account owner." }),
      agent_id: z
        .int()
        .optional()
        .meta({ description: "The agent's ID in the registry, starting at 0; absent until it is registered." }),
    }),
    example: { sub: "did:web:satchel.example:users:6f2d1c38-1f0e-4a86-9a35-0f4f8f7f6b1d", agent_id: 22 },
  },
});

const metadata = (path: `/${string}`, summary: string, description: string) =>
  defineOAuthRoute({
    methods: ["GET"],
    path,
    caller: "public",
    summary,
    description,
    parameters: z.object({}),
    document: AuthorizationServerDocument,
    variables: () => ({}),
    toResponse: ({ authorizationServer }) => ({ kind: "json", body: authorizationServer as object }),
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
  ...RESOURCE_METADATA,
  authorize,
  continueRoute,
  pushRequest,
  deviceAuthorization,
  token,
  userInfo,
  revoke,
  introspect,
  register,
  metadata(
    "/.well-known/oauth-authorization-server",
    "Get authorization server metadata",
    "Returns the endpoints and capabilities of the authorization server (RFC 8414).",
  ),
];
