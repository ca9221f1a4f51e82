/** Authorization responses, sent to the client through the browser (RFC 6749 section 4.1.2, with `iss` of RFC 9207). */
import type { OAuthDeps } from "./deps.ts";
import type { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { appendParameters } from "./redirect-uri.ts";

/** The redirect of the browser after an authorization request. */
export interface AuthorizationResponse {
  readonly redirectUrl: string;
  /** Whether the URL is the client's redirect URI with an error. */
  readonly isError: boolean;
  /** Whether the URL is the client's redirect URI and the client awaits the response in the window that opened this one. */
  readonly isForOpener: boolean;
}

interface Receiver {
  readonly redirectUri: string;
  readonly state: string | null;
  readonly postsToOpener: boolean;
}

export function codeResponse(deps: OAuthDeps, receiver: Receiver, code: string): AuthorizationResponse {
  const { redirectUri, state, postsToOpener } = receiver;
  const redirectUrl = appendParameters(redirectUri, { code, state, iss: deps.site.baseUrl() });
  return { redirectUrl, isError: false, isForOpener: postsToOpener };
}

export function errorResponse(deps: OAuthDeps, receiver: Receiver, error: OAuthProtocolError): AuthorizationResponse {
  const { redirectUri, state, postsToOpener } = receiver;
  const parameters = { error: error.error, error_description: error.message, state, iss: deps.site.baseUrl() };
  return { redirectUrl: appendParameters(redirectUri, parameters), isError: true, isForOpener: postsToOpener };
}
