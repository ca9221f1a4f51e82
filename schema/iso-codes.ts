/** Scalars for codes of ISO standards. */
import { code as currencyOf } from "currency-codes";
import { InvalidValue } from "../src/platform/graphql/invalid-value.ts";
import { isCountryCode } from "../src/platform/validation.ts";
import { builder } from "./builder.ts";
import { createInput } from "./scalars.ts";

builder.scalarType("CountryCode", {
  description: "A country: ISO 3166-1 alpha-2, in upper case, such as `GB`.",
  specifiedByURL: "https://www.iso.org/iso-3166-country-codes.html",
  serialize: (value) => value,
  ...createInput((value) => {
    if (typeof value === "string" && isCountryCode(value)) return value;
    throw new InvalidValue("CountryCode", "must be a country of ISO 3166-1 alpha-2, in upper case, such as GB");
  }),
});

builder.scalarType("CurrencyCode", {
  description: "A currency: ISO 4217, in upper case, such as `GBP`.",
  specifiedByURL: "https://www.iso.org/iso-4217-currency-codes.html",
  serialize: (value) => value,
  ...createInput((value) => {
    if (typeof value === "string" && /^[A-Z]{3}$/.test(value) && currencyOf(value)) return value;
    throw new InvalidValue("CurrencyCode", "must be a currency of ISO 4217, in upper case, such as GBP");
  }),
});
