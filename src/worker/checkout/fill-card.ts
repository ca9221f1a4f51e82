/** Types the card into its fields. Nothing is logged, and no error contains typed values. */
import type { ElementHandle } from "playwright-core";
import type { ReleasedCard } from "../../checkout/worker-protocol/job.ts";
import type { WorkerSession } from "../session.ts";
import type { CardField } from "./card-fields.ts";
import { type PinnedFrames, pinnedElement } from "./card-receivers.ts";
import type { PageField } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import { enterText } from "./enter-text.ts";
import type { Purpose } from "./field-purposes.ts";
import { hasValue } from "./field-values.ts";
import { fillField, selectOption } from "./fill-field.ts";

/** A frame that loads for longer is filled in nevertheless. */
const FRAME_LOAD_MS = 3_000;
const ORDER: readonly Purpose[] = [
  "card_brand",
  "card_number",
  "card_expiry",
  "card_expiry_month",
  "card_expiry_year",
  "card_security_code",
  "card_name",
];

/** Returns a message if a required card field is missing, otherwise null. */
export function missingCardField(fields: readonly CardField[]): string | null {
  const has = (purpose: Purpose) => fields.some((field) => field.purpose === purpose);
  if (!has("card_number")) return "Card number field not found";
  if (!has("card_expiry") && !(has("card_expiry_month") && has("card_expiry_year")))
    return "Card expiry field not found";
  return null;
}

/** Fills in all card fields, and the cardholder's country and postcode in the processor's frames. @throws {CheckoutEndedError} a field rejects its value, or its page changed */
export async function fillCard(
  session: Pick<WorkerSession, "maskField" | "securityCode">,
  fields: readonly CardField[],
  card: ReleasedCard,
  pins: PinnedFrames,
): Promise<void> {
  await waitUntilLoaded(fields);
  const needsCode = fields.some(({ purpose }) => purpose === "card_security_code");
  const code = needsCode ? (card.securityCode ?? (await session.securityCode())) : "";
  for (const purpose of ORDER) {
    const field = fields.find((one) => one.purpose === purpose);
    if (!field || (purpose === "card_expiry" && hasParts(fields))) continue;
    const element = await pinnedElement(field, pins);
    if (!element) throw new CheckoutEndedError("missing_field", "A card field no longer exists");
    const isList = field.field.type === "select";
    // Beside radio buttons and hidden fields, processors detect the brand from the number.
    if (purpose === "card_brand" && !isList) continue;
    if (!isList) await session.maskField(element);
    const text = textFor(field, card, code);
    const isFilled = isList
      ? await selectPart(element, field, card)
      : await enterText(element, text, (value) => isSame(purpose, value, text));
    if (!isFilled) throw new CheckoutEndedError("missing_field", `Card field rejected its value: ${purpose}`);
  }
  await fillCardholderPlace(fields, card, pins);
}

/** Waits for the scripts of the card frames, which would miss what was typed before. */
async function waitUntilLoaded(fields: readonly CardField[]): Promise<void> {
  const frames = new Set(fields.map(({ view }) => view.frame));
  await Promise.all(
    [...frames].map((frame) => frame.waitForLoadState("load", { timeout: FRAME_LOAD_MS }).catch(() => {})),
  );
}

/** Fills in the country before the postcode, whose field may depend on it. A field that the frame removed is skipped. */
async function fillCardholderPlace(
  fields: readonly CardField[],
  { billingAddress: { countryCode, postalCode } }: ReleasedCard,
  pins: PinnedFrames,
): Promise<void> {
  const values = { country: countryCode, ...(postalCode === null ? {} : { postal_code: postalCode }) };
  for (const purpose of ["country", "postal_code"] as const) {
    const place = fields.find((field) => field.purpose === purpose);
    if (!place || hasValue(place.field, purpose, values) || !(await pinnedElement(place, pins))) continue;
    await fillField(place.view, place.field, { purpose, values, hasPrefixField: false });
  }
}

const hasParts = (fields: readonly CardField[]) =>
  ["card_expiry_month", "card_expiry_year"].every((purpose) => fields.some((field) => field.purpose === purpose));

