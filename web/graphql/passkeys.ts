/** WebAuthn ceremonies in the browser, with error messages for users. */
import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import type { Failure } from "./match-result.ts";

export type Ceremony<Response> =
  | { readonly response: Response; readonly failure: null }
  /** `failure` is null if another ceremony replaced this one; no error is shown then. */
  | { readonly response: null; readonly failure: Failure | null };

export const canUsePasskeys = browserSupportsWebAuthn;
/** Returns whether the browser offers passkeys in the autofill suggestions of a field (conditional mediation). */
export const canAutofillPasskeys = browserSupportsWebAuthnAutofill;

/** Requests an assertion from a passkey. With `isAutofill`, the browser offers passkeys in a field's autofill instead of a prompt. */
export async function authenticateWithPasskey(
  options: unknown,
  isAutofill: boolean,
): Promise<Ceremony<AuthenticationResponseJSON>> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return await perform(() => startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill }));
}

export async function createPasskey(options: unknown): Promise<Ceremony<RegistrationResponseJSON>> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return await perform(() => startRegistration({ optionsJSON }));
}

async function perform<Response>(ceremony: () => Promise<Response>): Promise<Ceremony<Response>> {
  try {
    return { response: await ceremony(), failure: null };
  } catch (error) {
    return { response: null, failure: toFailure(error) };
  }
}

function toFailure(error: unknown): Failure | null {
  const code = error instanceof WebAuthnError ? error.code : "";
  if (code === "ERROR_CEREMONY_ABORTED") return null;
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") {
    return { code, message: "This device already has a passkey for this account. No passkey was added." };
  }
  if (error instanceof Error && error.name === "NotAllowedError") {
    return {
      code: "passkey_dismissed",
      message: "The passkey prompt was dismissed or timed out. No passkey was used. Retry when you are ready.",
    };
  }
  return {
    code: "passkey_unavailable",
    message: "This browser could not use a passkey here. Use another browser or another method.",
  };
}
