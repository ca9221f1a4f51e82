/** Authorization server metadata (RFC 8414, OpenID Connect Discovery). It lists only supported features. */
import type { OAuthDeps } from "./deps.ts";
import { OAUTH_SCOPES } from "./scopes.ts";

const SECRET_METHODS = ["client_secret_basic", "client_secret_post"];

/**
 * Returns the document at `/.well-known/oauth-authorization-server`. The issuer is not an OpenID provider: it issues no
 * ID tokens.
 */
export function authorizationServerMetadata({ site }: Pick<OAuthDeps, "site">): Readonly<Record<string, unknown>> {
  const issuer = site.baseUrl();
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    service_documentation: `${issuer}/docs`,
    scopes_supported: OAUTH_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: [...SECRET_METHODS, "none"],
    revocation_endpoint_auth_methods_supported: [...SECRET_METHODS, "none"],
    introspection_endpoint_auth_methods_supported: SECRET_METHODS,
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: ["none", "login", "consent"],
    display_values_supported: ["page", "popup"],
    subject_types_supported: ["public"],
    claims_supported: ["sub"],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}
