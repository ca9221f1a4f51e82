/** Parsing and validation of form input, without a browser. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalPlaces, decimalToMinor, listCurrencies, minorToDecimal } from "../../web/components/minor-units.ts";
import { failureAt } from "../../web/graphql/match-result.ts";
import {
  findAmountProblem,
  findPurchaseProblems,
  readPurchase,
  toPurchaseQuery,
  withScheme,
} from "../../web/pages/buy/read-purchase.ts";
import { formatExpiry, readExpiry } from "../../web/pages/cards/read-card-form.ts";
import { findAmountProblems } from "../../web/pages/consent/amounts.ts";
import { EMPTY_DRAFT, findStepProblems, locateFailure, toRegistration } from "../../web/pages/developer/draft.ts";
import { browserMarket, readSearch } from "../../web/pages/merchants/read-search.ts";
import { EMPTY_POLICY, readDraft } from "../../web/pages/policy/policy-draft.ts";

describe("payment link", () => {
  it.each([
    ["merchant.example/report", "https://merchant.example/report"],
    ["merchant.example:8443", "https://merchant.example:8443"],
    ["localhost:4010/v1", "http://localhost:4010/v1"],
    ["127.0.0.1:4010", "http://127.0.0.1:4010"],
    ["[::1]:80/a", "http://[::1]:80/a"],
    ["localhost.evil.example", "https://localhost.evil.example"],
    ["http://merchant.example", "http://merchant.example"],
    ["", ""],
  ])("parses the merchant %j as %j", (given, merchant) => {
    expect(withScheme(given)).toBe(merchant);
  });

  it("uses the default network of the contract, and round-trips its parameters through the form", () => {
    const draft = readPurchase("?merchant=merchant.example/a%3Fb%3D1%26c&amount=0.25");
    expect(draft).toEqual({ merchant: "https://merchant.example/a?b=1&c", network: "base", amount: "0.25" });
    expect(readPurchase(toPurchaseQuery(draft))).toEqual(draft);
  });

  it.each([
    "ftp://merchant.example",
    "javascript://x.example/%0aalert(1)",
    "https://user@merchant.example",
    "https://merchant.example/#a",
    "https://",
    "https://merchant example",
  ])("rejects the merchant %j", (merchant) => {
    expect(findPurchaseProblems({ merchant, network: "base", amount: "" }, ["base"])).toHaveProperty("merchant");
  });

  it.each(["", "0", "0.000000", "-1", "1e3", "1.0000001", "1,5", "Infinity"])("rejects the amount %j", (amount) => {
    expect(findAmountProblem(amount)).not.toBeNull();
  });
});

it("requires every limit of an application, and accepts zero", () => {
  const amounts = { perTransactionLimitUsd: "0", dailyLimitUsd: " ", monthlyLimitUsd: "ten" };
  expect(Object.keys(findAmountProblems(amounts))).toEqual(["dailyLimitUsd", "monthlyLimitUsd"]);
});

describe("app registration", () => {
  it("omits empty entries", () => {
    const draft = { ...EMPTY_DRAFT, redirectUris: [" https://app.example/cb ", ""], contactEmails: [""] };
    const { app, oauth } = toRegistration(draft);
    expect(oauth.redirectUris).toEqual(["https://app.example/cb"]);
    expect(app.contactEmails).toEqual([]);
    expect(findStepProblems(draft, 2)).toEqual({ kind: expect.any(String), acceptTerms: expect.any(String) });
  });

  it.each([
    ["responsible.phone", 0, "phone"],
    ["registerOAuthClient.input.app.contactEmails.1", 1, "contactEmails.1"],
    ["oauth.redirectUris", 2, "redirectUris"],
  ])("assigns an error of %s to its step and field", (field, step, place) => {
    const failure = { code: "invalid_request", message: "no", field };
    expect(locateFailure(failure)).toEqual({ step, problems: { [place]: "no" } });
  });

  it("rewrites a message for display below the field's label", () => {
    const failure = {
      code: "invalid_request",
      message: "responsible.phone must be a number.",
      field: "responsible.phone",
    };
    expect(locateFailure(failure)?.problems).toEqual({ phone: "It must be a number." });
    expect(failureAt({ ...failure, field: "input.responsible.phone" }, "phone")).toBe("It must be a number.");
    expect(failureAt({ ...failure, message: "There is no such line." }, "phone")).toBe("There is no such line.");
  });

  it("assigns no field to an error without one", () => {
    expect(locateFailure({ code: "rate_limited", message: "later" })).toBeNull();
  });
});

describe("card expiry date", () => {
  it.each([
    ["04/28", 4, 2028],
    ["4 / 2028", 4, 2028],
    ["0428", 4, 2028],
    ["12-31", 12, 2031],
    ["122031", 12, 2031],
  ])("parses %j", (written, expMonth, expYear) => {
    expect(readExpiry(written)).toEqual({ expMonth, expYear });
    expect(readExpiry(formatExpiry({ expMonth, expYear }))).toEqual({ expMonth, expYear });
  });
  it.each(["", "13/28", "00/28", "4/8", "428", "04/028", "2028/04", "04/28/01"])("rejects %j", (written) => {
    expect(readExpiry(written)).toBeNull();
  });
});

describe("product search", () => {
  it.each([
    ["https://merchant.example/products/socks?variant=1", { url: "https://merchant.example/products/socks?variant=1" }],
    ["merchant.example/products/socks", { url: "https://merchant.example/products/socks" }],
    [" wool socks ", { q: "wool socks" }],
    ["size 4.5/5 shoes", { q: "size 4.5/5 shoes" }],
    ["javascript:alert(1)", { q: "javascript:alert(1)" }],
  ])("parses %j", (written, search) => {
    expect(readSearch(written)).toEqual(search);
  });

  it("defaults to the country of the browser's language, if it is supported", () => {
    const own = [["de-DE", "en-AU"], ["en"], [], ["en-US@posix", "en-GB"]].map(browserMarket);
    expect(own).toEqual(["AU", "US", "US", "GB"]);
  });
});

describe("amounts in minor units", () => {
  it("formats all decimal places of the currency, and parses the result to the same amount", () => {
    const currencies = listCurrencies().map(({ code }) => code);
    expect(currencies).toEqual(expect.arrayContaining(["GBP", "JPY", "KWD", "RSD"]));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.constantFrom(...currencies), (minor, currency) => {
        const written = minorToDecimal(minor, currency);
        expect(written.split(".")[1]?.length ?? 0).toBe(decimalPlaces(currency));
        expect(decimalToMinor(written, currency)).toBe(minor);
      }),
    );
    expect([minorToDecimal(5, "GBP"), minorToDecimal(500, "JPY"), minorToDecimal(1_250, "KWD")]).toEqual([
      "0.05",
      "500",
      "1.250",
    ]);
  });

  it.each([
    ["1.5", "JPY"],
    ["0.001", "GBP"],
    ["-1", "GBP"],
    ["1,50", "GBP"],
    ["1e3", "GBP"],
    ["", "GBP"],
    ["12345678901234", "GBP"],
  ])("rejects %j in %s", (written, currency) => {
    expect(decimalToMinor(written, currency)).toBeNull();
  });
});

it("rejects a policy with limits of zero", () => {
  const draft = { ...EMPTY_POLICY, currency: "GBP", perOrder: "0", daily: "0", monthly: "0", until: "2030-01-01" };
  expect(readDraft(draft)).toEqual({
    problems: expect.objectContaining({ perOrder: expect.any(String), daily: expect.any(String) }),
  });
});
