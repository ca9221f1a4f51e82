/** The browser's side of WebAuthn, and what its refusals mean to a person. */
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
  /** `failure` is null when another ceremony took this one's place: nothing to tell. */
  | { readonly response: null; readonly failure: Failure | null };

export const canUsePasskeys = browserSupportsWebAuthn;
/** Whether the browser offers passkeys where it offers what was typed before. */
export const canAutofillPasskeys = browserSupportsWebAuthnAutofill;

/** Asks for a passkey; with `isAutofill` quietly, beside the field that is marked for it. */
export async function askForPasskey(
  options: unknown,
  isAutofill: boolean,
): Promise<Ceremony<AuthenticationResponseJSON>> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return await perform(() => startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill }));
}

export async function makePasskey(options: unknown): Promise<Ceremony<RegistrationResponseJSON>> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return await perform(() => startRegistration({ optionsJSON }));
}

async function perform<Response>(ceremony: () => Promise<Response>): Promise<Ceremony<Response>> {
  try {
    return { response: await ceremony(), failure: null };
  } catch (error) {
    return { response: null, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): Failure | null {
  const code = error instanceof WebAuthnError ? error.code : "";
  if (code === "ERROR_CEREMONY_ABORTED") return null;
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") {
    return { code, message: "This device has a passkey for this account already. Nothing was added." };
  }
  if (error instanceof Error && error.name === "NotAllowedError") {
    return {
      code: "passkey_dismissed",
      message: "No passkey was used: it was dismissed, or took too long. Try again when you are ready.",
    };
  }
  return { code: "passkey_unavailable", message: "This browser could not use a passkey here. Try another way." };
}
