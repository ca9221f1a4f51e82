/** Required fields that are missing, and what their labels say, in the languages of common checkouts. */
import { describe, expect, it } from "vitest";
import { isAgreement, isUnwanted } from "../../src/worker/checkout/agreements.ts";
import { purposeOf } from "../../src/worker/checkout/field-purposes.ts";
import { missingRequiredFields } from "../../src/worker/checkout/required-fields.ts";
import { fieldWith } from "./page-fields.ts";

const ADDRESS = [
  fieldWith({ label: "First name", required: true, isEmpty: false, value: "Ada" }),
  fieldWith({ label: "Address", required: true, isEmpty: false, value: "1 Main Street" }),
];
const missing = (...fields: ReturnType<typeof fieldWith>[]) =>
  missingRequiredFields({ fields: [...ADDRESS, ...fields] });

describe("missing fields", () => {
  it("states label, kind, choices and bounds", () => {
    const found = missing(
      fieldWith({ label: "Geburtsdatum *", type: "date", min: "1900-01-01", validity: "" }),
      fieldWith({ label: "Company", required: true, maxLength: 40 }),
      fieldWith({ label: "I am over 18", type: "checkbox", required: true, validity: "valueMissing" }),
      fieldWith({ label: "Frau", type: "radio", name: "s", group: "Anrede *" }),
      fieldWith({ label: "Herr", type: "radio", name: "s", group: "Anrede *" }),
    );
    expect(found.map(({ purpose, kind }) => `${purpose} ${kind}`)).toEqual([
      "birth_date date",
      "company text",
      "age yes_no",
      "salutation choice",
    ]);
    expect(found[0]?.bounds.min).toBe("1900-01-01");
    expect(found[1]?.bounds.maxLength).toBe(40);
    expect(found[3]?.choices.map(({ text }) => text)).toEqual(["Frau", "Herr"]);
  });

  it("includes values that the browser's validation refuses", () => {
    const [found] = missing(
      fieldWith({ label: "Hausnummer", isEmpty: false, value: "x", pattern: "[0-9]+", validity: "patternMismatch" }),
    );
    expect(found).toMatchObject({ purpose: "house_number", bounds: { pattern: "[0-9]+" } });
  });

  it.each([
    ["a card field", fieldWith({ label: "Card number", required: true })],
    ["an optional field", fieldWith({ label: "Phone (optional) *" })],
    ["a discount", fieldWith({ label: "Discount code", required: true })],
    ["a newsletter's form", fieldWith({ label: "Email", required: true, form: 7 })],
    ["a chat over the page", fieldWith({ label: "Email", required: true, form: -1, overlay: 0 })],
    [
      "the billing address, which the card brings",
      fieldWith({ label: "City", group: "Billing address", required: true }),
    ],
    ["a disabled field", fieldWith({ label: "VAT number", required: true, disabled: true })],
    [
      "a chosen group",
      fieldWith({ label: "Standard", type: "radio", required: true, checked: true, group: "Delivery" }),
    ],
  ])("leaves out %s", (_what, field) => {
    expect(missing(field)).toEqual([]);
  });
});

describe("purposes by label", () => {
  it.each([
    ["Hausnummer", "house_number"],
    ["Huisnummer", "house_number"],
    ["Toevoeging", "house_number_suffix"],
    ["Nr domu", "house_number"],
    ["Straße", "address1"],
    ["Ulica", "address1"],
    ["Calle", "address1"],
    ["Postnummer", "postal_code"],
    ["Kod pocztowy", "postal_code"],
    ["Miejscowość", "city"],
    ["Postort", "city"],
    ["Förnamn", "first_name"],
    ["Nazwisko", "last_name"],
    ["Nome e cognome", "full_name"],
    ["Vor- und Nachname", "full_name"],
    ["Anrede", "salutation"],
    ["Civilité", "salutation"],
    ["Partita IVA", "vat_id"],
    ["Codice fiscale", "identity_number"],
    ["Personnummer", "identity_number"],
    ["Fecha de nacimiento", "birth_date"],
    ["Lieferhinweis", "delivery_note"],
    ["郵便番号", "postal_code"],
    ["Middle name", null],
    ["Company name", "company"],
    ["1234 1234 1234 1234", "card_number"],
  ])("is %s: %s", (label, purpose) => {
    expect(purposeOf(fieldWith({ label }))).toBe(purpose);
  });

  it("reads an email field that is named as a user name", () => {
    expect(purposeOf(fieldWith({ label: "Email Address", name: "username" }))).toBe("email");
  });
});

describe("checkboxes", () => {
  const box = (label: string, members = {}) => fieldWith({ label, type: "checkbox", ...members });
  it.each([
    ["I have read and agree to the website terms and conditions *", true],
    ["Ich habe die AGB gelesen", true],
    ["Akceptuję regulamin", true],
    ["Ich akzeptiere die AGB und den Datenschutz", true],
    ["I agree to receive offers under the terms of the newsletter", false],
    ["I accept the terms of the insurance", false],
  ])("accepts “%s”: %s", (label, isAccepted) => {
    expect(isAgreement(box(label))).toBe(isAccepted);
  });

  it.each([
    ["Subscribe to our newsletter", true],
    ["Protect my order with shipping insurance", true],
    ["Ja, ich möchte Angebote per E-Mail erhalten", true],
    ["Save my information for a faster checkout", true],
    ["Save my info for next time", true],
    ["Billing address is the same as shipping", false],
    ["I agree to the terms and conditions", false],
  ])("unticks “%s”: %s", (label, isCleared) => {
    expect(isUnwanted(box(label, { checked: true }))).toBe(isCleared);
  });
});

it.each([
  ...[
    "Straße und Hausnummer",
    "Straße, Hausnummer *",
    "Straße / Hausnr.",
    "Hausnummer und Straße",
    "Street and house number",
  ],
  ...[
    "House number and street name",
    "Rue et numéro de rue",
    "Via e numero civico",
    "Straat en huisnummer",
    "Gata, husnummer",
  ],
])("reads “%s” as the whole line, and not as the house number", (label) => {
  expect(purposeOf(fieldWith({ label }))).toBe("address1");
});

it.each(["Hausnummer", "House number", "Street no.", "Numéro de rue", "Numero civico", "Huisnummer", "Nr."])(
  "reads “%s” as the house number",
  (label) => {
    expect(purposeOf(fieldWith({ label }))).toBe("house_number");
  },
);
