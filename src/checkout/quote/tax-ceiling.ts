/** How much tax a shop may add at checkout, at most: what is approved must not be passed, and nobody knows it before. */

/** Basis points on goods and delivery. United States: highest combined rate, rounded up; Canada: HST; else the country's highest VAT or GST. */
const HIGHEST_BASIS_POINTS: Readonly<Record<string, number>> = {
  US: 1_300,
  CA: 1_500,
  GB: 2_000,
  AU: 1_000,
  NZ: 1_500,
  JP: 1_000,
};
/** Hungary's, the highest VAT there is. */
const HIGHEST_ANYWHERE = 2_700;
const WHOLE = 10_000;

/** The amount with the most tax that may come on top, rounded up. @param country where it goes */
export function withHighestTax(amountMinor: number, country: string): number {
  const basisPoints = HIGHEST_BASIS_POINTS[country] ?? HIGHEST_ANYWHERE;
  return Number((BigInt(amountMinor) * BigInt(WHOLE + basisPoints) + BigInt(WHOLE - 1)) / BigInt(WHOLE));
}
