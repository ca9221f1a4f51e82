/** Validation of authorization request parameters (spec section 4.2), after client and redirect URI were validated. */
import { isThumbprint } from "../platform/crypto/dpop-proof.ts";
import { isStorableText } from "../platform/database/text.ts";
import type { ResourcePath } from "../platform/http/resources.ts";
import type { Client } from "./clients/find-client.ts";
import { readClientScopes } from "./clients/restrictions.ts";
import type { OAuthDeps } from "./deps.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { isCodeChallenge } from "./pkce.ts";
import { readResources } from "./resources.ts";
import type { OAuthScope } from "./scopes.ts";

/** The parameters as received; null if absent or empty (RFC 6749 section 3.1: an empty value means omitted). */
export interface AuthorizationParameters {
  readonly clientId: string | null;
  readonly redirectUri: string | null;
  readonly responseType: string | null;
  readonly responseMode: string | null;
  readonly scope: string | null;
  readonly state: string | null;
  readonly codeChallenge: string | null;
  readonly codeChallengeMethod: string | null;
  readonly prompt: string | null;
  readonly display: string | null;
  readonly loginHint: string | null;
  readonly request: string | null;
  readonly requestUri: string | null;
  /** Resource indicators, separated by spaces (RFC 8707). */
  readonly resource: string | null;
  readonly dpopJkt: string | null;
  /** Names of parameters that were sent more than once. */
  readonly repeated: readonly string[];
}

/** The validated parameters. */
export interface ValidatedParameters {
  readonly state: string;
  readonly scopes: readonly OAuthScope[];
  readonly codeChallenge: string | null;
  readonly resources: readonly ResourcePath[];
  /** The only key that the code can be exchanged with (RFC 9449 section 10); null for any. */
  readonly dpopJkt: string | null;
  readonly isSilent: boolean;
  readonly mustSignIn: boolean;
  readonly mustConsent: boolean;
  readonly isPopup: boolean;
  /** Whether the response is posted to the window that opened this one. */
  readonly postsToOpener: boolean;
  readonly loginHint: string | null;
}

const MAX_STATE_LENGTH = 8_192;
const MAX_HINT_LENGTH = 320;
/** `web_message`: draft-sakimura-oauth-wmrm-01, without its relay mode. */
const RESPONSE_MODES = ["query", "web_message"];
const PROMPTS = ["none", "login", "consent"];

/**
 * Validates the parameters.
 * @throws {OAuthProtocolError} The caller sends the error to the client's redirect URI.
 */
export function validateParameters(
  { site }: Pick<OAuthDeps, "site">,
  client: Client,
  parameters: AuthorizationParameters,
): ValidatedParameters {
  const [repeated] = parameters.repeated;
  if (repeated !== undefined) throwInvalidRequest("A parameter was sent more than once.");
  if (parameters.request !== null) {
    throw new OAuthProtocolError("request_not_supported", "Request objects are not supported; send plain parameters.");
  }
  if (parameters.requestUri !== null) {
    const text = "request_uri must be one that POST /oauth/par returned; send plain parameters otherwise.";
    throw new OAuthProtocolError("request_uri_not_supported", text);
  }
  if (parameters.responseType === null) throwInvalidRequest("response_type is missing; it must be code.");
  if (parameters.responseType !== "code") {
    throw new OAuthProtocolError("unsupported_response_type", "response_type must be code.");
  }
  if (parameters.responseMode !== null && !RESPONSE_MODES.includes(parameters.responseMode)) {
    throwInvalidRequest("response_mode must be query or web_message.");
  }
  if (parameters.state === null) throwInvalidRequest("state is missing or empty.");
  if (parameters.state.length > MAX_STATE_LENGTH) {
    throwInvalidRequest(`state may have at most ${MAX_STATE_LENGTH} characters.`);
  }
  if (!isStorableText(parameters.state)) throwInvalidRequest("state is not valid text.");
  return {
    state: parameters.state,
    codeChallenge: readChallenge(client, parameters),
    ...readPrompt(parameters.prompt),
    scopes: readClientScopes(client, parameters.scope),
    resources: readResources(site, parameters.resource),
    dpopJkt: readThumbprint(parameters.dpopJkt),
    isPopup: parameters.display === "popup",
    postsToOpener: postsToOpener(parameters),
    loginHint: readHint(parameters.loginHint),
  };
}

/** Returns true if the response is to be posted to the window that opened this one. */
export function postsToOpener({ responseMode }: Pick<AuthorizationParameters, "responseMode">): boolean {
  return responseMode === "web_message";
}

function readChallenge(client: Client, parameters: AuthorizationParameters): string | null {
  const { codeChallenge, codeChallengeMethod } = parameters;
  if (codeChallenge === null) {
    if (codeChallengeMethod !== null) throwInvalidRequest("code_challenge_method was sent without code_challenge.");
    if (requiresPkce(client)) throwInvalidRequest("code_challenge is missing; this client must use PKCE with S256.");
    return null;
  }
  // If omitted, the method would default to `plain` (RFC 7636 section 4.3), which is not accepted.
  if (codeChallengeMethod !== "S256") throwInvalidRequest("code_challenge_method must be S256.");
  if (!isCodeChallenge(codeChallenge)) {
    throwInvalidRequest("code_challenge must be a SHA-256 digest in base64url (43 characters).");
  }
  return codeChallenge;
}

/** Returns true if PKCE is mandatory, because the client cannot store a secret. */
export function requiresPkce({ kind }: Pick<Client, "kind">): boolean {
  return kind === "public" || kind === "native" || kind === "command_line";
}

function readThumbprint(dpopJkt: string | null): string | null {
  if (dpopJkt !== null && !isThumbprint(dpopJkt)) {
    throwInvalidRequest("dpop_jkt must be the SHA-256 thumbprint of a key in base64url (43 characters).");
  }
  return dpopJkt;
}

function readPrompt(prompt: string | null) {
  const names = new Set((prompt ?? "").split(" ").filter((name) => name !== ""));
  for (const name of names) {
    if (!PROMPTS.includes(name)) throwInvalidRequest("prompt may be none, login, consent, or login consent.");
  }
  if (names.has("none") && names.size > 1) throwInvalidRequest("prompt=none cannot be combined with another value.");
  return { isSilent: names.has("none"), mustSignIn: names.has("login"), mustConsent: names.has("consent") };
}

/** Returns the login hint; null if it is too long for an email address or not storable. It only prefills a form. */
function readHint(loginHint: string | null): string | null {
  return loginHint !== null && loginHint.length <= MAX_HINT_LENGTH && isStorableText(loginHint) ? loginHint : null;
}

function throwInvalidRequest(description: string): never {
  throw new OAuthProtocolError("invalid_request", description);
}
