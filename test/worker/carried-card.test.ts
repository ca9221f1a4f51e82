/** A card number is found in any encoding that pages use, and not where it is not. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCardDetector, textOf } from "../../src/worker/checkout/gate/carried-card.ts";

const NUMBER = "4242424242424242";
const isIn = createCardDetector(NUMBER);
const groups = ["4242", "4242", "4242", "4242"];
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("the card number", () => {
  it.each<[string, string]>([
    ["plain", `number=${NUMBER}&cvc=123`],
    ["spaced", "number=4242 4242 4242 4242"],
    ["spaced with plus signs", "number=4242+4242+4242+4242"],
    ["with no-break spaces", "4242 4242 4242 4242"],
    ["with hyphens", "4242-4242-4242-4242"],
    ["URL encoded", [...NUMBER].map((digit) => `%3${digit}`).join("")],
    ["URL encoded twice", "number%3D4242%252042424242%25204242"],
    ["a JSON number", JSON.stringify({ card: { number: Number(NUMBER) } })],
    ["a JSON string", JSON.stringify({ card: { number: NUMBER } })],
    [
      "escaped",
      String.raw`{"number":"\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032"}`,
    ],
    ["groups in JSON", JSON.stringify(groups)],
    ["groups in members", groups.map((group, index) => `n${index + 1}=${group}`).join("&")],
    ["groups in JSON members", JSON.stringify({ n1: "4242", n2: "4242", n3: "4242", n4: "4242" })],
    ["single digits", JSON.stringify([...NUMBER])],
    ["single digits as numbers", JSON.stringify([...NUMBER].map(Number))],
    ["reversed", [...NUMBER].reverse().join("")],
    ["Base64", base64(NUMBER)],
    ["Base64 of JSON in a query", `/pay?data=${encodeURIComponent(base64(JSON.stringify({ number: NUMBER })))}`],
    ["Base64 twice", base64(base64(`number=${NUMBER}`))],
    ["Base64 for URLs", Buffer.from(`{"n":"${NUMBER}"}`).toString("base64url")],
    ["hexadecimal", Buffer.from(NUMBER).toString("hex")],
    ["hexadecimal in capitals", Buffer.from(`pan ${NUMBER}`).toString("hex").toUpperCase()],
    ["a hexadecimal number", BigInt(NUMBER).toString(16)],
    ["fullwidth digits", [...NUMBER].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join("")],
    ["UTF-16", Buffer.from(NUMBER, "utf16le").toString("latin1")],
    ["followed by the expiry", `${NUMBER}1230`],
    ["after a prefix", `00${NUMBER}`],
    ["multipart", `--b\r\nContent-Disposition: form-data; name="number"\r\n\r\n4242 4242 4242 4242\r\n--b--`],
  ])("is found %s", (_encoding, text) => {
    expect(isIn([text])).toBe(true);
  });

  it("is found compressed", () => {
    expect(isIn([textOf(gzipSync(JSON.stringify({ number: NUMBER })))])).toBe(true);
  });

  it("is found for any number in any of these encodings, within any text", () => {
    const encodings: readonly ((number: string) => string)[] = [
      (number) => number,
      (number) => number.replaceAll(/(\d{4})(?=\d)/g, "$1 "),
      (number) => base64(`{"number":"${number}"}`),
      (number) => Buffer.from(number).toString("hex"),
      (number) => [...number].reverse().join(""),
      (number) => encodeURIComponent(JSON.stringify({ number: Number(number) })),
      (number) => JSON.stringify(number.match(/.{1,4}/g)),
    ];
    fc.assert(
      fc.property(
        fc.stringMatching(/^[3-6]\d{12,15}$/),
        fc.constantFrom(...encodings),
        fc.stringMatching(/^[a-z &=]{0,20}$/),
        (number, encode, around) => {
          expect(createCardDetector(number)([`${around}:${encode(number)}|${around}`])).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("is not found in other numbers and texts", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.stringMatching(/^5\d{15}$/), (text, other) => {
        expect(createCardDetector("4539578763621486")([text, other, base64(other)])).toBe(false);
      }),
      { numRuns: 200 },
    );
    for (const text of ["last4=4242", "4242 42", "424242", "phone=+44 20 7946 0958", "id=1764172800123"])
      expect(isIn([text])).toBe(false);
  });
});
