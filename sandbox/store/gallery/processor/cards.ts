import type { Card } from "../card.ts";

/** Cards that the processor declines. Every other valid number is charged. */
const DECLINED = new Set(["4000000000000002"]);

/** Returns why a card cannot be charged, or null. */
export function cardError({ number, expiry, code }: Card): string | null {
  if (!/^\d{13,19}$/.test(number) || !passesLuhn(number)) return "Your card number is incomplete or invalid.";
  const [, month = "", year = ""] = /^(\d{1,2})\s*\/?\s*(?:20)?(\d{2})$/.exec(expiry.trim()) ?? [];
  if (Number(month) < 1 || Number(month) > 12) return "Your card's expiration date is incomplete.";
  if (new Date(Date.UTC(2_000 + Number(year), Number(month), 1)) <= new Date()) return "Your card has expired.";
  if (!/^\d{3,4}$/.test(code)) return "Your card's security code is incomplete.";
  return null;
}

export function isDeclined({ number }: Card): boolean {
  return DECLINED.has(number);
}

/** ISO/IEC 7812-1. */
function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
