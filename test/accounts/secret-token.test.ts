import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashToken, isWellFormedToken, mintToken } from "../../src/accounts/secret-token.ts";

describe("a secret token", () => {
  it("has its prefix, 43 base62 characters and a checksum, and is unique", () => {
    const tokens = Array.from({ length: 200 }, () => mintToken("satchel_sk_"));
    for (const token of tokens) {
      expect(token).toMatch(/^satchel_sk_[0-9A-Za-z]{49}$/);
      expect(isWellFormedToken(token, "satchel_sk_")).toBe(true);
      expect(isWellFormedToken(token, "satchel_pt_")).toBe(false);
    }
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it("is malformed if a single character is wrong", () => {
    const token = mintToken("satchel_sk_");
    fc.assert(
      fc.property(fc.integer({ min: 11, max: token.length - 1 }), fc.constantFrom(..."0Aaz"), (at, character) => {
        fc.pre(token[at] !== character);
        const typo = token.slice(0, at) + character + token.slice(at + 1);
        expect(isWellFormedToken(typo, "satchel_sk_")).toBe(false);
      }),
    );
    expect(isWellFormedToken(token.slice(0, -1), "satchel_sk_")).toBe(false);
    expect(isWellFormedToken(`${token}0`, "satchel_sk_")).toBe(false);
  });

  it("is hashed with SHA-256", () => {
    expect(Buffer.from(hashToken("abc")).toString("hex")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});
