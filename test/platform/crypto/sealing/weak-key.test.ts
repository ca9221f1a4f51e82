import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findKeyWeakness } from "../../../../src/platform/crypto/sealing/weak-key.ts";

describe("findKeyWeakness", () => {
  it.each([
    ["zeros", Buffer.alloc(32)],
    ["one repeated byte", Buffer.alloc(32, 7)],
    ["a repeated pattern", Buffer.from("0123456789abcdef".repeat(4), "hex")],
    ["a key of 16 bytes twice", Buffer.alloc(32, Buffer.from("f00102a3b4c5d6e7089aabbccddeeff1", "hex"))],
    ["a sequence", Buffer.from(Array.from({ length: 32 }, (_, index) => index))],
    ["a falling sequence", Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - 3 * index))],
    ["a password", Buffer.from("correct horse battery staple 123")],
  ])("rejects %s", (_name, key) => {
    expect(key.length).toBe(32);
    expect(findKeyWeakness(key)).not.toBeNull();
  });

  it("accepts random keys", () => {
    for (let round = 0; round < 2_000; round += 1) expect(findKeyWeakness(randomBytes(32))).toBeNull();
  });
});
