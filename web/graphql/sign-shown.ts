/** A person's signature under a document: their passkey's, whose challenge is the document's digest. */
import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import canonicalize from "canonicalize";
import { askForPasskey, type Ceremony } from "./passkeys.ts";

/** SHA-256 of the canonical JSON (RFC 8785). */
async function canonicalDigest(document: unknown): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(canonicalize(document) ?? "");
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The same in hexadecimal. */
export async function canonicalSha256(document: unknown): Promise<string> {
  return [...(await canonicalDigest(document))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Asks for the passkey under what was shown; under anything else, whatever the service asks for, nothing is signed.
 * @param options PublicKeyCredentialRequestOptionsJSON
 */
export async function signShown(shown: unknown, options: unknown): Promise<Ceremony<AuthenticationResponseJSON>> {
  const { challenge } = options as { readonly challenge?: unknown };
  if (challenge !== base64url(await canonicalDigest(shown))) {
    const message = "What was to be signed is not what this page shows. Nothing was signed. Load the page again.";
    return { response: null, failure: { code: "document_differs", message } };
  }
  return await askForPasskey(options, false);
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
