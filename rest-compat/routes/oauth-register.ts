import { z } from "zod";
import { RegisterDynamicClientDocument } from "../generated/graphql.ts";
import { defineOAuthRoute } from "../oauth-route.ts";

const METHOD = "none" as const;
const GRANT_TYPES = ["authorization_code", "refresh_token"];
const RESPONSE_TYPES = ["code"];

export const register = defineOAuthRoute({
  methods: ["POST"],
  path: "/oauth/register",
  caller: "client",
  summary: "Register an application",
  description:
    "Registers a public application (RFC 7591), where the operator enables it; otherwise the response is 404. Redirect URIs are loopback URIs or those of known MCP hosts. Until a review, scopes and suggested limits are restricted. At most 20 registrations per hour and network. Other metadata is ignored.",
  parameters: z.object({
    redirect_uris: z.array(z.string()).meta({ description: "The redirect URIs. Loopback URIs match with any port." }),
    client_name: z.string().optional().meta({ description: "The name that users see, at most 60 characters." }),
    grant_types: z.array(z.string()).optional().meta({ description: "If present, includes `authorization_code`." }),
    response_types: z.array(z.string()).optional().meta({ description: "If present, includes `code`." }),
  }),
  body: "json",
  otherErrors: {
    404: "Dynamic registration is not enabled.",
    429: "The network registered 20 applications in the last hour.",
  },
  document: RegisterDynamicClientDocument,
  variables: ({ text }) => ({ input: { metadata: text } }),
  toResponse({ registerDynamicClient: result }) {
    if (result.__typename !== "RegisterDynamicClientSuccess") return result;
    const { clientId, issuedAt, appName, redirectUris } = result;
    const body = {
      client_id: clientId,
      client_id_issued_at: Math.floor(Date.parse(issuedAt) / 1_000),
      client_name: appName,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: METHOD,
      grant_types: GRANT_TYPES,
      response_types: RESPONSE_TYPES,
    };
    return { kind: "json", body, status: 201 };
  },
  success: {
    status: 201,
    description: "The registered application, with the values that apply.",
    schema: z.object({
      client_id: z.string(),
      client_id_issued_at: z.int(),
      client_name: z.string(),
      redirect_uris: z.array(z.string()),
      token_endpoint_auth_method: z.literal(METHOD),
      grant_types: z.array(z.string()),
      response_types: z.array(z.string()),
    }),
    example: {
      client_id: "cl_1795645346964_PcNgBKuEinGK",
      client_id_issued_at: 1_795_645_346,
      client_name: "Tide Pool",
      redirect_uris: ["http://127.0.0.1/callback"],
      token_endpoint_auth_method: METHOD,
      grant_types: GRANT_TYPES,
      response_types: RESPONSE_TYPES,
    },
  },
});
