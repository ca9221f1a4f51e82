import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** SHA-256 of the canonical JSON (RFC 8785). */
export function canonicalDigest(document: object): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    createHash("sha256")
      .update(canonicalize(document) ?? "")
      .digest(),
  );
}
