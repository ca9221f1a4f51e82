import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** Returns the SHA-256 digest of the document's canonical JSON (RFC 8785). */
export function canonicalDigest(document: object): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    createHash("sha256")
      .update(canonicalize(document) ?? "")
      .digest(),
  );
}
