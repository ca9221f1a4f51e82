/** Determines a field's purpose from its autocomplete attribute (WHATWG autofill), its label, placeholder, name or id. */
import type { FieldPurpose } from "../../checkout/worker-protocol/recipe.ts";
import type { PageField } from "./document-view.ts";

const BY_AUTOCOMPLETE: Readonly<Record<string, FieldPurpose>> = {
  email: "email",
  tel: "phone",
  "tel-national": "phone",
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
  "cc-number": "card_number",
  "cc-name": "card_name",
  "cc-exp": "card_expiry",
  "cc-exp-month": "card_expiry_month",
  "cc-exp-year": "card_expiry_year",
  "cc-csc": "card_security_code",
};

/** The first match decides. Covers labels in English, German, French, Spanish, Italian, Dutch and Japanese. */
const BY_WORDS: readonly (readonly [FieldPurpose, RegExp])[] = [
  [
    "card_security_code",
    /security code|secure code|\bcv[vc]2?\b|\bcsc\b|\bcid\b|card (?:verification|code)|prüfnummer|prüfziffer|sicherheitscode|kartenprüf|cryptogramme|code de sécurité|código de seguridad|codice di sicurezza|beveiligingscode|セキュリティ/i,
  ],
  [
    "card_number",
    /card.?(?:number|no\b|num\b)|cardnumber|kartennummer|numéro de (?:la )?carte|número de (?:la )?tarjeta|numero (?:della )?carta|kaartnummer|カード番号/i,
  ],
  [
    "card_expiry_month",
    /(?:\b(?:exp|valid|gültig)\w*|card|cc)[^a-z]*(?:[a-z]+ )*?(?:month|monat|mois|mes|mese|maand)\b|exp_?month|expmonth|cc_?month|有効期限.?月/i,
  ],
  [
    "card_expiry_year",
    /(?:\b(?:exp|valid|gültig)\w*|card|cc)[^a-z]*(?:[a-z]+ )*?(?:year|jahr|année|año|anno|jaar)\b|exp_?year|expyear|cc_?year|有効期限.?年/i,
  ],
  [
    "card_expiry",
    /expir|exp\.? ?date|exp-date|valid (?:until|thru|through|to)|good thru|\bmm ?[/|-] ?(?:yy|jj|aa)|ablauf|gültig bis|date d'expiration|caducidad|vencimiento|scadenza|vervaldatum|有効期限/i,
  ],
  [
    "card_name",
    /name on (?:the )?card|card.?holder|cardname|ccname|cc-name|karteninhaber|name auf der karte|titulaire|titular|intestatario|kaarthouder|カード名義/i,
  ],
  ["email", /e-?mail|courriel|correo|メール/i],
  ["phone", /phone|\btel(?:e|\b|\.)|mobile|handy|téléphone|teléfono|telefono|telefoon|電話/i],
  ["postal_code", /post(?:al)?[ _-]?code|\bzip|postleitzahl|\bplz\b|code postal|código postal|\bcap\b|郵便番号/i],
  ["country", /\bcountry|\bland\b|\bpays\b|\bpaís\b|\bpaese\b|国名|\bnation/i],
  [
    "province",
    /\bstate\b|province|provincia|\bregion\b|\bcounty\b|bundesland|prefecture|emirate|governorate|都道府県|\bzone\b/i,
  ],
  ["company", /company|organi[sz]ation|firma|société|empresa|azienda|bedrijf|会社/i],
  [
    "address2",
    /address ?(?:line ?)?2|apartment|apt\b|suite|\bunit\b|\bflat\b|building|floor|adresszusatz|complément|piso|interno|建物/i,
  ],
  ["address1", /address|street|straße|strasse|adresse|dirección|indirizzo|\badres\b|住所|番地/i],
  ["city", /\bcity\b|\btown\b|suburb|locality|\bort\b|\bstadt\b|\bville\b|ciudad|città|\bplaats\b|市区町村/i],
  ["first_name", /first ?name|given ?name|forename|vorname|prénom|nombre$|^nome$|voornaam|名$/i],
  [
    "last_name",
    /last ?name|family ?name|surname|nachname|familienname|nom de famille|^nom$|apellido|cognome|achternaam|姓/i,
  ],
  ["full_name", /full ?name|your name|^name\b|\bname$|recipient|empfänger|氏名|お名前/i],
];

const NOT_REQUIRED =
  /coupon|promo|discount|gift|voucher|gutschein|search|suche|newsletter|subscribe|username|password|captcha/i;
const TYPED = /^(?:text|email|tel|number|search|url|select|textarea|password)$/;

/** Whether a field belongs to the billing address. */
export function isBilling({ autocomplete, group, name, id }: PageField): boolean {
  if (/\bbilling\b/.test(autocomplete)) return true;
  if (/\bshipping\b/.test(autocomplete)) return false;
  return /billing|rechnung|facturation|facturación|fatturazione|factuur|請求/i.test(`${group} ${name} ${id}`);
}

/** Returns null for fields that a buyer need not fill in, and for unknown ones. */
export function purposeOf(field: PageField): FieldPurpose | null {
  if (!TYPED.test(field.type)) return null;
  const marked = field.autocomplete
    .split(" ")
    .map((token) => BY_AUTOCOMPLETE[token])
    .find((purpose) => purpose !== undefined);
  if (marked) return marked;
  const { label, placeholder, name, id } = field;
  if (
    NOT_REQUIRED.test(`${label} ${placeholder} ${name} ${id}`) ||
    /one-time-code|password|username/.test(field.autocomplete)
  )
    return null;
  // The label comes before the name, because it is the text that the buyer sees.
  return byWords(label) ?? byWords(placeholder) ?? byWords(spelled(name)) ?? byWords(spelled(id)) ?? byType(field);
}

function byWords(text: string): FieldPurpose | null {
  return text === "" ? null : (BY_WORDS.find(([, words]) => words.test(text))?.[0] ?? null);
}

/** Splits a field name such as `shippingAddress[postalCode]` into words. */
function spelled(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[[\]._-]+/g, " ")
    .trim();
}

function byType({ type }: PageField): FieldPurpose | null {
  if (type === "email") return "email";
  return type === "tel" ? "phone" : null;
}

export function isOfCard(purpose: FieldPurpose | null): boolean {
  return purpose?.startsWith("card_") ?? false;
}
