import fc from "fast-check";
import { expect, it } from "vitest";
import { searchQuery } from "../../src/mail/reading/search-query.ts";

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");

it("reads words, quoted words that stand together, and words that must not be there", () => {
  expect(searchQuery('wool "two pairs" -linen')).toBe("'wool':* & 'two pairs' & !'linen':*");
  expect(searchQuery(" - \"\" ''")).toBeNull();
});

// A phrase of thousands of words keeps the database busy for minutes, and PGlite for ever.
it("holds the words of a phrase, and those that a sign joins, to as many as there may be of any", () => {
  expect(searchQuery(`"${words(10_000)}" wool`)).not.toContain("word17");
  expect(searchQuery(words(10_000).replaceAll(" ", "-"))).toBeNull();
  expect(searchQuery(words(20))?.split(" & ")).toHaveLength(16);
});

it("never names more than sixteen words, whatever is typed", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (typed) => {
      expect(searchQuery(typed)?.match(/[\p{L}\p{N}]+/gu)?.length ?? 0).toBeLessThanOrEqual(16);
    }),
  );
});
