/** What goes back to the client by way of the browser (RFC 6749 section 4.1.2, with RFC 9207's `iss`). */
import type { OAuthDeps } from "./deps.ts";
import type { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { withParameters } from "./redirect-uri.ts";

/** Where to send the browser. */
export interface AuthorizationAnswer {
  readonly redirectUrl: string;
  /** It is the client's redirect URI with an error. */
  readonly isError: boolean;
  /** It is the client's redirect URI, and the client waits for it in the window that opened this one. */
  readonly isForOpener: boolean;
}

interface Receiver {
  readonly redirectUri: string;
  readonly state: string | null;
  readonly isPopup: boolean;
}

export function codeAnswer(deps: OAuthDeps, receiver: Receiver, code: string): AuthorizationAnswer {
  const { redirectUri, state, isPopup } = receiver;
  const redirectUrl = withParameters(redirectUri, { code, state, iss: deps.site.baseUrl() });
  return { redirectUrl, isError: false, isForOpener: isPopup };
}

export function errorAnswer(deps: OAuthDeps, receiver: Receiver, error: OAuthProtocolError): AuthorizationAnswer {
  const { redirectUri, state, isPopup } = receiver;
  const parameters = { error: error.error, error_description: error.message, state, iss: deps.site.baseUrl() };
  return { redirectUrl: withParameters(redirectUri, parameters), isError: true, isForOpener: isPopup };
}
