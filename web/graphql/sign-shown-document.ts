/** Signatures of documents by the account owner: passkey assertions whose challenge is the document's digest. */
import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import canonicalize from "canonicalize";
import { authenticateWithPasskey, type Ceremony } from "./passkeys.ts";

/** Returns the SHA-256 digest of the canonical JSON (RFC 8785). */
async function canonicalDigest(document: unknown): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(canonicalize(document) ?? "");
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** Returns the SHA-256 digest of the canonical JSON (RFC 8785), in hexadecimal. */
export async function canonicalSha256(document: unknown): Promise<string> {
  return [...(await canonicalDigest(document))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Signs `shown` with a passkey. Signs nothing if the challenge from the service is not the digest of `shown`.
 * @param options PublicKeyCredentialRequestOptionsJSON
 */
export async function signShownDocument(
  shown: unknown,
  options: unknown,
): Promise<Ceremony<AuthenticationResponseJSON>> {
  const { challenge } = options as { readonly challenge?: unknown };
  if (challenge !== base64url(await canonicalDigest(shown))) {
    const message = "The document to sign differs from the one shown here. Nothing was signed. Reload the page.";
    return { response: null, failure: { code: "document_differs", message } };
  }
  return await authenticateWithPasskey(options, false);
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
