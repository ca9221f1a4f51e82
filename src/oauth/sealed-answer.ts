/**
 * The answer to a refresh, kept so that it can be repeated for a moment. Only the refresh token itself yields the key:
 * what is stored tells nobody anything, this service included.
 */
import { createSecretKey, hkdfSync } from "node:crypto";
import { open, seal } from "../platform/crypto/sealing/sealed-box.ts";
import type { TokenResponse } from "./token-pair.ts";

const KEY_BYTES = 32;

export function sealAnswer(refreshToken: string, tokenId: string, answer: TokenResponse): Uint8Array<ArrayBuffer> {
  return seal(keyOf(refreshToken), Buffer.from(JSON.stringify(answer)), context(tokenId));
}

/** @throws {SealBrokenError} when it was not sealed for this token. */
export function openAnswer(refreshToken: string, tokenId: string, sealed: Uint8Array): TokenResponse {
  return JSON.parse(Buffer.from(open(keyOf(refreshToken), sealed, context(tokenId))).toString("utf8")) as TokenResponse;
}

/** HKDF (RFC 5869): the token has 256 random bits, so no salt is needed. */
function keyOf(refreshToken: string) {
  return createSecretKey(Buffer.from(hkdfSync("sha256", refreshToken, "", "satchel oauth refresh answer", KEY_BYTES)));
}

function context(tokenId: string): string {
  return `oauth-refresh-answer:${tokenId}`;
}
