/** Resource indicators (RFC 8707): the protected resources that tokens are restricted to. */
import { coversResource, findResource, type ResourcePath } from "../platform/http/resources.ts";
import type { Site } from "../platform/http/site.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

/**
 * Returns the resources in `resource` parameters, separated by spaces; none if absent.
 * @throws {OAuthProtocolError} `invalid_target` for a URI that is none of this service's resources
 */
export function readResources(site: Site, resource: string | null): readonly ResourcePath[] {
  const identifiers = (resource ?? "").split(" ").filter((identifier) => identifier !== "");
  const found = identifiers.map((identifier) => findResource(site, identifier));
  if (!found.every((path) => path !== null)) {
    const text =
      "resource must be the URI of a protected resource of this service, such as the one of its GraphQL API.";
    throw new OAuthProtocolError("invalid_target", text);
  }
  return [...new Set(found)];
}

/**
 * Returns the resources of an access token: the requested ones, or else all granted ones. Neither list restricts if it is empty.
 * @throws {OAuthProtocolError} `invalid_target` if a requested resource was not granted
 */
export function narrowResources(granted: readonly string[], requested: readonly ResourcePath[]): readonly string[] {
  if (requested.length === 0) return granted;
  if (!requested.every((path) => coversResource(granted, path))) {
    throw new OAuthProtocolError("invalid_target", "resource exceeds the resources of the authorization.");
  }
  return requested;
}
