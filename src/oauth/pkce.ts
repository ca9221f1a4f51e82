/** Proof Key for Code Exchange (RFC 7636), with S256 as the only method. */
import { createHash, timingSafeEqual } from "node:crypto";

/** Returns true for a SHA-256 digest in base64url: 43 characters. */
export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Returns true for 43 to 128 unreserved characters (RFC 7636 section 4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}

export function matchesChallenge(verifier: string, challenge: string): boolean {
  const expected = Buffer.from(challenge);
  const actual = Buffer.from(createHash("sha256").update(verifier).digest("base64url"));
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
