import fc from "fast-check";
import { expect, it } from "vitest";
import { searchQuery } from "../../src/mail/reading/search-query.ts";

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");

it("translates words, quoted phrases and excluded words", () => {
  expect(searchQuery('wool "two pairs" -linen')).toBe("'wool':* & 'two pairs' & !'linen':*");
  expect(searchQuery(" - \"\" ''")).toBeNull();
});

// A phrase of thousands of words occupies PostgreSQL for minutes, and PGlite without end.
it("limits words in phrases and words joined by punctuation", () => {
  expect(searchQuery(`"${words(10_000)}" wool`)).not.toContain("word17");
  expect(searchQuery(words(10_000).replaceAll(" ", "-"))).toBeNull();
  expect(searchQuery(words(20))?.split(" & ")).toHaveLength(16);
});

it("never has more than sixteen words", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (typed) => {
      expect(searchQuery(typed)?.match(/[\p{L}\p{N}]+/gu)?.length ?? 0).toBeLessThanOrEqual(16);
    }),
  );
});
