import { PublicKey } from "@solana/web3.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase58, encodeBase58 } from "../../../src/platform/crypto/base58.ts";

describe("base58", () => {
  it("encodes keys like @solana/web3.js", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(31), (bytes, zeros) => {
        bytes.fill(0, 0, zeros);
        expect(encodeBase58(bytes)).toBe(new PublicKey(bytes).toBase58());
      }),
    );
  });

  it("decodes its own encoding", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes);
      }),
    );
  });

  it("rejects characters outside the alphabet", () => {
    for (const text of ["0", "O", "I", "l", "a b", "é"]) expect(decodeBase58(text)).toBeNull();
  });
});
