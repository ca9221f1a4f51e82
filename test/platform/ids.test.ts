import { expect, test } from "vitest";
import { newId, randomBase62, randomNonceHex } from "../../src/platform/ids.ts";

test("ids have a fixed format, sort by time and are unique", () => {
  const ids = Array.from({ length: 10_000 }, () => newId("tx"));
  for (const id of ids) expect(id).toMatch(/^tx_\d{13}_[0-9A-Za-z]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
  const times = ids.map((id) => id.split("_")[1]);
  expect(times).toEqual(times.toSorted());
});

test.each([0, 1, 12, 43, 1_000])(
  "randomBase62(%i) returns that length, regardless of the rest of the block",
  (length) => {
    for (let n = 0; n < 1_000; n++) expect(randomBase62(length)).toHaveLength(length);
  },
);

test("random characters are uniformly distributed", () => {
  const counts = new Map<string, number>();
  const drawn = 620_000;
  for (let n = 0; n < drawn / 1_000; n++) {
    for (const character of randomBase62(1_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // Expected 10,000 each, with a standard deviation of 100; a difference of seven deviations does not occur by chance.
  for (const count of counts.values()) expect(Math.abs(count - drawn / 62)).toBeLessThan(700);
});

test("nonces have 32 bytes and share no part, also across blocks", () => {
  const nonces = Array.from({ length: 1_000 }, randomNonceHex);
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{64}$/);
  const quarters = nonces.flatMap((nonce) => nonce.match(/.{16}/g) ?? []);
  expect(new Set(quarters).size).toBe(4 * nonces.length);
});
