/** The protected resources of this service (RFC 9728): the parts that a token can be restricted to (RFC 8707). */
import type { Site } from "./site.ts";

/** Paths of the resources. `/` is the whole service. */
export const RESOURCE_PATHS = ["/", "/graphql", "/api", "/v1", "/mcp"] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** Path of the server of the Model Context Protocol. */
export const MCP_PATH = "/mcp";

/** Paths of the authorization server itself, which accepts the access tokens of all resources. */
const AUTHORIZATION_SERVER = "/oauth/";

/** Returns the resource that a request path belongs to; null for the authorization server. */
export function resourceOfPath(path: string): ResourcePath | null {
  if (path.startsWith(AUTHORIZATION_SERVER)) return null;
  const isWithin = (resource: string) => path === resource || path.startsWith(`${resource}/`);
  return RESOURCE_PATHS.find((resource) => resource !== "/" && isWithin(resource)) ?? "/";
}

/** Returns the identifier of a resource, without a trailing slash. */
export function formatResource(baseUrl: string, path: ResourcePath): string {
  return path === "/" ? baseUrl : `${baseUrl}${path}`;
}

/** Returns the URL of a resource's metadata (RFC 9728 section 3.1). */
export function resourceMetadataUrl(baseUrl: string, path: ResourcePath): string {
  return formatResource(`${baseUrl}/.well-known/oauth-protected-resource`, path);
}

/**
 * Returns the resource with this identifier; null if this service has none. A trailing slash is ignored: clients disagree about
 * the one of a URL without a path. So is the query of `/mcp`, with which users select tools in the URL that they configure.
 */
export function findResource(site: Site, identifier: string): ResourcePath | null {
  if (!URL.canParse(identifier) || identifier.includes("#")) return null;
  const url = new URL(identifier);
  if (url.pathname === MCP_PATH) url.search = "";
  const given = url.href.replace(/\/+$/, "");
  const bases = [site.baseUrl(), site.browserUrl()];
  return RESOURCE_PATHS.find((path) => bases.some((base) => formatResource(base, path) === given)) ?? null;
}

/** Returns true if a token with this audience is valid at a resource. An empty audience is unrestricted. */
export function coversResource(audience: readonly string[], resource: ResourcePath | null): boolean {
  return audience.length === 0 || resource === null || audience.includes("/") || audience.includes(resource);
}
