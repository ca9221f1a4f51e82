/** The parameters of an authorization request (spec section 4.2), once client and redirect URI are known to be good. */
import { isStorableText } from "../platform/database/text.ts";
import type { Client } from "./clients/find-client.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { isCodeChallenge } from "./pkce.ts";
import { type OAuthScope, readScopes } from "./scopes.ts";

/** As they came; null where absent or empty (RFC 6749 section 3.1: without a value means omitted). */
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
  /** Names of parameters that came more than once. */
  readonly repeated: readonly string[];
}

/** What is asked, checked. */
export interface AuthorizationAsk {
  readonly state: string;
  readonly scopes: readonly OAuthScope[];
  readonly codeChallenge: string | null;
  readonly isSilent: boolean;
  readonly mustSignIn: boolean;
  readonly mustConsent: boolean;
  readonly isPopup: boolean;
  readonly loginHint: string | null;
}

const MAX_STATE_LENGTH = 8_192;
const MAX_HINT_LENGTH = 320;
const PROMPTS = ["none", "login", "consent"];

/** @throws {OAuthProtocolError} to be told to the client at its redirect URI. */
export function readAuthorizationAsk(client: Client, given: AuthorizationParameters): AuthorizationAsk {
  const [repeated] = given.repeated;
  if (repeated !== undefined) refuse("A parameter was given more than once.");
  if (given.request !== null) {
    throw new OAuthProtocolError("request_not_supported", "Request objects are not supported; send plain parameters.");
  }
  if (given.requestUri !== null) {
    throw new OAuthProtocolError("request_uri_not_supported", "request_uri is not supported; send plain parameters.");
  }
  if (given.responseType === null) refuse("response_type is missing; it must be code.");
  if (given.responseType !== "code") {
    throw new OAuthProtocolError("unsupported_response_type", "response_type must be code.");
  }
  if (given.responseMode !== null && given.responseMode !== "query") refuse("response_mode must be query.");
  if (given.state === null) refuse("state is missing or empty.");
  if (given.state.length > MAX_STATE_LENGTH) refuse(`state may have at most ${MAX_STATE_LENGTH} characters.`);
  if (!isStorableText(given.state)) refuse("state is not valid text.");
  return {
    state: given.state,
    codeChallenge: readChallenge(client, given),
    ...readPrompt(given.prompt),
    scopes: readScopes(given.scope),
    isPopup: given.display === "popup",
    loginHint: readHint(given.loginHint),
  };
}

function readChallenge(client: Client, given: AuthorizationParameters): string | null {
  const { codeChallenge, codeChallengeMethod } = given;
  if (codeChallenge === null) {
    if (codeChallengeMethod !== null) refuse("code_challenge_method came without a code_challenge.");
    if (mustProveKey(client)) refuse("code_challenge is missing; this client must use PKCE with S256.");
    return null;
  }
  // Without a method the challenge would be plain (RFC 7636 section 4.3), which is not accepted.
  if (codeChallengeMethod !== "S256") refuse("code_challenge_method must be S256.");
  if (!isCodeChallenge(codeChallenge)) refuse("code_challenge must be 43 characters of base64url, a SHA-256.");
  return codeChallenge;
}

/** Whether PKCE is mandatory: whoever cannot keep a secret has nothing else. */
export function mustProveKey({ kind }: Pick<Client, "kind">): boolean {
  return kind === "public" || kind === "command_line";
}

function readPrompt(prompt: string | null) {
  const asked = new Set((prompt ?? "").split(" ").filter((name) => name !== ""));
  for (const name of asked) {
    if (!PROMPTS.includes(name)) refuse("prompt may be none, login, consent, or login consent.");
  }
  if (asked.has("none") && asked.size > 1) refuse("prompt=none goes with no other prompt.");
  return { isSilent: asked.has("none"), mustSignIn: asked.has("login"), mustConsent: asked.has("consent") };
}

/** It fills in a form and no more: one that is no text, or too long for an address, is left out. */
function readHint(loginHint: string | null): string | null {
  return loginHint !== null && loginHint.length <= MAX_HINT_LENGTH && isStorableText(loginHint) ? loginHint : null;
}

function refuse(description: string): never {
  throw new OAuthProtocolError("invalid_request", description);
}
