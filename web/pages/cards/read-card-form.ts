/** Parsing of the card form. */

export interface Expiry {
  readonly expMonth: number;
  readonly expYear: number;
}

/**
 * Parses an expiry date as printed on cards or filled by browsers, such as `04/28`, `4 / 2028` or `0428`. Returns null
 * for other formats.
 */
export function readExpiry(text: string): Expiry | null {
  const [, month = "", year = ""] = /^(0?[1-9]|1[0-2])\s*[/.-]\s*(\d{2}|\d{4})$/.exec(text.trim()) ?? [];
  const [, bareMonth = month, bareYear = year] = /^(0[1-9]|1[0-2])(\d{2}|\d{4})$/.exec(text.trim()) ?? [];
  if (bareMonth === "") return null;
  return { expMonth: Number(bareMonth), expYear: Number(bareYear.length === 2 ? `20${bareYear}` : bareYear) };
}

export function formatExpiry({ expMonth, expYear }: Expiry): string {
  return `${String(expMonth).padStart(2, "0")}/${String(expYear).slice(-2)}`;
}

/** Returns the trimmed fields of the card form. Optional empty fields are null. */
export function readCardTexts(form: FormData) {
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

export type CardTexts = ReturnType<typeof readCardTexts>;
