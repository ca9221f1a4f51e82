import fc from "fast-check";
import { expect, it } from "vitest";
import { readReturnTo } from "../../../src/accounts/sign-in/return-to.ts";

it.each(["/", "/consent?request=oar_1&x=%2F%2Fevil.example", "/dashboard/tokens#new", "/a//b", "/a:b"])(
  "accepts %s",
  (path) => expect(readReturnTo(path)).toBe(path),
);

it.each([
  "",
  "dashboard",
  "//evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "/ü",
  `/${"a".repeat(3_000)}`,
  null,
  undefined,
])("rejects %j", (text) => expect(readReturnTo(text)).toBeNull());

const dangerous = fc
  .array(
    fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      ":",
      "@",
      "?",
      "#",
      "%2f",
      "%5c",
      "%2e",
      "\t",
      "\n",
      "\r",
      "\0",
      " ",
      "evil.example",
      "https:",
      "a",
      "//",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

it("never returns a path that resolves to another origin, even when resolved twice", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        dangerous,
        fc.string(),
        fc.webUrl(),
        dangerous.map((text) => `/${text}`),
      ),
      (text) => {
        const path = readReturnTo(text);
        if (path === null) return;
        for (const base of ["https://satchel.example", "http://localhost:4000/sign-in"]) {
          const first = new URL(path, base);
          expect(first.origin).toBe(new URL(base).origin);
          // Routers resolve the result a second time.
          expect(new URL(first.pathname + first.search + first.hash, base).origin).toBe(first.origin);
        }
        expect(path).toMatch(/^\/[^/\\]?[^\\]*$/);
      },
    ),
    { numRuns: 5_000 },
  );
});
