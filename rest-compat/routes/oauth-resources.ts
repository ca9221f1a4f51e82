/** Routes of the protected resource metadata. */
import { z } from "zod";
import { RESOURCE_PATHS } from "../../src/platform/http/resources.ts";
import { AuthorizationServerDocument } from "../generated/graphql.ts";
import { defineOAuthRoute, type OAuthRoute } from "../oauth-route.ts";
import { describeResource } from "../resource-metadata.ts";

interface ServerMetadata {
  readonly issuer: string;
  readonly scopes_supported: readonly string[];
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

export const RESOURCE_METADATA: readonly OAuthRoute[] = RESOURCE_PATHS.map((path) =>
  defineOAuthRoute({
    methods: ["GET"],
    path: path === "/" ? WELL_KNOWN : `${WELL_KNOWN}${path}`,
    caller: "public",
    summary: path === "/" ? "Get resource metadata of the service" : `Get resource metadata of ${path}`,
    description:
      "Returns the authorization server and the scopes of a protected resource (RFC 9728). A 401 names the URL in `resource_metadata`.",
    parameters: z.object({}),
    document: AuthorizationServerDocument,
    variables: () => ({}),
    toResponse({ authorizationServer }) {
      const { issuer, scopes_supported: scopes } = authorizationServer as ServerMetadata;
      return { kind: "json", body: describeResource(path, issuer, scopes) };
    },
    success: {
      description: "The metadata.",
      schema: z.looseObject({ resource: z.string(), authorization_servers: z.array(z.string()) }),
      example: {
        resource: `https://satchel.example${path === "/" ? "" : path}`,
        authorization_servers: ["https://satchel.example"],
      },
    },
  }),
);
