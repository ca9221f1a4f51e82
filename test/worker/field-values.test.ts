/** Values of form fields: street and house number, provinces, countries, telephone numbers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressValues } from "../../src/worker/checkout/buyer.ts";
import { neutralSalutation, optionFor, textsFor } from "../../src/worker/checkout/field-values.ts";
import type { Purpose } from "../../src/worker/checkout/field-words.ts";
import { splitStreetLine } from "../../src/worker/checkout/house-number.ts";
import { isSamePhone, phoneForms } from "../../src/worker/checkout/phone-forms.ts";
import { fieldWith } from "./page-fields.ts";

const HOME = { firstName: "Ada", lastName: "Lovelace", company: null, address1: "1 Main Street", address2: null };
const addressIn = (countryCode: string, provinceCode: string | null = null, phone: string | null = null) =>
  addressValues({ ...HOME, city: "Town", postalCode: "10115", provinceCode, countryCode, phone });
const options = (...pairs: (string | readonly [value: string, text: string])[]) =>
  pairs.map((pair) => {
    const [value, text] = typeof pair === "string" ? [pair, pair] : pair;
    return { value, text, disabled: false };
  });

describe("street and house number", () => {
  it.each([
    ["Am Markt 12", "DE", "Am Markt", "12", ""],
    ["Straße des 17. Juni 135", "DE", "Straße des 17. Juni", "135", ""],
    ["Hauptstr. 5a", "DE", "Hauptstr.", "5", "a"],
    ["Damrak 1-3 A", "NL", "Damrak", "1-3", "A"],
    ["Via Roma, 7", "IT", "Via Roma", "7", ""],
    ["Calle Mayor nº 4", "ES", "Calle Mayor", "4", ""],
    ["12 St James's Square", "GB", "St James's Square", "12", ""],
    ["5 bis Rue de Rivoli", "FR", "Rue de Rivoli", "5", "bis"],
    ["221B Baker Street", "GB", "Baker Street", "221", "B"],
  ])("splits %s (%s)", (line, country, street, houseNumber, suffix) => {
    expect(splitStreetLine(line, country)).toEqual({ street, houseNumber, suffix });
  });

  it.each([
    ["Rose Cottage", "GB"],
    ["Postfach", "DE"],
    ["12", "DE"],
  ])("finds no number in %s (%s)", (line, country) => {
    expect(splitStreetLine(line, country)).toBeNull();
  });

  it("loses no character of any line", () => {
    const bare = (text: string) => [...text.replace(/[^\p{L}\p{N}]/gu, "")].sort().join("");
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-zäß0-9][A-Za-zäß0-9 .'-]{0,30}$/),
        fc.constantFrom("DE", "GB"),
        (line, country) => {
          const parts = splitStreetLine(line, country);
          if (parts) expect(bare(Object.values(parts).join(""))).toBe(bare(line));
        },
      ),
    );
  });
});

describe("options of a list", () => {
  it.each<
    [purpose: Purpose, country: string, province: string | null, list: ReturnType<typeof options>, value: string | null]
  >([
    ["province", "US", "CA", options("Alabama", "California", "Colorado"), "California"],
    ["province", "US", "CA", options("AL", "CA", "CO"), "CA"],
    ["province", "US", "CA", options(["1", "Alabama"], ["12", "California"]), "12"],
    ["province", "US", "CA", options(["US-AL", "AL - Alabama"], ["US-CA", "CA - California"]), "US-CA"],
    ["province", "CA", "QC", options(["66", "Ontario"], ["67", "Québec"]), "67"],
    ["province", "AU", "VIC", options("New South Wales", "Victoria"), "Victoria"],
    ["province", "DE", "BY", options("Bayern", "Berlin"), "Bayern"],
    ["province", "ES", "M", options(["8", "Barcelona"], ["28", "Madrid"]), "28"],
    // The value is a number of the list, not the code of the prefecture.
    ["province", "JP", "13", options(["13", "Chiba"], ["14", "Tokyo"]), "14"],
    ["province", "JP", "13", options(["JP-12", "千葉県"], ["JP-13", "東京都"]), "JP-13"],
    ["province", "US", "CA", options("Ontario", "Quebec"), null],
    ["country", "GB", null, options(["3", "United States (US)"], ["4", "United Kingdom (UK)"]), "4"],
    ["country", "DE", null, options(["DEU", "Allemagne"], ["FRA", "France"]), "DEU"],
    ["country", "NL", null, options(["a", "The Netherlands"], ["b", "Belgium"]), "a"],
    ["country", "GB", null, options("France", "Germany"), null],
  ])("chooses %s of %s %s", (purpose, country, province, list, value) => {
    expect(optionFor({ options: list }, purpose, addressIn(country, province))?.value ?? null).toBe(value);
  });

  it("chooses the country prefix of the number, by country where several share it", () => {
    const list = options(["1a", "Canada (+1)"], ["1b", "United States (+1)"], ["49", "Germany (+49)"]);
    const choose = (country: string, phone: string) =>
      optionFor({ options: list }, "phone_country", addressIn(country, null, phone))?.value;
    expect(choose("US", "+1 415 555 0132")).toBe("1b");
    expect(choose("DE", "+49 30 901820")).toBe("49");
  });

  it("never guesses a salutation", () => {
    expect(neutralSalutation(["Frau", "Herr", "Divers / keine Angabe"])).toBe(2);
    expect(neutralSalutation(["Mr", "Mrs", "Prefer not to say"])).toBe(2);
    expect(neutralSalutation(["Mr", "Mrs", "Ms"])).toBe(-1);
  });
});

describe("notations", () => {
  const us = addressIn("US", "CA", "+1 415 555 0132");
  it("offers national notations only where the prefix has a field of its own", () => {
    expect(textsFor(fieldWith({}), "phone", us, true)).toEqual(["4155550132", "(415) 555-0132"]);
    expect(textsFor(fieldWith({}), "phone", us, false)[0]).toBe("+1 415 555 0132");
  });

  it.each([
    ["(415) 555-0132", true],
    ["+14155550132", true],
    ["1 415 555 0132", true],
    ["(141) 555-5013", false],
    ["+44 415 555 0132", false],
  ])("recognises %s as the number: %s", (value, isSame) => {
    expect(isSamePhone(value, phoneForms("+1 415 555 0132", "US"))).toBe(isSame);
  });

  it("offers a postal code with and without its space", () => {
    const values = { ...us, country: "CA", postal_code: "M5V3L9" };
    expect(textsFor(fieldWith({}), "postal_code", values, false)).toEqual(["M5V3L9", "M5V 3L9"]);
  });
});
