/** Protected resource metadata (RFC 9728): the scopes of each resource, from the access table. */
import { TOOLS } from "../mcp/tools.ts";
import { FIELD_ACCESS } from "../schema/access/access-table.ts";
import { DPOP_ALGORITHMS } from "../src/platform/crypto/dpop-proof.ts";
import { formatResource, RESOURCE_PATHS, type ResourcePath } from "../src/platform/http/resources.ts";
import { FILE_ROUTES } from "./file-routes.ts";
import { ModelsDocument, ProxyChatDocument } from "./generated/graphql.ts";
import { accessesOf, scopesOf } from "./route-access.ts";
import { ROUTES } from "./routes.ts";

interface Resource {
  readonly name: string;
  /** Path of its documentation. */
  readonly documentation: string;
  /** Scopes that some request to it requires. */
  scopes(): readonly string[];
}

/** The resources. Each of `RESOURCE_PATHS` has an entry. */
const RESOURCES: Readonly<Record<ResourcePath, Resource>> = {
  "/": { name: "Satchel", documentation: "/docs", scopes: () => RESOURCE_PATHS.flatMap(scopesOfParts) },
  "/graphql": {
    name: "Satchel GraphQL API",
    documentation: "/graphql",
    scopes: () => [...FIELD_ACCESS.values()].flatMap(({ scopes }) => scopes),
  },
  "/api": {
    name: "Satchel REST API",
    documentation: "/docs",
    scopes: () => [...ROUTES.flatMap(scopesOf), ...FILE_ROUTES.map(({ scope }) => scope)],
  },
  "/mcp": {
    name: "Satchel MCP server",
    documentation: "/docs",
    // Those of all tools. The challenge of a request without a token states those of the selected ones.
    scopes: () => TOOLS.flatMap(accessesOf).flatMap(({ scopes }) => scopes),
  },
  "/v1": {
    name: "Satchel model gateway",
    documentation: "/docs",
    scopes: () => [ModelsDocument, ProxyChatDocument].flatMap((document) => scopesOf({ document })),
  },
};

function scopesOfParts(path: ResourcePath): readonly string[] {
  return path === "/" ? [] : RESOURCES[path].scopes();
}

/**
 * Returns the metadata of a resource.
 * @param issuer the authorization server, which is this service
 * @param grantable scopes that an application may request; others are not listed
 */
export function describeResource(path: ResourcePath, issuer: string, grantable: readonly string[]): object {
  const { name, documentation, scopes } = RESOURCES[path];
  const required = new Set(scopes());
  return {
    resource: formatResource(issuer, path),
    authorization_servers: [issuer],
    scopes_supported: grantable.filter((scope) => required.has(scope)),
    bearer_methods_supported: ["header"],
    resource_name: name,
    resource_documentation: `${issuer}${documentation}`,
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    dpop_bound_access_tokens_required: false,
  };
}
