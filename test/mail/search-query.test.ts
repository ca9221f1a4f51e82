import fc from "fast-check";
import { expect, it } from "vitest";
import { buildSearchQuery } from "../../src/mail/reading/search-query.ts";

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");

it("translates words, quoted phrases and excluded words", () => {
  expect(buildSearchQuery('wool "two pairs" -linen')).toBe("'wool':* & 'two pairs' & !'linen':*");
  expect(buildSearchQuery(" - \"\" ''")).toBeNull();
});

// A phrase of thousands of words occupies PostgreSQL for minutes, and PGlite without end.
it("limits words in phrases and words joined by punctuation", () => {
  expect(buildSearchQuery(`"${words(10_000)}" wool`)).not.toContain("word17");
  expect(buildSearchQuery(words(10_000).replaceAll(" ", "-"))).toBeNull();
  expect(buildSearchQuery(words(20))?.split(" & ")).toHaveLength(16);
});

it("never has more than sixteen words", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (typed) => {
      expect(buildSearchQuery(typed)?.match(/[\p{L}\p{N}]+/gu)?.length ?? 0).toBeLessThanOrEqual(16);
    }),
  );
});
