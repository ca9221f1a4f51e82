/** What is written into a card's form, read. */

export interface Expiry {
  readonly expMonth: number;
  readonly expYear: number;
}

/** `04/28`, `4 / 2028` and `0428`, as cards print and browsers fill it; null for anything else. */
export function readExpiry(written: string): Expiry | null {
  const [, month = "", year = ""] = /^(0?[1-9]|1[0-2])\s*[/.-]\s*(\d{2}|\d{4})$/.exec(written.trim()) ?? [];
  const [, bareMonth = month, bareYear = year] = /^(0[1-9]|1[0-2])(\d{2}|\d{4})$/.exec(written.trim()) ?? [];
  if (bareMonth === "") return null;
  return { expMonth: Number(bareMonth), expYear: Number(bareYear.length === 2 ? `20${bareYear}` : bareYear) };
}

export function writeExpiry({ expMonth, expYear }: Expiry): string {
  return `${String(expMonth).padStart(2, "0")}/${String(expYear).slice(-2)}`;
}

/** The fields of a form, trimmed; empty ones are null. */
export function textsOf(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? "").trim() || null;
  return {
    number: text("number") ?? "",
    expiry: text("expiry") ?? "",
    securityCode: text("securityCode"),
    cardholderName: text("cardholderName") ?? "",
    nickname: text("nickname"),
    billingAddress: {
      firstName: text("firstName"),
      lastName: text("lastName"),
      company: text("company"),
      address1: text("address1"),
      address2: text("address2"),
      city: text("city"),
      provinceCode: text("provinceCode")?.toUpperCase() ?? null,
      postalCode: text("postalCode"),
      countryCode: text("countryCode"),
      phone: text("phone"),
    },
  };
}

export type CardTexts = ReturnType<typeof textsOf>;
