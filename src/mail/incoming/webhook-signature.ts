/** Signature of the webhooks of a mail provider: Standard Webhooks, version 1, symmetric (www.standardwebhooks.com). */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Maximum difference between the timestamp and now; limits replays. */
const TOLERANCE_SECONDS = 300;
const PREFIX = "whsec_";
const MAX_ID_LENGTH = 256;
const MAX_SIGNATURES = 10;

export interface SignatureHeaders {
  readonly id: string;
  /** Unix time in seconds, unparsed. */
  readonly timestamp: string;
  /** One or more `v1,<base64>`, separated by spaces. */
  readonly signature: string;
}

export interface SignatureCheck {
  /** Adds a chunk of the body. Call it for every chunk, in order. */
  update(chunk: Buffer): void;
  /** Compares the signatures in constant time. Call it once, after the last chunk. */
  isValid(): boolean;
}

/** Returns the signature headers of a request; empty if absent. */
export function readSignatureHeaders(headers: IncomingHttpHeaders): SignatureHeaders {
  const read = (name: string) => (typeof headers[name] === "string" ? headers[name] : "");
  return { id: read("webhook-id"), timestamp: read("webhook-timestamp"), signature: read("webhook-signature") };
}

/**
 * Starts the check of a signature. Returns null when the id or the timestamp is invalid, regardless of the body.
 *
 * @param secrets all valid secrets: `whsec_` followed by base64; any other text is the key itself
 */
export function beginSignatureCheck(
  secrets: readonly string[],
  headers: SignatureHeaders,
  nowMs: number,
): SignatureCheck | null {
  const { id, timestamp, signature } = headers;
  if (id === "" || id.length > MAX_ID_LENGTH || !/^\d{1,12}$/.test(timestamp)) return null;
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return null;
  const hmacs = secrets.map((secret) => createHmac("sha256", readKey(secret)).update(`${id}.${timestamp}.`));
  return {
    update(chunk) {
      for (const hmac of hmacs) hmac.update(chunk);
    },
    isValid() {
      const expected = hmacs.map((hmac) => hmac.digest());
      const given = signature.split(" ").slice(0, MAX_SIGNATURES);
      // Every signature is compared, so the time does not depend on which one matches.
      const matches = given.flatMap((one) => {
        const [version, encoded = ""] = one.split(",", 2);
        const bytes = Buffer.from(encoded, "base64");
        return expected.map((mac) => bytes.length === mac.length && timingSafeEqual(bytes, mac) && version === "v1");
      });
      return matches.includes(true);
    },
  };
}

function readKey(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), "base64") : Buffer.from(secret);
}
