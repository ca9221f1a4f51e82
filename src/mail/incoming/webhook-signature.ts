/** The signature of a posted message: Standard Webhooks, version 1, symmetric (www.standardwebhooks.com). */
import { createHmac, timingSafeEqual } from "node:crypto";

/** A signature older or newer than this is refused: what was once recorded is no use later. */
const TOLERANCE_SECONDS = 300;
const PREFIX = "whsec_";
const MAX_ID_LENGTH = 256;
const MAX_SIGNATURES = 10;

export interface SignatureHeaders {
  readonly id: string;
  /** Unix time in seconds, as it was sent. */
  readonly timestamp: string;
  /** `v1,<base64>`, several with spaces between them. */
  readonly signature: string;
}

export interface SignatureCheck {
  /** To be told of every byte of the body, in order. */
  update(chunk: Buffer): void;
  /** Once; in constant time. */
  isRight(): boolean;
}

/**
 * Null when the headers cannot be right whatever the body is.
 *
 * @param secret `whsec_` and base64, else the key's own bytes as text
 */
export function beginSignatureCheck(secret: string, headers: SignatureHeaders, nowMs: number): SignatureCheck | null {
  const { id, timestamp, signature } = headers;
  if (id === "" || id.length > MAX_ID_LENGTH || !/^\d{1,12}$/.test(timestamp)) return null;
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return null;
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), "base64") : Buffer.from(secret);
  const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`);
  return {
    update: (chunk) => void hmac.update(chunk),
    isRight() {
      const expected = hmac.digest();
      const given = signature.split(" ").slice(0, MAX_SIGNATURES);
      // All of them are looked at, so that time tells nothing.
      const matches = given.map((one) => {
        const [version, encoded = ""] = one.split(",", 2);
        const bytes = Buffer.from(encoded, "base64");
        return bytes.length === expected.length && timingSafeEqual(bytes, expected) && version === "v1";
      });
      return matches.includes(true);
    },
  };
}
