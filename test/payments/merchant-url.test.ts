/** What a purchase token is bound to: nothing beside or above the merchant's address is within it, however it is written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAtOrUnder, readMerchantUrl } from "../../src/payments/merchant-url.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";

const BOUND = "https://shop.example/v1/data";

describe("within a merchant's address", () => {
  it.each([
    BOUND,
    `${BOUND}/`,
    `${BOUND}?page=2`,
    `${BOUND}/report`,
    `${BOUND}/report/2026?x=../../..`,
    `${BOUND}/a%20b/100%25`,
    `${BOUND}/a%2Fb`,
    `${BOUND}//report`,
    "https://shop.example:443/v1/data",
    "HTTPS://SHOP.EXAMPLE/v1/data",
    "https://shop.example/v1/x/../data/report",
    "https://shop.example/v1/data/report#part",
    "https://shop.example\\v1\\data",
  ])("%s", (url) => expect(isAtOrUnder(url, BOUND)).toBe(true));

  it("a merchant named by its origin has all of it", () => {
    for (const bound of ["https://shop.example", "https://shop.example/"]) {
      expect(isAtOrUnder("https://shop.example/anything?x=1", bound)).toBe(true);
      expect(isAtOrUnder("https://shop.example", bound)).toBe(true);
      expect(isAtOrUnder("https://other.example/", bound)).toBe(false);
    }
  });

  it("an address with a query is that one resource", () => {
    const bound = `${BOUND}?id=5`;
    expect(isAtOrUnder(bound, bound)).toBe(true);
    for (const url of [BOUND, `${BOUND}?id=6`, `${BOUND}?id=5&id=6`, `${BOUND}/more?id=5`, `${BOUND}/?id=5`]) {
      expect(isAtOrUnder(url, bound), url).toBe(false);
    }
  });
});

describe("not within it", () => {
  it.each([
    // Beside and above.
    "https://shop.example/v1",
    "https://shop.example/v1/",
    "https://shop.example/",
    "https://shop.example/v1/datax",
    "https://shop.example/v1/data;x/report",
    "https://shop.example/v1/data%2Freport",
    "https://shop.example/v1/DATA",
    "https://shop.example/v1%2Fdata",
    "https://shop.example/x?/v1/data",
    "https://shop.example/#/v1/data",
    // Other origins.
    "http://shop.example/v1/data",
    "https://shop.example:8443/v1/data",
    "https://shop.example./v1/data",
    "https://www.shop.example/v1/data",
    "https://shop.example.evil.example/v1/data",
    "https://evil.example/https://shop.example/v1/data",
    "https://shop.example@evil.example/v1/data",
    "https://user@shop.example/v1/data",
    "https://user:secret@shop.example/v1/data",
    "https://evil.example\\@shop.example/v1/data",
    "//shop.example/v1/data",
    "data:text/plain,/v1/data",
    "not an address",
    "",
    // Upwards, as the parser reads it.
    `${BOUND}/..`,
    `${BOUND}/../admin`,
    `${BOUND}/%2e%2e/admin`,
    `${BOUND}/.%2E/admin`,
    `${BOUND}\\..\\admin`,
    // Upwards, as some server may read what the parser leaves.
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

  it("property: whatever a server makes of the path, it stays under the merchant's", () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 7 }), fc.nat({ max: 3 }), (segments, decodings) => {
        const url = `https://shop.example/v1/data/${segments.join("/")}`;
        fc.pre(isAtOrUnder(url, BOUND));
        // A server that decodes as often as it likes, drops parameters, and only then walks the path.
        let path = new URL(url).pathname;
        for (let i = 0; i < decodings; i++) path = decodeURIComponent(path);
        const walked: string[] = [];
        for (const part of path.split(/[/\\]/).map((text) => text.split(";", 1)[0] ?? "")) {
          if (part === "..") walked.pop();
          else if (part !== "." && part !== "") walked.push(part);
        }
        expect(walked.slice(0, 2)).toEqual(["v1", "data"]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("property: a path beside the merchant's is never within it", () => {
    const name = fc.stringMatching(/^[a-z0-9._~-]{1,8}$/).filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.array(name, { maxLength: 5 }), (base, asked) => {
        const bound = `https://shop.example/${base.join("/")}`;
        const isPrefix = base.every((part, index) => asked[index] === part);
        expect(isAtOrUnder(`https://shop.example/${asked.join("/")}`, bound)).toBe(isPrefix);
      }),
    );
  });
});

describe("reading a merchant's address", () => {
  it.each([
    ["https://shop.example", "https://shop.example"],
    ["https://shop.example/", "https://shop.example/"],
    ["HTTPS://Shop.Example:443/V1/", "https://shop.example/V1/"],
    ["http://127.0.0.1:4021/v1/weather?day=1", "http://127.0.0.1:4021/v1/weather?day=1"],
    ["https://shop.example/a/../v1", "https://shop.example/v1"],
    ["https://münchen.example/x", "https://xn--mnchen-3ya.example/x"],
  ])("%s is %s", (text, read) => {
    expect(readMerchantUrl(text, "merchantUrl")).toBe(read);
    expect(isAtOrUnder(text, read)).toBe(true);
  });

  it.each([
    "",
    "shop.example",
    "shop.example/v1",
    "//shop.example/v1",
    "/v1",
    "ftp://shop.example/v1",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://",
    "https:shop.example",
    "https://user@shop.example/",
    "https://:secret@shop.example/",
    "https://@shop.example/",
    "https://shop.example/#part",
    "https://shop.example/#",
    "https://shop.example/..%2fadmin",
    `https://shop.example/${"a".repeat(2_048)}`,
    " https://shop.example/",
  ])("refuses %j by name", (text) => {
    expect(() => readMerchantUrl(text, "merchantUrl")).toThrow(InvalidRequestError);
    expect(() => readMerchantUrl(text, "merchantUrl")).toThrow(/^merchantUrl /);
  });
});
