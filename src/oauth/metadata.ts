/** Authorization server metadata (RFC 8414, OpenID Connect Discovery). It lists only supported features. */
import { DPOP_ALGORITHMS } from "../platform/crypto/dpop-proof.ts";
import { formatResource, RESOURCE_PATHS } from "../platform/http/resources.ts";
import type { OAuthDeps } from "./deps.ts";
import { DEVICE_GRANT_TYPE } from "./device/device-client.ts";
import { OAUTH_SCOPES } from "./scopes.ts";

const SECRET_METHODS = ["client_secret_basic", "client_secret_post"];

/**
 * Returns the document at `/.well-known/oauth-authorization-server`. The issuer is not an OpenID provider: it issues no
 * ID tokens.
 */
export function authorizationServerMetadata({
  site,
  clientDocuments,
  dynamicRegistration,
}: Pick<OAuthDeps, "site" | "clientDocuments" | "dynamicRegistration">): Readonly<Record<string, unknown>> {
  const issuer = site.baseUrl();
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    service_documentation: `${issuer}/docs`,
    scopes_supported: OAUTH_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query", "web_message"],
    grant_types_supported: ["authorization_code", "refresh_token", DEVICE_GRANT_TYPE],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: [...SECRET_METHODS, "none"],
    revocation_endpoint_auth_methods_supported: [...SECRET_METHODS, "none"],
    introspection_endpoint_auth_methods_supported: SECRET_METHODS,
    ...(dynamicRegistration.isEnabled ? { registration_endpoint: `${issuer}/oauth/register` } : {}),
    ...(clientDocuments.isEnabled ? { client_id_metadata_document_supported: true } : {}),
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: ["none", "login", "consent"],
    display_values_supported: ["page", "popup"],
    subject_types_supported: ["public"],
    claims_supported: ["sub"],
    request_parameter_supported: false,
    // A request_uri of the client itself; those of pushed requests are accepted.
    request_uri_parameter_supported: false,
    require_pushed_authorization_requests: false,
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    protected_resources: RESOURCE_PATHS.map((path) => formatResource(issuer, path)),
  };
}
