/**
 * Encrypted token responses, stored to repeat the response to a refresh that was lost. The key is derived
 * from the refresh token, which is not stored, so the service itself cannot decrypt them.
 */
import { createSecretKey, hkdfSync } from "node:crypto";
import { open, seal } from "../platform/crypto/sealing/sealed-box.ts";
import type { TokenResponse } from "./token-pair.ts";

const KEY_BYTES = 32;

export function sealResponse(refreshToken: string, tokenId: string, response: TokenResponse): Uint8Array<ArrayBuffer> {
  return seal(deriveKey(refreshToken), Buffer.from(JSON.stringify(response)), sealContext(tokenId));
}

/** @throws {SealBrokenError} if the response was sealed for another token */
export function openResponse(refreshToken: string, tokenId: string, sealed: Uint8Array): TokenResponse {
  const json = Buffer.from(open(deriveKey(refreshToken), sealed, sealContext(tokenId))).toString("utf8");
  return JSON.parse(json) as TokenResponse;
}

/** Derives the key with HKDF (RFC 5869). No salt is needed, because the token has 256 random bits. */
function deriveKey(refreshToken: string) {
  return createSecretKey(Buffer.from(hkdfSync("sha256", refreshToken, "", "satchel oauth refresh answer", KEY_BYTES)));
}

function sealContext(tokenId: string): string {
  return `oauth-refresh-answer:${tokenId}`;
}
