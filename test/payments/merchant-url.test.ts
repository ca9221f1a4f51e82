/** Merchant URLs of purchase tokens: no URL beside or above the merchant URL is accepted, regardless of its encoding. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAtOrUnder, readMerchantUrl } from "../../src/payments/merchant-url.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";

const BOUND = "https://merchant.example/v1/data";

describe("isAtOrUnder accepts", () => {
  it.each([
    BOUND,
    `${BOUND}/`,
    `${BOUND}?page=2`,
    `${BOUND}/report`,
    `${BOUND}/report/2026?x=../../..`,
    `${BOUND}/a%20b/100%25`,
    `${BOUND}/a%2Fb`,
    `${BOUND}//report`,
    "https://merchant.example:443/v1/data",
    "HTTPS://MERCHANT.EXAMPLE/v1/data",
    "https://merchant.example/v1/x/../data/report",
    "https://merchant.example/v1/data/report#part",
    "https://merchant.example\\v1\\data",
  ])("%s", (url) => expect(isAtOrUnder(url, BOUND)).toBe(true));

  it("every path of a merchant URL that is an origin", () => {
    for (const bound of ["https://merchant.example", "https://merchant.example/"]) {
      expect(isAtOrUnder("https://merchant.example/anything?x=1", bound)).toBe(true);
      expect(isAtOrUnder("https://merchant.example", bound)).toBe(true);
      expect(isAtOrUnder("https://other.example/", bound)).toBe(false);
    }
  });

  it("only the same query for a merchant URL with a query", () => {
    const bound = `${BOUND}?id=5`;
    expect(isAtOrUnder(bound, bound)).toBe(true);
    for (const url of [BOUND, `${BOUND}?id=6`, `${BOUND}?id=5&id=6`, `${BOUND}/more?id=5`, `${BOUND}/?id=5`]) {
      expect(isAtOrUnder(url, bound), url).toBe(false);
    }
  });
});

describe("isAtOrUnder rejects", () => {
  it.each([
    // Sibling and parent paths.
    "https://merchant.example/v1",
    "https://merchant.example/v1/",
    "https://merchant.example/",
    "https://merchant.example/v1/datax",
    "https://merchant.example/v1/data;x/report",
    "https://merchant.example/v1/data%2Freport",
    "https://merchant.example/v1/DATA",
    "https://merchant.example/v1%2Fdata",
    "https://merchant.example/x?/v1/data",
    "https://merchant.example/#/v1/data",
    // Other origins.
    "http://merchant.example/v1/data",
    "https://merchant.example:8443/v1/data",
    "https://merchant.example./v1/data",
    "https://www.merchant.example/v1/data",
    "https://merchant.example.evil.example/v1/data",
    "https://evil.example/https://merchant.example/v1/data",
    "https://merchant.example@evil.example/v1/data",
    "https://user@merchant.example/v1/data",
    "https://user:secret@merchant.example/v1/data",
    "https://evil.example\\@merchant.example/v1/data",
    "//merchant.example/v1/data",
    "data:text/plain,/v1/data",
    "not a URL",
    "",
    // Dot segments that the parser resolves.
    `${BOUND}/..`,
    `${BOUND}/../admin`,
    `${BOUND}/%2e%2e/admin`,
    `${BOUND}/.%2E/admin`,
    `${BOUND}\\..\\admin`,
    // Dot segments that only some servers resolve.
    `${BOUND}/%2e%2e%2fadmin`,
    `${BOUND}/..%2fadmin`,
    `${BOUND}/..%5cadmin`,
    `${BOUND}/x%2f..%2f..%2fadmin`,
    `${BOUND}/%252e%252e/admin`,
    `${BOUND}/%25252e%25252e%25252fadmin`,
    `${BOUND}/..;/admin`,
    `${BOUND}/..;x=1/admin`,
    `${BOUND}/%2e%2e;/admin`,
    `${BOUND}/..%00/admin`,
    `${BOUND}/..%20/admin`,
    `${BOUND}/%c0%ae%c0%ae/admin`,
    `${BOUND}/%ef%bc%8e%ef%bc%8e/admin`,
    `${BOUND}/%e2%80%a5/admin`,
  ])("%s", (url) => expect(isAtOrUnder(url, BOUND)).toBe(false));

  const segment = fc.constantFrom(
    "v1",
    "data",
    "a",
    "..",
    ".",
    "%2e%2e",
    "..%2f",
    "%2f",
    "%5c..",
    "..;x",
    "",
    "%252e%252e",
    "x.y",
  );

  it("property: every URL that a server could resolve outside the merchant path", () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 7 }), fc.nat({ max: 3 }), (segments, decodings) => {
        const url = `https://merchant.example/v1/data/${segments.join("/")}`;
        fc.pre(isAtOrUnder(url, BOUND));
        // A server that decodes several times and removes parameters before it resolves the path.
        let path = new URL(url).pathname;
        for (let i = 0; i < decodings; i++) path = decodeURIComponent(path);
        const resolved: string[] = [];
        for (const part of path.split(/[/\\]/).map((text) => text.split(";", 1)[0] ?? "")) {
          if (part === "..") resolved.pop();
          else if (part !== "." && part !== "") resolved.push(part);
        }
        expect(resolved.slice(0, 2)).toEqual(["v1", "data"]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("property: every path without the merchant path as its prefix", () => {
    const name = fc.stringMatching(/^[a-z0-9._~-]{1,8}$/).filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.array(name, { maxLength: 5 }),
        (base, requested) => {
          const bound = `https://merchant.example/${base.join("/")}`;
          const isPrefix = base.every((part, index) => requested[index] === part);
          expect(isAtOrUnder(`https://merchant.example/${requested.join("/")}`, bound)).toBe(isPrefix);
        },
      ),
    );
  });
});

describe("readMerchantUrl", () => {
  it.each([
    ["https://merchant.example", "https://merchant.example"],
    ["https://merchant.example/", "https://merchant.example/"],
    ["HTTPS://Merchant.Example:443/V1/", "https://merchant.example/V1/"],
    ["http://127.0.0.1:4021/v1/weather?day=1", "http://127.0.0.1:4021/v1/weather?day=1"],
    ["https://merchant.example/a/../v1", "https://merchant.example/v1"],
    ["https://münchen.example/x", "https://xn--mnchen-3ya.example/x"],
  ])("normalises %s to %s", (text, normalised) => {
    expect(readMerchantUrl(text, "merchantUrl")).toBe(normalised);
    expect(isAtOrUnder(text, normalised)).toBe(true);
  });

  it.each([
    "",
    "merchant.example",
    "merchant.example/v1",
    "//merchant.example/v1",
    "/v1",
    "ftp://merchant.example/v1",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://",
    "https:merchant.example",
    "https://user@merchant.example/",
    "https://:secret@merchant.example/",
    "https://@merchant.example/",
    "https://merchant.example/#part",
    "https://merchant.example/#",
    "https://merchant.example/..%2fadmin",
    `https://merchant.example/${"a".repeat(2_048)}`,
    " https://merchant.example/",
  ])("rejects %j with the field's name", (text) => {
    expect(() => readMerchantUrl(text, "merchantUrl")).toThrow(InvalidRequestError);
    expect(() => readMerchantUrl(text, "merchantUrl")).toThrow(/^merchantUrl /);
  });
});
