import { z } from "zod";

export type CardBehaviour = "taken" | "declined" | "asks-owner";

/** Behaviour of test cards by number. Every other valid number is charged. */
const BEHAVIOURS: Record<string, CardBehaviour> = {
  "4000000000000002": "declined",
  "4000002760003184": "asks-owner",
};

/** Card data as entered. The year has two or four digits. */
export const cardSchema = z.object({
  number: z.string().max(40),
  month: z.string().max(2),
  year: z.string().max(4),
  code: z.string().max(4),
  name: z.string().max(200),
});
export type TypedCard = z.infer<typeof cardSchema>;
export type CardField = keyof TypedCard;

/** Returns one error message per invalid field. The object is empty for a valid card. */
export function cardErrors(card: TypedCard, now: Date): Partial<Record<CardField, string>> {
  const errors: Partial<Record<CardField, string>> = {};
  if (!isCardNumber(digitsOf(card))) errors.number = "The card number is incomplete or invalid.";
  const month = Number(card.month);
  const year = Number(card.year) + (card.year.length === 2 ? 2000 : 0);
  const isDate = /^\d{1,2}$/.test(card.month) && /^(\d{2}|\d{4})$/.test(card.year) && month >= 1 && month <= 12;
  if (!isDate) errors.month = "Enter the month and the year.";
  else if (new Date(Date.UTC(year, month, 1)) <= now) errors.month = "The card has expired.";
  if (!/^\d{3,4}$/.test(card.code)) errors.code = "The security code has three or four digits.";
  if (card.name.trim() === "") errors.name = "Enter the name on the card.";
  return errors;
}

export function digitsOf({ number }: TypedCard): string {
  return number.replace(/[\s-]/g, "");
}

export function behaviourOf(digits: string): CardBehaviour {
  return BEHAVIOURS[digits] ?? "taken";
}

/** Returns whether a number has 13 to 19 digits and passes the Luhn check (ISO/IEC 7812-1). */
function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
