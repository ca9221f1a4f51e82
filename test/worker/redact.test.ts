/** Redaction of card numbers and security codes from evidence, with few false positives. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactUrl } from "../../src/worker/evidence/har.ts";
import { createRedactor, passesLuhn } from "../../src/worker/evidence/redact.ts";

const NUMBER = "4000056655665556";
const withCheckDigit = (digits: string) =>
  `${digits}${[..."0123456789"].find((digit) => passesLuhn(`${digits}${digit}`))}`;

describe("the redactor", () => {
  it("redacts every possible card number in any notation", () => {
    const digits = fc.array(fc.nat({ max: 9 }), { minLength: 11, maxLength: 17 }).map((rest) => rest.join(""));
    const between = fc.constantFrom("", " ", "-", "\u00a0", " - ", ".", "%20", "\u2009");
    fc.assert(
      fc.property(fc.constantFrom("3", "4", "5", "6"), digits, between, (first, rest, blank) => {
        const number = withCheckDigit(first + rest);
        const { text, redactions } = createRedactor().clean(`Card: ${[...number].join(blank)}, thanks`);
        expect(text).toBe("Card: [card number], thanks");
        expect(redactions).toEqual(["card_number"]);
      }),
    );
  });

  it("redacts the released card and its code in any text", () => {
    const redactor = createRedactor();
    redactor.hide({ number: NUMBER, securityCode: "739" });
    const { text, redactions } = redactor.clean(`x99${NUMBER}99y 4000-0566-5566-5556 cvc=739; 17390 a739b`);
    expect(text).toBe("x99[card number]99y [card number] cvc=[security code]; 17390 a[security code]b");
    expect(redactions).toEqual(["card_number", "security_code"]);
    expect(redactor.cleanOfCard("order 4111111111111111").text).toBe("order 4111111111111111");
  });

  it.each([
    "1763775600000",
    "Order 10423",
    "£1,234.50",
    "+44 20 7946 0958",
    "2026-11-22T01:37:40.123Z",
    "4242 4242 4242",
  ])("leaves %s unchanged", (text) => {
    expect(createRedactor().clean(text)).toEqual({ text, redactions: [] });
  });
});

describe("a URL in the evidence", () => {
  it.each([
    ["https://u:p@merchant.example/cart?key=secret&key=other&b=1#frag", "https://merchant.example/cart?key=&b="],
    [
      "https://merchant.example/checkouts/cn/Z2NwLXVzLWVhc3QxOjAxSjE/pay",
      "https://merchant.example/checkouts/cn/Z2NwLX…/pay",
    ],
    ["not an address", ""],
  ])("%s is recorded as %s", (address, shown) => {
    expect(redactUrl(address)).toBe(shown);
  });
});
