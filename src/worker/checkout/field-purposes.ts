/** Determines a field's purpose from its autocomplete attribute (WHATWG autofill), its label, placeholder, name or id. */
import { isCountryList } from "./country-names.ts";
import type { PageField } from "./document-view.ts";
import { PURPOSES_BY_WORDS, type Purpose } from "./field-words.ts";

export type { Purpose } from "./field-words.ts";
export type CardPurpose = Extract<Purpose, `card_${string}`>;

const BY_AUTOCOMPLETE: Readonly<Record<string, Purpose>> = {
  email: "email",
  tel: "phone",
  "tel-national": "phone",
  "tel-country-code": "phone_country",
  "given-name": "first_name",
  "family-name": "last_name",
  name: "full_name",
  organization: "company",
  "address-line1": "address1",
  "street-address": "address1",
  "address-line2": "address2",
  "address-level2": "city",
  "address-level1": "province",
  "postal-code": "postal_code",
  country: "country",
  "country-name": "country",
  "honorific-prefix": "salutation",
  bday: "birth_date",
  sex: "salutation",
  "cc-number": "card_number",
  "cc-name": "card_name",
  "cc-exp": "card_expiry",
  "cc-exp-month": "card_expiry_month",
  "cc-exp-year": "card_expiry_year",
  "cc-csc": "card_security_code",
};

/** Fields of other forms, such as a search or a discount. */
const OTHER_FORM =
  /coupon|promo|discount|\bgift|geschenk|voucher|gutschein|rabatt|code promo|cupón|buono|kortingscode|search|suche|recherche|buscar|newsletter|subscribe|captcha/i;
const SIGN_IN = /user ?name|password|passwort|mot de passe|contraseña|wachtwoord/i;
/** Parts of a name that an order does not know. */
const UNKNOWN_NAME = /middle|nickname|maiden|second (?:name|surname)|segundo|zweiter vorname|カナ|フリガナ|ふりがな/i;
const TYPED = /^(?:text|email|tel|number|search|url|select|combobox|textarea|password|date|month)$/;
const BIRTH = /birth|geburt|naissance|nacimiento|nascimento|nascita|geboorte|urodzenia|födelse|fødsel|生年月日/i;
const DATE_PART =
  /^(?:day|month|year|dd|mm|yyyy|tag|monat|jahr|jour|mois|année|día|mes|año|giorno|mese|anno|dag|maand|jaar|年|月|日)/i;
/** Marks of required and optional fields. */
const MARKS =
  /[*＊:]|\((?:optional|required|opcional|obligatorio|facultatif|obligatoire|opzionale|optioneel|valfritt|opcjonalnie)\)/gi;
const STREET =
  /street|straße|strasse|\bstr\.|straat|\brue\b|\bvoie\b|\bvia\b|\bcalle\b|\brua\b|\bulica\b|\bulice\b|\bgata\b|gatuadress|\bgade\b|\bvej\b|\bkatu|address|adress|\badres|dirección|indirizzo|endereço|住所/i;
/** Longest field that may hold a house number if only the word "number" names it. */
const MAX_HOUSE_NUMBER_LENGTH = 10;
const HOUSE =
  /house|street|building|haus|straße|strasse|huis|straat|\brue\b|\bvoie\b|maison|civic|calle|casa|dom|popis|hus|gatu|talo/i;

/** Whether a field belongs to the billing address. */
export function isBilling({ autocomplete, group, name, id }: PageField): boolean {
  if (/\bbilling\b/.test(autocomplete)) return true;
  if (/\bshipping\b/.test(autocomplete)) return false;
  return /billing|rechnung|facturation|facturación|fatturazione|factuur|faktur|請求/i.test(`${group} ${name} ${id}`);
}

/** Returns null for fields that a buyer need not fill in, and for unknown ones. */
export function purposeOf(field: PageField): Purpose | null {
  if (!TYPED.test(field.type)) return null;
  const marked = field.autocomplete
    .split(" ")
    .map((token) => BY_AUTOCOMPLETE[token])
    .find((purpose) => purpose !== undefined);
  if (marked) return marked;
  const { label, nearby = "", placeholder, name, id, maxLength } = field;
  if (isOtherForm(field) || UNKNOWN_NAME.test(`${label} ${placeholder}`)) return null;
  if (hasDialCodes(field)) return "phone_country";
  if (BIRTH.test(field.group) && DATE_PART.test(`${label}${placeholder}${nearby}`)) return "birth_date";
  // The label comes before the name, because it is the text that the buyer sees.
  const found =
    byWords(label) ?? byWords(placeholder) ?? byWords(nearby) ?? byWords(spelled(name)) ?? byWords(spelled(id));
  const isNumberOnly = !HOUSE.test(`${label} ${placeholder} ${nearby} ${name} ${id}`);
  if (found === "house_number" && isNumberOnly && maxLength !== null && maxLength > MAX_HOUSE_NUMBER_LENGTH)
    return null;
  if (found === "card_expiry" && field.type === "select") return expiryPartOf(field);
  return found ?? byType(field);
}

/** The options of a list of an expiry date decide its part, because one caption may name both. */
function expiryPartOf({ options }: PageField): Purpose {
  const texts = options.map(({ text }) => text.trim()).filter((text) => !/month|year|select|choose|^\W*$/i.test(text));
  if (texts.length > 0 && texts.every((text) => /^(?:20)?\d{2}$/.test(text) && Number(text) > 12))
    return "card_expiry_year";
  return texts.length === 12 ? "card_expiry_month" : "card_expiry";
}

/** Whether a field belongs to another form than the checkout's, such as a search, a discount or a sign-in. */
export function isOtherForm({ label, placeholder, name, id, autocomplete }: PageField): boolean {
  return (
    OTHER_FORM.test(`${label} ${placeholder} ${name} ${id}`) ||
    SIGN_IN.test(`${label} ${placeholder}`) ||
    /one-time-code|password|username/.test(autocomplete)
  );
}

function byWords(text: string): Purpose | null {
  const bare = text.replace(MARKS, " ").trim();
  const [purpose, words] = PURPOSES_BY_WORDS.find(([, one]) => bare !== "" && one.test(bare)) ?? [null, null];
  // “Street and house number” is one field for both.
  return purpose === "house_number" && STREET.test(bare.replace(words, "")) ? "address1" : purpose;
}

/** Splits a field name such as `shippingAddress[postalCode]` into words. */
function spelled(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[[\]._-]+/g, " ")
    .trim();
}

function byType(field: PageField): Purpose | null {
  if (field.type === "email") return "email";
  if (field.type === "tel") return "phone";
  return isCountryList(field.options) ? "country" : null;
}

/** Whether a list offers the country prefixes of telephone numbers. */
function hasDialCodes({ options = [], isCombobox, type, value, label = "" }: PageField): boolean {
  if (isCombobox && type === "combobox" && /\+\d{1,4}(?!\d)/.test(`${value} ${label}`)) return true;
  return options.length > 3 && options.filter(({ text }) => /\+\d/.test(text)).length > options.length / 2;
}

export function isOfCard(purpose: Purpose | null): purpose is CardPurpose {
  return purpose?.startsWith("card_") ?? false;
}
