/** Types the card. Nothing here is logged, and no error repeats what was typed. */
import type { ElementHandle } from "playwright-core";
import type { ReleasedCard } from "../../checkout/worker-protocol/job.ts";
import type { FieldPurpose } from "../../checkout/worker-protocol/recipe.ts";
import type { WorkerSession } from "../session.ts";
import { type CardField, type PinnedOrigins, pinnedElement } from "./card-fields.ts";
import type { PageField } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import { selectOption } from "./fill-field.ts";

const ACTION_MS = 5_000;
const KEY_DELAY_MS = 15;
const ORDER: readonly FieldPurpose[] = [
  "card_number",
  "card_expiry",
  "card_expiry_month",
  "card_expiry_year",
  "card_security_code",
  "card_name",
];

/** What of a card a checkout cannot do without; null where these fields have it. */
export function missingCardField(fields: readonly CardField[]): string | null {
  const has = (purpose: FieldPurpose) => fields.some((field) => field.purpose === purpose);
  if (!has("card_number")) return "the card's number has no field";
  if (!has("card_expiry") && !(has("card_expiry_month") && has("card_expiry_year")))
    return "the card's expiry has no field";
  return null;
}

/** @throws {CheckoutEndedError} a field does not take it, or its frame is not one that may have it */
export async function fillCard(
  session: Pick<WorkerSession, "maskField" | "securityCode">,
  fields: readonly CardField[],
  card: ReleasedCard,
  pins: PinnedOrigins,
): Promise<void> {
  const needsCode = fields.some(({ purpose }) => purpose === "card_security_code");
  const code = needsCode ? (card.securityCode ?? (await session.securityCode())) : "";
  for (const purpose of ORDER) {
    const field = fields.find((one) => one.purpose === purpose);
    if (!field || (purpose === "card_expiry" && hasParts(fields))) continue;
    const element = await pinnedElement(field, pins);
    if (!element)
      throw new CheckoutEndedError("missing_field", "a field of the card is in a frame that may not have it");
    const isList = field.field.type === "select";
    if (!isList) await session.maskField(element);
    const isFilled = isList
      ? await selectPart(element, field, card)
      : await type(element, field, textFor(field, card, code));
    if (!isFilled) throw new CheckoutEndedError("missing_field", `a field does not take what it asks for: ${purpose}`);
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

/** As the field says that it wants it; most take two digits each, with a stroke between. */
export function expiryFor({ placeholder, label, maxLength }: PageField, month: string, year: number): string {
  const isLong = /(?:yyyy|jjjj|aaaa)/i.test(`${placeholder} ${label}`) || maxLength === 6;
  const digits = isLong ? String(year) : String(year).slice(-2);
  return maxLength !== null && maxLength < 5 + (isLong ? 2 : 0) ? `${month}${digits}` : `${month}/${digits}`;
}

async function selectPart(
  element: ElementHandle<HTMLElement>,
  { purpose, field }: CardField,
  card: ReleasedCard,
): Promise<boolean> {
  const isMonth = purpose === "card_expiry_month";
  const numbers = isMonth ? [card.expMonth] : [card.expYear, card.expYear % 100];
  const option = field.options.find(({ value, text }) =>
    [value, text].some((caption) => /^\d{1,4}\b/.test(caption) && numbers.includes(Number.parseInt(caption, 10))),
  );
  return option !== undefined && (await selectOption(element, option.value));
}

/** At once; where a page's script takes only keys, key by key. */
async function type(element: ElementHandle<HTMLElement>, { purpose }: CardField, text: string): Promise<boolean> {
  const hasText = async () => isSame(purpose, await element.inputValue({ timeout: ACTION_MS }), text);
  try {
    await element.fill(text, { timeout: ACTION_MS });
    if (await hasText()) return true;
    await element.fill("", { timeout: ACTION_MS });
    await element.type(text, { delay: KEY_DELAY_MS, timeout: ACTION_MS });
    return await hasText();
  } catch {
    return false;
  }
}

/** Pages part digits as they like, and write years with two digits or four. */
function isSame(purpose: FieldPurpose, shown: string, typed: string): boolean {
  if (purpose === "card_name") return shown !== "";
  const [shownDigits, typedDigits] = [shown, typed].map((text) => text.replaceAll(/\D/g, "")) as [string, string];
  if (purpose !== "card_expiry") return shownDigits === typedDigits;
  return shownDigits.slice(0, 2) === typedDigits.slice(0, 2) && shownDigits.slice(-2) === typedDigits.slice(-2);
}
