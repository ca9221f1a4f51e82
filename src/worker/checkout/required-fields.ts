/**
 * Required fields of a document that are empty or invalid, as data for questions to the person. The browser's validation
 * cannot block a form in which none is missing.
 */
import { isBareExpiry } from "./card-fields.ts";
import type { DocumentView, PageField } from "./document-view.ts";
import { isBilling, isOfCard, isOtherForm, purposeOf } from "./field-purposes.ts";

/** Purpose of a missing field. A closed list; `other` is anything that no rule recognises. */
export const MISSING_PURPOSES = [
  ...["email", "phone", "first_name", "last_name", "full_name", "company", "address1", "address2", "house_number"],
  "house_number_suffix",
  ...["city", "province", "postal_code", "country", "salutation", "vat_id", "birth_date", "delivery_note"],
  /** Agreement to the merchant's text, such as terms or advertising. */
  "consent",
  /** Confirmation of a minimum age. */
  "age",
  /** National identity and tax numbers of natural persons. */
  "identity_number",
  "password",
  "other",
] as const;
export type MissingPurpose = (typeof MISSING_PURPOSES)[number];

export type MissingKind = "text" | "choice" | "yes_no" | "date";

/** Limits of a text or date, as the page states them. */
export interface MissingBounds {
  readonly minLength: number | null;
  readonly maxLength: number | null;
  /** Regular expression of the HTML standard, anchored at both ends; from the page, so untrusted. */
  readonly pattern: string | null;
  /** Lowest and highest value of numbers and dates. */
  readonly min: string | null;
  readonly max: string | null;
}

export interface MissingField {
  /** Stable between snapshots of the same page. Contains no value. */
  readonly key: string;
  readonly purpose: MissingPurpose;
  readonly kind: MissingKind;
  /** Label of the page, untrusted, at most 200 characters. */
  readonly label: string;
  /** Options of a choice; texts are untrusted. Empty for other kinds. */
  readonly choices: readonly { readonly value: string; readonly text: string }[];
  readonly bounds: MissingBounds;
  /** `index` of the field in its document; of all radio buttons of a group. */
  readonly indexes: readonly number[];
}

/** `required` of the page, or a mark in the label. */
const MARK =
  /[*＊]|\((?:required|erforderlich|obligatoire|obligatorio|requis)\)|必須|必填|필수|\b(?:pflichtfeld|verplicht|wymagane|obligatorisk)/i;
const OPTIONAL =
  /optional|facultati|opcional|opzionale|facoltativ|optioneel|valgfri|valfri|frivillig|opcjonal|任意|选填/i;
const AGE =
  /\b(?:18|21)\b|\bage\b|volljährig|mindestalter|\bâge\b|majeur|mayor de edad|maggiorenne|leeftijd|pełnoletni|年齢/i;
const SALUTATION = /salutation|anrede|civilité|tratamiento|titolo|aanhef|\btitle\b|gender|geschlecht/i;

/** Details of the billing address, which is known once the card is released. */
const BILLING = /^(?:first_name|last_name|full_name|address1|house_number|city|province|postal_code|country)$/;

/**
 * Returns the required fields of the checkout that are empty or that the browser's validation would refuse. Card fields and
 * fields of other forms, such as a newsletter, are left out.
 * @param isBillingKnown whether the billing address was filled in; its empty fields are otherwise left out
 */
export function missingRequiredFields(
  { fields }: Pick<DocumentView, "fields">,
  isBillingKnown = false,
): MissingField[] {
  const relevant = fields.filter(
    (field) =>
      !field.disabled &&
      isOfCheckout(field, fields) &&
      !isCardField(field, fields) &&
      (isBillingKnown || !(isBilling(field) && BILLING.test(purposeOf(field) ?? ""))),
  );
  const radios = Map.groupBy(
    relevant.filter(({ type }) => type === "radio"),
    ({ form, name, group }) => `${form} ${name || group}`,
  );
  const groups = [...radios.values()].filter(
    (group) =>
      group.every(({ checked }) => !checked) && group.some((field) => isRequired(field) || MARK.test(field.group)),
  );
  const single = relevant.filter(({ type }) => type !== "radio").filter(isMissing);
  return [...single.map((field) => toMissing([field])), ...groups.map(toMissing)].toSorted(
    (one, other) => (one.indexes[0] ?? 0) - (other.indexes[0] ?? 0),
  );
}

function isMissing(field: PageField): boolean {
  if (field.type === "checkbox") return !field.checked && (field.required || field.validity !== "");
  return field.validity !== "" || (field.isEmpty && isRequired(field));
}

function isRequired({ required, label, nearby }: PageField): boolean {
  const text = `${label} ${nearby}`;
  return required || (MARK.test(text) && !OPTIONAL.test(text));
}

/** Whether a field belongs to a form with the buyer's details, or to no form. */
function isOfCheckout(field: PageField, fields: readonly PageField[]): boolean {
  if (isOtherForm(field)) return false;
  if (field.form < 0 && field.overlay < 0) return true;
  const purposes = fields
    .filter(({ form, overlay }) => form === field.form && overlay === field.overlay)
    .map(purposeOf)
    .filter((purpose) => purpose !== null && purpose !== "email");
  return purposes.length > 0 || fields.filter((one) => one.form === field.form && !isOtherForm(one)).length > 2;
}

function isCardField(field: PageField, fields: readonly PageField[]): boolean {
  return isOfCard(purposeOf(field)) || (isBareExpiry(field) && fields.some((one) => purposeOf(one) === "card_number"));
}

function toMissing(group: readonly PageField[]): MissingField {
  const [field] = group as [PageField, ...PageField[]];
  const isGroup = field.type === "radio";
  const label = (isGroup ? field.group : field.label || field.nearby || field.placeholder || field.name).slice(0, 200);
  const isList = field.type === "select" || field.type === "combobox";
  const { minLength, maxLength, pattern, min, max } = field;
  return {
    key: `${field.form} ${field.type} ${field.name || field.id || label}`,
    purpose: missingPurposeOf(field, label),
    kind: isGroup || isList ? "choice" : field.type === "checkbox" ? "yes_no" : field.type === "date" ? "date" : "text",
    label,
    choices: isGroup
      ? group.map(({ label: text }) => ({ value: text, text }))
      : isList
        ? field.options
            .filter(({ disabled, value }) => !disabled && value !== "")
            .map(({ value, text }) => ({ value, text }))
        : [],
    bounds: { minLength, maxLength, pattern: pattern || null, min: min || null, max: max || null },
    indexes: group.map(({ index }) => index),
  };
}

function missingPurposeOf(field: PageField, label: string): MissingPurpose {
  if (field.type === "checkbox") return AGE.test(label) ? "age" : "consent";
  if (field.type === "password") return "password";
  if (field.type === "radio") return SALUTATION.test(label) ? "salutation" : "other";
  const purpose = purposeOf(field);
  const known = MISSING_PURPOSES.find((one) => one === purpose);
  return known ?? "other";
}