function textFor({ purpose, field }: CardField, card: ReleasedCard, code: string): string {
  const month = String(card.expMonth).padStart(2, "0");
  switch (purpose) {
    case "card_number":
      return card.number;
    case "card_expiry":
      return expiryFor(field, month, card.expYear);
    case "card_expiry_month":
      return month;
    case "card_expiry_year":
      return field.maxLength === 2 || /\b(?:yy|jj|aa)\b/i.test(`${field.placeholder} ${field.label}`)
        ? String(card.expYear).slice(-2)
        : String(card.expYear);
    case "card_security_code":
      return code;
    default:
      return card.cardholderName;
  }
}

/** Formats the expiry as the field's placeholder, label or length indicates. The default is MM/YY. */
export function expiryFor({ type, placeholder, label, maxLength }: PageField, month: string, year: number): string {
  if (type === "month") return `${year}-${month}`;
  const isLong = /(?:yyyy|jjjj|aaaa)/i.test(`${placeholder} ${label}`) || maxLength === 6;
  const digits = isLong ? String(year) : String(year).slice(-2);
  return maxLength !== null && maxLength < 5 + (isLong ? 2 : 0) ? `${month}${digits}` : `${month}/${digits}`;
}

async function selectPart(
  element: ElementHandle<HTMLElement>,
  { purpose, field }: CardField,
  card: ReleasedCard,
): Promise<boolean> {
  const option = field.options.find(({ value, text }) =>
    [value, text].some((caption) => names(purpose, caption, card)),
  );
  return option !== undefined && (await selectOption(element, option.value));
}

/** Names of brands in lists, by the card's own. */
const BRANDS: readonly (readonly [brand: RegExp, names: RegExp])[] = [
  [/^visa/i, /^(?:visa\b|vi$|vs$)/i],
  [/^master/i, /^(?:master ?card\b|euro ?card\b|mc$|eurocard\/mastercard)/i],
  [/^am/i, /^(?:american express\b|amex\b|ae$|ax$)/i],
  [/^disc/i, /^(?:discover\b|di$|ds$)/i],
  [/^din/i, /^(?:diners\b|dc$|dn$)/i],
  [/^jcb/i, /^jcb\b/i],
  [/^maestro/i, /^(?:maestro\b|sm$)/i],
];

/** Whether an option of a list stands for the card's brand, month or year. */
function names(purpose: Purpose, caption: string, { brand, expMonth, expYear }: ReleasedCard): boolean {
  if (purpose === "card_brand") return BRANDS.some(([own, names]) => own.test(brand) && names.test(caption.trim()));
  const isMonth = purpose === "card_expiry_month";
  if (isMonth && MONTH_NAMES[expMonth - 1]?.has(bareName(caption))) return true;
  const numbers = isMonth ? [expMonth] : [expYear, expYear % 100];
  return /^\d{1,4}\b/.test(caption) && numbers.includes(Number.parseInt(caption, 10));
}

const bareName = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");

/** Long and short names of each month. */
const MONTH_NAMES: readonly ReadonlySet<string>[] = Array.from({ length: 12 }, (_, month) => {
  const languages = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "sv", "da", "nb", "fi"];
  const forms = (["long", "short"] as const).flatMap((form) =>
    languages.map((language) =>
      new Intl.DateTimeFormat(language, { month: form, timeZone: "UTC" }).format(Date.UTC(2026, month, 15)),
    ),
  );
  return new Set(forms.map(bareName).filter((name) => name !== ""));
});

/** Compares digits only, because pages add separators. Expiry years may have two or four digits. */
function isSame(purpose: Purpose, shown: string, typed: string): boolean {
  if (purpose === "card_name") return shown !== "";
  const [shownDigits, typedDigits] = [shown, typed].map((text) => text.replaceAll(/\D/g, "")) as [string, string];
  if (purpose !== "card_expiry") return shownDigits === typedDigits;
  if (/^\d{4}-/.test(typed)) return shown === typed;
  return shownDigits.slice(0, 2) === typedDigits.slice(0, 2) && shownDigits.slice(-2) === typedDigits.slice(-2);
}
